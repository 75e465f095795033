/// The assertions about a whole response, as in `pm.response.to.have.status(200)`.
extension ChaiChain {
    private static let statuses: [String: String] = [
        "ok": "200", "accepted": "202", "badRequest": "400", "unauthorized": "401", "unauthorised": "401",
        "forbidden": "403", "notFound": "404", "notAcceptable": "406", "rateLimited": "429",
    ]

    private static let classes: [String: (low: String, high: String)] = [
        "info": ("100", "199"), "success": ("200", "299"), "redirection": ("300", "399"), "clientError": ("400", "499"),
        "serverError": ("500", "599"), "error": ("400", "599"),
    ]

    /// Returns the assertion after a word; nil if it is unknown.
    func responseProperty(_ name: String) -> ChaiChain? {
        var result = self
        let status = ScriptValue.part(.status)
        if let code = Self.statuses[name] {
            result.add(.claim(ScriptClaim(status, .equals(.number(code)))))
        } else if let (low, high) = Self.classes[name] {
            result.add(.claim(ScriptClaim(status, .between(.number(low), .number(high)))))
        } else {
            switch name {
            case "json": result.add(.claim(ScriptClaim(.body(BodyPath(steps: [])), .exists)))
            case "withBody": result.add(.claim(ScriptClaim(.part(.text), .empty)).negated)
            case "jsonBody", "body": return self
            case "responseTime": result.subject = .part(.milliseconds)
            case "responseSize": result.subject = .part(.size)
            default: return nil
            }
        }
        return result
    }

    /// Returns the assertion after a call; nil if it is unknown.
    func responseMethod(_ name: String, _ arguments: [ScriptValue]) -> ChaiChain? {
        var result = self
        let first = arguments.first
        func add(_ subject: ScriptValue, _ operation: ScriptClaim.Operation) {
            result.add(.claim(ScriptClaim(subject, operation)))
        }
        switch name {
        case "status", "statusCode":
            guard let first else { return nil }
            if case .number = first {
                add(.part(.status), .equals(first))
            } else if let text = first.literalText, Int(text) == nil {
                add(.part(.reason), .equals(first))
            } else {
                add(.part(.status), .equals(first))
            }
        case "statusReason", "statusText":
            guard let first else { return nil }
            add(.part(.reason), .equals(first))
        case "statusCodeClass":
            guard case .number(let text)? = first, let number = Int(text), (1...5).contains(number) else { return nil }
            add(.part(.status), .between(.number("\(number)00"), .number("\(number)99")))
        case "header":
            guard let name = first?.literalText, !name.isEmpty else { return nil }
            switch arguments.dropFirst().first {
            case nil: add(.part(.header(name)), .exists)
            case .pattern(let pattern)?: add(.part(.header(name)), .matches(pattern))
            case let value?: add(.part(.header(name)), .equals(value))
            }
        case "property":
            guard let name = first?.literalText else { return nil }
            let parts: [String: ScriptValue.Part] = [
                "code": .status, "status": .reason, "responseTime": .milliseconds, "responseSize": .size,
            ]
            guard let part = parts[name] else { return nil }
            add(.part(part), arguments.count > 1 ? .equals(arguments[1]) : .exists)
        case "body":
            switch first {
            case nil: result.add(.claim(ScriptClaim(.part(.text), .empty)).negated)
            case .object, .array: add(.body(BodyPath(steps: [])), .equals(first ?? .undefined))
            case .pattern(let pattern): add(.part(.text), .matches(pattern))
            case .some(let value): add(.part(.text), .equals(value))
            }
        case "jsonBody":
            switch first {
            case nil: add(.body(BodyPath(steps: [])), .exists)
            case .object, .array: add(.body(BodyPath(steps: [])), .equals(first ?? .undefined))
            case .some(let value):
                guard let text = value.literalText, let path = BodyPath(dotted: text) else { return nil }
                add(.body(path), arguments.count > 1 ? .equals(arguments[1]) : .exists)
            }
        case "jsonSchema":
            guard let schema = first.flatMap(MatcherOperands.schemaWithFormats) else { return nil }
            result.add(ScriptCondition.schema(schema))
        case "responseTime":
            guard let first else { return nil }
            add(.part(.milliseconds), .equals(first))
        case "json", "withBody", "ok", "success", "error": return responseProperty(name)
        default: return nil
        }
        return result
    }
}
