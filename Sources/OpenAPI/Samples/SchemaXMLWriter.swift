import JSON

/// A writer that serializes values as XML documents by their schemas.
struct SchemaXMLWriter {
    private let sampler: SchemaSampler
    private var output = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    /// The declared namespaces by prefix. The empty prefix is the default namespace.
    private var namespaces = ["xml": "http://www.w3.org/XML/1998/namespace"]
    private static let instance = "http://www.w3.org/2001/XMLSchema-instance"

    private init(_ sampler: SchemaSampler) {
        self.sampler = sampler
    }

    /// Returns the document for a value.
    ///
    /// - Parameter unnamed: The name of the root element if the schema states none.
    /// - Returns: The document; nil if its root element has no name.
    static func document(
        _ value: JSONValue, _ schema: DescriptionNode?, _ sampler: SchemaSampler, unnamed: String? = "root"
    ) -> String? {
        var writer = SchemaXMLWriter(sampler)
        let naming = XMLNaming(schema, value, sampler)
        let own = naming.name ?? XMLNaming.component(schema, sampler.description)
        guard let name = own ?? unnamed else { return nil }
        if case .array(let elements) = value {
            // A document has exactly one root element, regardless of `wrapped` in the schema.
            let item = XMLNaming.component(naming.item(0), sampler.description)
            writer.element(name, naming, attributes: []) { writer in
                writer.items(elements, naming, name: item ?? own ?? "item", depth: 1)
            }
        } else {
            writer.element(value, naming, name: name, depth: 1)
        }
        return writer.output
    }

    // MARK: Nodes

    /// Writes a member of an object or an element of an array.
    private mutating func node(_ value: JSONValue, _ schema: DescriptionNode?, name: String, depth: Int) {
        let naming = XMLNaming(schema, value, sampler)
        let own = naming.name ?? name
        guard depth < 100 else { return }
        switch (naming.kind(of: value), value) {
        case (.text, _): output += Self.escaped(ParameterText.scalar(value), isAttribute: false)
        case (.cdata, _):
            let text = Self.allowed(ParameterText.scalar(value))
            output += "<![CDATA[" + text.replacing("]]>", with: "]]]]><![CDATA[>") + "]]>"
        case (.none, .array(let elements)), (.attribute, .array(let elements)):
            items(elements, naming, name: own, depth: depth + 1)
        case (_, .array(let elements)):
            element(own, naming, attributes: []) { writer in
                writer.items(elements, naming, name: own, depth: depth + 1)
            }
        case (.none, .object(let object)): members(object, naming, depth: depth + 1)
        default: element(value, naming, name: own, depth: depth)
        }
    }

    private mutating func items(_ elements: [JSONValue], _ naming: XMLNaming, name: String, depth: Int) {
        for (position, element) in elements.enumerated() {
            node(element, naming.item(position), name: name, depth: depth)
        }
    }

    private mutating func element(_ value: JSONValue, _ naming: XMLNaming, name: String, depth: Int) {
        switch value {
        case .object(let object):
            var attributes: [(name: String, naming: XMLNaming, value: String)] = []
            var rest = JSONObject()
            for (key, member) in object {
                let own = XMLNaming(naming.property(key), member, sampler)
                guard case .attribute = own.kind(of: member), member.objectValue == nil, member.arrayValue == nil else {
                    rest.append(key, member)
                    continue
                }
                if !member.isNull { attributes.append((own.name ?? key, own, ParameterText.scalar(member))) }
            }
            element(name, naming, attributes: attributes) { writer in writer.members(rest, naming, depth: depth + 1) }
        case .null:
            element(name, naming, attributes: [], isNil: true) { _ in }
        default:
            element(name, naming, attributes: []) { writer in
                writer.output += Self.escaped(ParameterText.scalar(value), isAttribute: false)
            }
        }
    }

    private mutating func members(_ object: JSONObject, _ naming: XMLNaming, depth: Int) {
        for (key, member) in object { node(member, naming.property(key), name: key, depth: depth) }
    }

