import JSON

/// Translates the URL of a request.
enum PostmanURL {
    /// Returns a URL with its query, or an empty text if there is none.
    ///
    /// - Parameters:
    ///   - value: The URL of the collection: text or its parts.
    ///   - values: The initial values of variables, to find out whether they contain the scheme.
    static func text(
        _ value: JSONValue?, _ variables: inout ScriptVariables, values: [String: String], omitted: inout [String]
    ) -> ImportedText {
        switch value {
        case .string(let text): return complete(text, &variables, values)
        case .object:
            guard let value, hasParts(value) else {
                return complete(value?["raw"]?.stringValue ?? "", &variables, values)
            }
            var address = self.address(value)
            if let query = query(value["query"], &omitted) { address += "?" + query }
            let scheme = value["protocol"]?.stringValue ?? ""
            let start = scheme.isEmpty || scheme.hasSuffix("://") ? scheme : "\(scheme)://"
            return complete(start + address, &variables, values)
        default: return ImportedText()
        }
    }

    private static func hasParts(_ value: JSONValue) -> Bool {
        value["host"] != nil || value["path"] != nil
    }

    /// Returns the host, the port and the path.
    private static func address(_ value: JSONValue) -> String {
        var result = joined(value["host"], ".")
        if let port = value["port"].map({ PostmanVariables.text($0) }), !port.isEmpty { result += ":\(port)" }
        var variables: [String: String] = [:]
        for variable in value["variable"]?.arrayValue ?? [] where variable["disabled"]?.boolValue != true {
            if let key = variable["key"]?.stringValue ?? variable["id"]?.stringValue {
                variables[key] = PostmanVariables.text(variable["value"])
            }
        }
        let segments = parts(value["path"]).map { segment in
            guard segment.hasPrefix(":"), segment.count > 1, let text = variables[String(segment.dropFirst())] else {
                return segment
            }
            return text
        }
        switch value["path"] {
        case .string(let path)? where path.hasPrefix("/"): result += withoutLineBreaks(segments.joined(separator: "/"))
        case .some: result += "/" + withoutLineBreaks(segments.joined(separator: "/"))
        case nil: break
        }
        return result
    }

    private static func parts(_ value: JSONValue?) -> [String] {
        switch value {
        case .string(let text): text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        case .array(let elements):
            elements.map { $0["value"].map { PostmanVariables.text($0) } ?? PostmanVariables.text($0) }
        default: []
        }
    }

    private static func joined(_ value: JSONValue?, _ separator: String) -> String {
        switch value {
        case .string(let text): text
        case .array(let elements): elements.map { PostmanVariables.text($0) }.joined(separator: separator)
        default: ""
        }
    }

    /// Returns the enabled parameters as text; nil if there are none.
    private static func query(_ value: JSONValue?, _ omitted: inout [String]) -> String? {
        if let text = value?.stringValue { return text.isEmpty ? nil : text }
        var pairs: [String] = []
        for parameter in value?.arrayValue ?? [] {
            if let text = parameter.stringValue {
                pairs.append(text)
                continue
            }
            if parameter["disabled"]?.boolValue == true {
                omitted.append("disabled parameters")
                continue
            }
            let key = PostmanVariables.text(parameter["key"])
            switch parameter["value"] {
            case nil, .null?: pairs.append(escaped(key, isName: true))
            case let value?:
                pairs.append("\(escaped(key, isName: true))=\(escaped(PostmanVariables.text(value), isName: false))")
            }
        }
        let text = pairs.joined(separator: "&")
        return text.isEmpty ? nil : withoutLineBreaks(text)
    }

    /// Returns a text with encoded line breaks, which URLs would otherwise lose.
    private static func withoutLineBreaks(_ text: String) -> String {
        text.replacing("\r\n", with: "%0D%0A").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    /// Returns a name or value without characters that would end it.
    private static func escaped(_ text: String, isName: Bool) -> String {
        var result = ""
        var braces = 0
        for character in text {
            switch character {
            case "{": braces += 1
            case "}": braces = max(0, braces - 1)
            default: break
            }
            switch character {
            case "&" where braces < 2: result += "%26"
            case "#" where braces < 2: result += "%23"
            case "=" where isName && braces < 2: result += "%3D"
            default: result.append(character)
            }
        }
        return result
    }

    /// Returns a URL with a scheme, unless it is empty: Postman adds `http://` if there is none.
    static func complete(
        _ source: String, _ variables: inout ScriptVariables, _ values: [String: String]
    ) -> ImportedText {
        let trimmed = source.drop { $0 == " " || $0 == "\n" || $0 == "\t" }
        let text = ScriptTemplate.text(String(trimmed), &variables)
        switch text.parts.first {
        case nil: return text
        case .literal(let literal):
            if literal.contains("://") || literal.hasPrefix("/") { return text }
            return ImportedText("http://") + text
        case .expression(let source):
            // Only an initial value says whether the scheme is in the variable.
            guard let value = values[source], !value.isEmpty, !value.contains("://"), !value.hasPrefix("{{"),
                !startsWithScheme(text)
            else { return text }
            return ImportedText("http://") + text
        }
    }

    /// Returns whether `://` follows the first expression, as in `{{scheme}}://host`.
    private static func startsWithScheme(_ text: ImportedText) -> Bool {
        if text.parts.count > 1, case .literal(let literal) = text.parts[1] { return literal.hasPrefix("://") }
        return false
    }
}
