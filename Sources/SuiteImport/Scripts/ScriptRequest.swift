/// The request of a script, as far as the script can read it.
struct ScriptRequest: Sendable {
    /// A part of the request.
    enum Part: Sendable {
        case name, method, url
        /// A query parameter, by its name.
        case parameter
        /// A header field, by its name.
        case header
    }

    /// The name.
    var name: String?
    /// The text of the body; nil if it has none, or another form.
    var body: String?
    /// The request that is sent; nil if it is not known yet.
    var sent: ImportedRequest?

    /// Returns a part of the request; nil if it is unknown, or not the same when it is evaluated again.
    ///
    /// - Parameter key: The name of a parameter or of a header field.
    func value(of part: Part, _ key: String?) -> ScriptValue? {
        if case .name = part { return name.map { .literal($0) } }
        guard let sent else { return nil }
        switch part {
        case .name: return nil
        case .method: return sent.methodExpression == nil ? .literal(sent.method) : nil
        case .url: return sent.query.isEmpty ? Self.fixed(sent.url) : nil
        case .parameter:
            guard let key else { return nil }
            let fields = Self.query(of: sent.url) + sent.query
            guard let field = fields.last(where: { $0.name.literal == key }) else { return .undefined }
            // The parameter is text, whatever the type of a variable in it is.
            return Self.fixed(field.value).map { value in
                field.value.soleExpression.map { .computed("string(\($0))", .string) } ?? value
            }
        // The tool adds further header fields when it sends the request.
        case .header: return key.flatMap { sent.header($0) }.flatMap(Self.fixed)
        }
    }

    /// Returns a text without made-up values, which would be others when they are evaluated again.
    private static func fixed(_ text: ImportedText) -> ScriptValue? {
        text.expressions.contains { DynamicValues.kind($0) != nil } ? nil : .text(text)
    }

    /// Returns the query parameters of a URL.
    private static func query(of url: ImportedText) -> [ImportedField] {
        var fields: [ImportedField] = []
        var isQuery = false
        var isValue = false
        func append(_ text: ImportedText) {
            guard isQuery, let last = fields.indices.last else { return }
            if isValue { fields[last].value.append(text) } else { fields[last].name.append(text) }
        }
        for part in url.parts {
            guard case .literal(let literal) = part else {
                append(ImportedText([part]))
                continue
            }
            var text = ""
            func flush() {
                append(ImportedText(text))
                text = ""
            }
            for character in literal.prefix(while: { $0 != "#" }) {
                switch character {
                case "?" where !isQuery, "&" where isQuery:
                    flush()
                    (isQuery, isValue) = (true, false)
                    fields.append(ImportedField(ImportedText(), ImportedText()))
                case "=" where isQuery && !isValue:
                    flush()
                    isValue = true
                default: text.append(character)
                }
            }
            flush()
        }
        return fields
    }
}
