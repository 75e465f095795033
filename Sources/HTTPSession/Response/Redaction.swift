import JSON

/// The rules that hide secrets in logs, curl commands and HAR files: header fields and parameters to redact.
///
/// Names are compared case-insensitively. The shape of a hidden value is kept: `Authorization: Bearer REDACTED`,
/// `Cookie: sid=REDACTED`. The password in a URL's userinfo is always hidden. So are secret parameters of URLs in
/// header fields such as `Location`.
///
/// ```swift
/// let redaction = Redaction.standard.hiding(fields: ["X-Session"], parameters: ["pin"])
/// print(redaction.url("https://example.org/?pin=1234"))  // https://example.org/?pin=REDACTED
/// ```
public struct Redaction: Sendable, Hashable {
    /// The names of the hidden header fields, in lowercase.
    public private(set) var fields: Set<String>
    /// The names of the hidden query and form parameters and JSON members, in lowercase.
    public private(set) var parameters: Set<String>
    /// The string that replaces a hidden value.
    public var replacement: String

    /// `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie` and other fields that commonly contain keys.
    public static let standardFields: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "x-csrf-token",
        "x-amz-security-token", "authentication-info", "proxy-authentication-info",
    ]

    /// The parameters that commonly contain passwords, tokens and signatures.
    public static let standardParameters: Set<String> = [
        "access_token", "refresh_token", "id_token", "client_secret", "client_assertion", "assertion", "password",
        "passwd", "secret", "token", "api_key", "apikey", "api-key", "code_verifier", "sig", "signature",
        "x-amz-signature", "x-amz-security-token", "x-amz-credential",
    ]

    /// The redaction of the standard fields and parameters.
    public static let standard = Redaction()

    /// Creates a redaction.
    /// - Parameters:
    ///   - fields: The names of the header fields to hide.
    ///   - parameters: The names of the parameters and JSON members to hide.
    ///   - replacement: The string that replaces a hidden value.
    public init(
        fields: Set<String> = Redaction.standardFields, parameters: Set<String> = Redaction.standardParameters,
        replacement: String = "REDACTED"
    ) {
        self.fields = Set(fields.map { $0.lowercased() })
        self.parameters = Set(parameters.map { $0.lowercased() })
        self.replacement = replacement
    }

    /// Returns this redaction with additional names.
    public func hiding(fields: Set<String> = [], parameters: Set<String> = []) -> Redaction {
        if fields.isEmpty && parameters.isEmpty { return self }
        return Redaction(
            fields: self.fields.union(fields), parameters: self.parameters.union(parameters), replacement: replacement)
    }

    // MARK: Header

    /// Returns whether the value of a header field is hidden.
    public func hides(field name: String) -> Bool { fields.contains(name.lowercased()) }

    /// Returns whether the value of a parameter is hidden.
    public func hides(parameter name: String) -> Bool { parameters.contains(name.lowercased()) }

    /// Returns a header with its secrets hidden.
    public func header(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(headers.fields.map { HTTPHeaders.Field(name: $0.name, value: value($0.value, ofField: $0.name)) })
    }

    /// Returns the value of a header field with its secrets hidden.
    public func value(_ value: String, ofField name: String) -> String {
        let name = name.lowercased()
        guard fields.contains(name) else {
            switch name {
            case "location", "content-location", "referer": return url(value)
            default: return value
            }
        }
        switch name {
        case "cookie":
            return value.split(separator: ";", omittingEmptySubsequences: false).map { pair in
                hidingValue(String(pair))
            }.joined(separator: ";")
        case "set-cookie":
            let end = value.firstIndex(of: ";") ?? value.endIndex
            return hidingValue(String(value[..<end])) + value[end...]
        case "authorization", "proxy-authorization":
            guard let space = value.firstIndex(of: " "), ByteClass.isToken(String(value[..<space])) else {
                return replacement
            }
            return value[...space] + replacement
        default:
            return replacement
        }
    }

    private func hidingValue(_ pair: String) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return pair.isEmpty ? pair : replacement }
        return pair[...equals] + replacement
    }

    // MARK: URLs

    /// Returns a URL or URL reference with its password and secret parameters hidden.
    public func url(_ text: String) -> String {
        var text = text
        if let mark = text.firstRange(of: "://") {
            let rest = text[mark.upperBound...]
            let end = Self.endOfAuthority(rest)
            if let at = rest[..<end].lastIndex(of: "@"), let colon = rest[..<at].firstIndex(of: ":") {
                text = text[...colon] + replacement + text[at...]
            }
        }
        guard let mark = text.firstIndex(of: "?") else { return text }
        let start = text.index(after: mark)
        let end = text[start...].firstIndex(of: "#") ?? text.endIndex
        guard let hidden = changedPairs(text[start..<end]) else { return text }
        return text[..<start] + hidden + text[end...]
    }

    /// Returns the end of a URL's authority, including a password that should have been percent-encoded.
    private static func endOfAuthority(_ rest: Substring) -> Substring.Index {
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let authority = rest[..<end]
        guard end != rest.endIndex, !authority.contains("@"), !authority.hasPrefix("["),
            let colon = authority.firstIndex(of: ":"),
            authority[colon...].dropFirst().contains(where: { !$0.isNumber }),
            let at = rest[end...].firstIndex(of: "@")
        else { return end }
        return rest.index(after: at)
    }

    /// Returns a text, such as a message, with the secrets of its URLs hidden.
    func text(_ text: String) -> String {
        guard text.contains("://") || text.contains("?") else { return text }
        var shown = ""
        var word = text.startIndex
        for index in text.indices where text[index].isWhitespace || text[index] == "\"" {
            shown += url(String(text[word..<index]))
            shown.append(text[index])
            word = text.index(after: index)
        }
        return shown + url(String(text[word...]))
    }

    /// Returns a query or form with its secrets hidden.
    public func form(_ text: String) -> String {
        changedPairs(text[...]) ?? text
    }

    /// Returns the pairs with their secrets hidden, or nil if there is nothing to hide.
    private func changedPairs(_ text: Substring) -> String? {
        var isChanged = false
        let pairs = text.split(separator: "&", omittingEmptySubsequences: false).map { pair -> Substring in
            guard let equals = pair.firstIndex(of: "="), isHidden(pair[..<equals]) else { return pair }
            isChanged = true
            return pair[...equals] + replacement[...]
        }
        return isChanged ? pairs.joined(separator: "&") : nil
    }

    private func isHidden(_ name: Substring) -> Bool {
        if hides(parameter: String(name)) { return true }
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return false }
        return hides(parameter: FormPairs.decoded(name))
    }

    // MARK: Bodies

    /// Returns a form or JSON body with its secrets hidden; other bodies are returned unchanged.
    /// - Parameters:
    ///   - body: The body, with its content codings decoded.
    ///   - contentType: The media type of the body.
    public func body(_ body: [UInt8], contentType: String?) -> [UInt8] {
        guard !parameters.isEmpty, let contentType, let type = MediaRange(contentType) else { return body }
        if type.description == "application/x-www-form-urlencoded" {
            let text = String(decoding: body, as: UTF8.self)
            return changedPairs(text[...]).map { Array($0.utf8) } ?? body
        }
        guard type.isJSON else { return body }
        guard let value = try? JSONValue(parsing: body) else { return body }
        var isChanged = false
        let hidden = hidden(value, &isChanged)
        return isChanged ? hidden.serializedBytes() : body
    }

    /// Returns a body with its secrets hidden, decoded if it contained any.
    ///
    /// A body with an unknown content coding is returned unchanged.
    func body(_ body: [UInt8], of headers: HTTPHeaders) -> (bytes: [UInt8], isDecoded: Bool) {
        let type = headers["Content-Type"]
        guard headers.contains("Content-Encoding") else { return (self.body(body, contentType: type), false) }
        guard let codings = ContentCoding.applied(in: headers), !codings.isEmpty,
            let plain = try? ContentDecoder.decode(body, codings)
        else { return (body, false) }
        let shown = self.body(plain, contentType: type)
        return shown == plain ? (body, false) : (shown, true)
    }

    /// Returns a JSON value with secret members hidden. The parser limits its depth.
    private func hidden(_ value: JSONValue, _ isChanged: inout Bool) -> JSONValue {
        switch value {
        case .object(let object):
            var copy = JSONObject()
            for (name, member) in object {
                if hides(parameter: name), !member.isNull {
                    isChanged = true
                    copy.append(name, .string(replacement))
                } else {
                    copy.append(name, hidden(member, &isChanged))
                }
            }
            return .object(copy)
        case .array(let elements):
            return .array(elements.map { hidden($0, &isChanged) })
        default:
            return value
        }
    }
}
