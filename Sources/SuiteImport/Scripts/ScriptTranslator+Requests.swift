/// The request that a script belongs to, and those that it sends before.
extension ScriptTranslator {
    /// Records a request that becomes a step of its own, with the effects of the function that gets its response.
    ///
    /// - Parameters:
    ///   - values: A URL or a request object, and the function.
    ///   - path: The name of the function that sends the request, for comments.
    mutating func send(_ values: [ScriptValue], _ path: String) -> ScriptValue {
        // The order of other requests depends on the run.
        guard phase == .beforeRequest, guards.isEmpty, let request = values.first.flatMap(Self.request) else {
            return .opaque(path)
        }
        var setup = ScriptOutcome.Setup(request: request)
        switch values.count > 1 ? values[1] : .undefined {
        case .undefined: break
        case .function(let function):
            // The arguments are an error, which would end the run, and the response.
            let effects = followAfterResponse(function, [.null, .host("pm.response")])
            guard effects.next == nil, effects.setups.isEmpty, !effects.isSkipped else { return .opaque(path) }
            setup.checks = effects.checks
            setup.assignments = effects.assignments
            outcome.translated += effects.translated
            outcome.issues += effects.issues
            outcome.omitted += effects.omitted
        default: return .opaque(path)
        }
        outcome.setups.append(setup)
        return .undefined
    }

    /// Returns a request; nil if a part of it is not known before the run.
    private static func request(_ value: ScriptValue) -> ImportedRequest? {
        guard case .object(let members) = value else {
            guard case .text(let url) = value else { return nil }
            return ImportedRequest(url: url)
        }
        func member(_ name: String) -> ScriptValue? { members.first { $0.name == name }?.value }
        guard case .text(let url)? = member("url") else { return nil }
        var request = ImportedRequest(method: member("method")?.literalText?.uppercased() ?? "GET", url: url)
        if let value = member("header") ?? member("headers") {
            guard let fields = fields(value) else { return nil }
            request.headers = fields
        }
        guard let body = member("body") else { return request }
        guard case .object(let parts) = body else { return nil }
        func part(_ name: String) -> ScriptValue? { parts.first { $0.name == name }?.value }
        switch part("mode")?.literalText {
        case "raw":
            guard let text = part("raw")?.importedText else { return nil }
            request.body = ImportedBody(
                text: text, contentType: request.header("Content-Type")?.literal, unquoted: .value)
        case "urlencoded":
            guard let value = part("urlencoded"), let fields = fields(value) else { return nil }
            request.body = .form(fields)
        case "formdata":
            guard let value = part("formdata"), let fields = fields(value) else { return nil }
            request.body = .multipart(fields.map { ImportedBody.Part($0.name, .text($0.value)) })
        default: return nil
        }
        return request
    }

    /// Returns names and values: an object, an array of objects with `key` and `value`, or lines such as `Name: value`.
    private static func fields(_ value: ScriptValue) -> [ImportedField]? {
        switch value {
        case .object(let members):
            let fields = members.compactMap { member in
                member.value.importedText.map { ImportedField(ImportedText(member.name), $0) }
            }
            return fields.count == members.count ? fields : nil
        case .array(let elements):
            let fields = elements.map { field($0) }
            return fields.contains { $0 == nil } ? nil : fields.compactMap { $0 }
        case .text: return field(value).map { [$0] }
        default: return nil
        }
    }

    private static func field(_ value: ScriptValue) -> ImportedField? {
        switch value {
        case .object(let members):
            func member(_ name: String) -> ScriptValue? { members.first { $0.name == name }?.value }
            guard let name = member("key")?.importedText, let text = member("value")?.importedText,
                member("type")?.literalText ?? "text" == "text"
            else { return nil }
            return ImportedField(name, text)
        case .text(let text):
            let halves = text.split(UInt8(ascii: ":"), maximum: 2)
            guard halves.count == 2, let name = halves[0].literal else { return nil }
            return ImportedField(ImportedText(name), halves[1].dropping(prefix: " ") ?? halves[1])
        default: return nil
        }
    }

    // MARK: The request of the script

    /// Records a change to the request.
    mutating func change(
        _ function: RequestChange.Function, _ arguments: [ScriptValue], _ reason: String
    ) -> ScriptValue {
        let changes = RequestChange.changes(function, arguments) { expanded($0) }
        guard phase == .beforeRequest, guards.isEmpty, !changes.isEmpty else {
            return .opaque(arguments.first?.opaqueReason ?? reason)
        }
        outcome.changes += changes
        return .undefined
    }

    /// Returns a text whose `{{name}}` are expressions, as in the request before it is sent.
    mutating func expanded(_ text: ImportedText) -> ImportedText {
        var result = ImportedText()
        for part in text.parts {
            switch part {
            case .literal(let literal): result.append(ScriptTemplate.text(literal, &variables))
            case .expression(let source): result.append(expression: source)
            }
        }
        return result
    }

    /// The body of the request as a value; nil if it is not JSON or not the same value when it is evaluated again.
    var requestBodyValue: ScriptValue? {
        mutating get {
            guard let body = request.body else { return nil }
            let text = ScriptTemplate.text(body, &variables)
            if phase == .afterResponse, text.expressions.contains(where: { DynamicValues.kind($0) != nil }) {
                return nil
            }
            let json = ScriptTemplate.json(text, variables).text
            return ImportedBody.json(json, unquoted: .value).flatMap { $0.isCollection ? ScriptValue($0) : nil }
        }
    }

    /// The text of the body of the request.
    var requestBodyText: ScriptValue? {
        mutating get { request.body.map { .text(ScriptTemplate.text($0, &variables)) } }
    }
}
