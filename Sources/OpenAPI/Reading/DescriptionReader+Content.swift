import Basics
import Diagnostics
import JSON

extension DescriptionReader {
    // MARK: Parameters

    /// Returns the parameters of a path or an operation.
    mutating func parameters(of node: DescriptionNode) -> [Parameter] {
        var parameters: [Parameter] = []
        var names: Set<String> = []
        for site in list(node, "parameters") ?? [] {
            guard let parameter = parameter(site) else { continue }
            guard names.insert("\(parameter.location) \(parameter.comparedName)").inserted else {
                report(
                    "duplicate-parameter",
                    "duplicate parameter \"\(parameter.name)\" in \(parameter.location.rawValue)", at: site)
                continue
            }
            parameters.append(parameter)
        }
        return parameters
    }

    private mutating func parameter(_ site: DescriptionNode) -> Parameter? {
        guard isObject(site, "a parameter"), let node = resolve(site) else { return nil }
        var parameter: Parameter?
        if let known = known.parameters[node] {
            parameter = known
        } else {
            parameter = isObject(node, "a parameter") ? self.parameter(at: node) : nil
            known.parameters[node] = .some(parameter)
        }
        if site.reference != nil { parameter?.description = string("description", of: node, referredToFrom: site) }
        return parameter
    }

    private mutating func parameter(at node: DescriptionNode) -> Parameter? {
        guard let name = requiredString(node, "name", of: "the parameter"),
            let text = requiredString(node, "in", of: "the parameter \"\(name)\"")
        else { return nil }
        guard let location = Parameter.Location(rawValue: text), location != .querystring || version >= .openAPI32
        else {
            report(
                "invalid-openapi", "a parameter cannot be in \"\(text)\"", at: node["in"] ?? node,
                suggestion: text == "body" || text == "formData"
                    ? "that is Swagger 2.0 syntax: use \"requestBody\""
                    : text == "querystring"
                        ? "that requires OpenAPI 3.2; this description uses \(version.rawValue)"
                        : "use path, query, header, or cookie")
            return nil
        }
        // The description covers these three headers elsewhere, so they are not parameters (RFC 9110, section 5.1).
        if location == .header, ["accept", "content-type", "authorization"].contains(name.lowercased()) { return nil }
        return parameter(node, name: name, location: location)
    }

    /// Reads a header of a response or a part.
    mutating func header(_ site: DescriptionNode) -> Parameter? {
        guard isObject(site, "a header"), let node = resolve(site) else { return nil }
        var header: Parameter?
        if let known = known.headers[node] {
            header = known
        } else {
            header = isObject(node, "a header") ? parameter(node, name: site.name, location: .header) : nil
            known.headers[node] = .some(header)
        }
        header?.name = site.name
        if site.reference != nil { header?.description = string("description", of: node, referredToFrom: site) }
        return header
    }

    private mutating func parameter(
        _ node: DescriptionNode, name: String, location: Parameter.Location
    ) -> Parameter {
        let style = style(node, of: location)
        var isRequired = bool(node, "required") ?? false
        if location == .path, !isRequired {
            report(
                "invalid-openapi", "the path parameter \"\(name)\" must be required", at: node,
                suggestion: "add required: true", severity: .warning)
            isRequired = true
        }
        let content = named(node, "content").compactMap { mediaType($0) }
        return Parameter(
            name: name, location: location, isRequired: isRequired, isDeprecated: bool(node, "deprecated") ?? false,
            allowsEmptyValue: bool(node, "allowEmptyValue") ?? false, style: style,
            isExploded: bool(node, "explode") ?? (style == .form || style == .cookie),
            allowsReserved: bool(node, "allowReserved") ?? false, schema: schema(node), content: content.first,
            examples: examples(of: node), description: string(node, "description"), node: node)
    }