    // MARK: Tags

    /// Writes an element and declares the namespaces that it and its attributes need.
    private mutating func element(
        _ name: String, _ naming: XMLNaming, attributes: [(name: String, naming: XMLNaming, value: String)],
        isNil: Bool = false, content: (inout SchemaXMLWriter) -> Void
    ) {
        let outer = namespaces
        defer { namespaces = outer }
        var declarations = ""
        let tag = qualified(name, naming, isAttribute: false, &declarations)
        var texts = ""
        var known: Set<String> = []
        for attribute in attributes {
            let name = qualified(attribute.name, attribute.naming, isAttribute: true, &declarations)
            // An element cannot have two attributes with the same name.
            guard known.insert(name).inserted else { continue }
            texts += " \(name)=\"\(Self.escaped(attribute.value, isAttribute: true))\""
        }
        if isNil {
            declare("xsi", Self.instance, &declarations)
            texts += " xsi:nil=\"true\""
        }
        output += "<\(tag)\(declarations)\(texts)>"
        let start = output.utf8.count
        content(&self)
        if output.utf8.count == start {
            output.removeLast()
            output += "/>"
        } else {
            output += "</\(tag)>"
        }
    }

    /// Returns a name with its prefix, and declares the prefix if needed. A prefix without a namespace is omitted.
    private mutating func qualified(
        _ name: String, _ naming: XMLNaming, isAttribute: Bool, _ declarations: inout String
    ) -> String {
        let local = Self.name(name)
        if let prefix = naming.prefix.map({ Self.name($0) }) {
            if let namespace = naming.namespace { declare(prefix, namespace, &declarations) }
            return namespaces[prefix] == nil ? local : "\(prefix):\(local)"
        }
        // The default namespace does not apply to attributes.
        if !isAttribute, let namespace = naming.namespace { declare("", namespace, &declarations) }
        return local
    }

    private mutating func declare(_ prefix: String, _ namespace: String, _ declarations: inout String) {
        guard namespaces[prefix] != namespace else { return }
        namespaces[prefix] = namespace
        let name = prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)"
        declarations += " \(name)=\"\(Self.escaped(namespace, isAttribute: true))\""
    }

    // MARK: Characters

    /// Returns a name in which `_` replaces characters that XML names cannot contain (XML 1.0, section 2.3).
    private static func name(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(200) {
            let isStart = isNameStart(scalar)
            let isOther = isNameRest(scalar)
            if result.isEmpty, !isStart, isOther { result = "_" }
            result.unicodeScalars.append(isStart || isOther ? scalar : "_")
        }
        return result.isEmpty ? "_" : result
    }

    private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF,
            0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
            0x10000...0xEFFFF:
            true
        default: false
        }
    }

    private static func isNameRest(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: false
        }
    }

    private static func escaped(_ text: String, isAttribute: Bool) -> String {
        var result = ""
        for scalar in allowed(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"" where isAttribute: result += "&quot;"
            case "\n" where isAttribute: result += "&#10;"
            case "\t" where isAttribute: result += "&#9;"
            case "\r": result += "&#13;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns a string in which U+FFFD replaces characters that XML 1.0 does not allow (section 2.2).
    private static func allowed(_ text: String) -> String {
        func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE || ["\t", "\n", "\r"].contains(scalar)
        }
        if text.unicodeScalars.allSatisfy(isAllowed) { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isAllowed($0) ? $0 : "\u{FFFD}" }))
    }
}

/// The names, namespaces, and node kinds of values in XML, from their schemas (XML Object).
struct XMLNaming {
    /// The kind of XML node for a value (`nodeType` in OpenAPI 3.2; `attribute` and `wrapped` in earlier versions).
    enum Kind {
        case element, attribute, text, cdata
        /// No node of its own. Only the members or elements become nodes.
        case none
    }

    /// The name that replaces the name of the property.
    var name: String?
    /// The URI of the namespace.
    var namespace: String?
    /// The prefix of the name.
    var prefix: String?
    private var kind: Kind?
    /// The schema and the schemas that it is composed of through `$ref`, `allOf`, `anyOf`, and `oneOf`.
    private var parts: [DescriptionNode] = []
    private static let maximumParts = 300