    private mutating func style(_ node: DescriptionNode, of location: Parameter.Location) -> Parameter.Style {
        let allowed: [Parameter.Style]
        switch location {
        case .path: allowed = [.simple, .label, .matrix]
        case .query, .querystring: allowed = [.form, .spaceDelimited, .pipeDelimited, .deepObject]
        case .header: allowed = [.simple]
        case .cookie: allowed = version >= .openAPI32 ? [.form, .cookie] : [.form]
        }
        let standard = allowed.first ?? .simple
        guard let text = string(node, "style") else { return standard }
        guard let style = Parameter.Style(rawValue: text), allowed.contains(style) else {
            report(
                "invalid-openapi", "\"\(text)\" is not a valid style for a parameter in \(location.rawValue)",
                at: node["style"] ?? node,
                suggestion: "valid styles: \(allowed.map(\.rawValue).joined(separator: ", "))")
            return standard
        }
        return style
    }

    // MARK: Bodies

    /// Reads the request body of an operation.
    mutating func requestBody(_ site: DescriptionNode) -> RequestBody? {
        guard isObject(site, "a request body"), let node = resolve(site) else { return nil }
        var body: RequestBody?
        if let known = known.requestBodies[node] {
            body = known
        } else {
            if isObject(node, "a request body") {
                body = RequestBody(
                    isRequired: bool(node, "required") ?? false, content: content(of: node),
                    description: string(node, "description"), node: node)
            }
            known.requestBodies[node] = .some(body)
        }
        if site.reference != nil { body?.description = string("description", of: node, referredToFrom: site) }
        return body
    }

    /// Returns the media types of a body.
    mutating func content(of node: DescriptionNode) -> [MediaType] {
        entries(node, "content").compactMap { mediaType($0) }
    }

    private mutating func mediaType(_ site: DescriptionNode) -> MediaType? {
        // References are allowed here since OpenAPI 3.2.
        guard isObject(site, "a media type"), let node = resolve(site) else { return nil }
        let range = MediaRange(site.name)
        if range.type.isEmpty {
            report(
                "invalid-openapi", "\"\(site.name)\" is not a media type", at: site, atKey: true,
                suggestion: "write a media type such as application/json or a range such as text/*")
        }
        if let known = known.mediaTypes[node] {
            var mediaType = known
            mediaType?.range = range
            return mediaType
        }
        guard isObject(node, "a media type") else { return nil }
        var mediaType = MediaType(
            range: range, schema: schema(node), itemSchema: version >= .openAPI32 ? schema(node, "itemSchema") : nil,
            encodings: named(node, "encoding").compactMap { encoding($0) }, examples: examples(of: node), node: node)
        if version >= .openAPI32 {
            mediaType.prefixEncodings = (list(node, "prefixEncoding") ?? []).compactMap { encoding($0) }
            mediaType.itemEncoding = node["itemEncoding"].flatMap { encoding($0) }
        }
        if site.reference != nil { known.mediaTypes[node] = .some(mediaType) }
        return mediaType
    }

    private mutating func encoding(_ node: DescriptionNode) -> Encoding? {
        guard isObject(node, "an encoding") else { return nil }
        let style = string(node, "style").flatMap { Parameter.Style(rawValue: $0) } ?? .form
        return Encoding(
            property: node.name, contentType: string(node, "contentType"),
            headers: named(node, "headers").compactMap { header($0) }, style: style,
            isExploded: bool(node, "explode") ?? (style == .form), allowsReserved: bool(node, "allowReserved") ?? false,
            node: node)
    }

    /// Returns the examples in `example` and `examples`.
    private mutating func examples(of node: DescriptionNode) -> [Example] {
        var examples: [Example] = []
        if let example = node["example"] { examples.append(Example(name: "", value: example.value, node: example)) }
        for site in named(node, "examples") {
            guard isObject(site, "an example"), let target = resolve(site), isObject(target, "an example") else {
                continue
            }
            let value = target["dataValue"] ?? target["value"]
            examples.append(
                Example(
                    name: site.name, value: value?.value, serializedValue: string(target, "serializedValue"),
                    node: value ?? target))
        }
        return examples
    }
}

extension Parameter {
    /// The name that identifies a parameter, which for a header is lowercase.
    var comparedName: String { location == .header ? name.lowercased() : name }
}