    /// Reads the naming of a value from its schema.
    init(_ schema: DescriptionNode?, _ value: JSONValue, _ sampler: SchemaSampler) {
        guard let schema else { return }
        if let xml = Self.xml(of: schema, sampler.description) {
            name = xml.value["name"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
            namespace = xml.value["namespace"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
            prefix = xml.value["prefix"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
            switch xml.value["nodeType"]?.stringValue {
            case "element"?: kind = .element
            case "attribute"?: kind = .attribute
            case "text"?: kind = .text
            case "cdata"?: kind = .cdata
            case "none"?: kind = Kind.none
            default:
                if xml.value["attribute"]?.boolValue == true { kind = .attribute }
                if xml.value["wrapped"]?.boolValue == true, value.arrayValue != nil { kind = .element }
            }
        }
        var seen: Set<DescriptionNode> = []
        collect(schema, value, sampler, &seen)
    }

    /// Returns the node kind of a value. By default, an array becomes its elements, and any other value an element.
    func kind(of value: JSONValue) -> Kind { kind ?? (value.arrayValue == nil ? .element : .none) }

    /// Returns the schema of a member.
    func property(_ name: String) -> DescriptionNode? {
        for part in parts {
            if let schema = part["properties"]?[name] { return schema }
        }
        return parts.lazy.compactMap { $0["additionalProperties"] }.first { $0.value.objectValue != nil }
    }

    /// Returns the schema of an array element.
    func item(_ position: Int) -> DescriptionNode? {
        for part in parts {
            for list in [part["prefixItems"], part["items"]] {
                if let elements = list?.elements, elements.indices.contains(position) { return elements[position] }
            }
            if let items = part["items"], items.value.objectValue != nil { return items }
        }
        return nil
    }

    /// Returns the name of the component that a schema refers to or is.
    static func component(_ schema: DescriptionNode?, _ description: OpenAPIDescription) -> String? {
        guard let schema else { return nil }
        let target = schema.reference.flatMap { try? description.files.target(of: $0, from: schema) } ?? schema
        let tokens = target.pointer.tokens
        guard tokens.count >= 2, ["schemas", "definitions"].contains(tokens[tokens.count - 2]) else { return nil }
        return tokens.last
    }

    /// Returns the XML Object of a schema or of its reference's target.
    private static func xml(of schema: DescriptionNode, _ description: OpenAPIDescription) -> DescriptionNode? {
        var current = schema
        for _ in 0..<DescriptionFiles.maximumChainLength {
            if let xml = current["xml"] { return xml }
            if let reference = current.reference {
                guard let target = try? description.files.target(of: reference, from: current) else { return nil }
                current = target
            } else if let parts = current["allOf"]?.elements, parts.count == 1, let only = parts.first {
                // OpenAPI 3.0 uses this form for members next to a `$ref`.
                current = only
            } else {
                return nil
            }
        }
        return nil
    }

    private mutating func collect(
        _ schema: DescriptionNode, _ value: JSONValue, _ sampler: SchemaSampler, _ seen: inout Set<DescriptionNode>
    ) {
        guard parts.count < Self.maximumParts, seen.insert(schema).inserted else { return }
        parts.append(schema)
        if schema.reference != nil, let target = sampler.description.resolved(schema) {
            collect(target, value, sampler, &seen)
        }
        for part in schema["allOf"]?.elements ?? [] { collect(part, value, sampler, &seen) }
        for keyword in ["oneOf", "anyOf"] {
            guard let branches = schema[keyword]?.elements, !branches.isEmpty else { continue }
            // The branch that the value matches is the most relevant one.
            let own = branches.count == 1 ? branches.first : branches.first { sampler.accepts(value, $0) }
            if let own { collect(own, value, sampler, &seen) }
            for branch in branches { collect(branch, value, sampler, &seen) }
        }
    }
}
