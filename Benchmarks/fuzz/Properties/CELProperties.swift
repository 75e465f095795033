import Basics
import CEL
import JSON

/// The properties of any text that is compiled as a CEL expression and evaluated.
enum CELProperties {
    private static let budget = CELBudget(maximumSteps: 20_000, maximumMemory: 1 << 18)

    static func check(_ input: FuzzInput) throws(PropertyViolation) {
        let source = input.first
        let expression: CELExpression
        do {
            expression = try CELExpression(source)
        } catch {
            try requireLocation(offset: error.offset, length: error.length, in: source, error.message.text)
            try require(!error.message.text.isEmpty, "no message")
            return
        }
        for reference in expression.freeIdentifiers {
            try requireLocation(offset: reference.offset, length: 0, in: source, "a name")
        }
        let scope = scope(input.document)
        let result = evaluate(expression, scope)
        switch result {
        case .success(let value): try check(value)
        case .failure(let error):
            try requireLocation(offset: error.offset, length: error.length, in: source, error.message.text)
            try require(!error.message.text.isEmpty, "no message")
        }
        try checkExplanation(of: expression, scope, result)
        if case .success(.bool(let value)) = result { try checkNegation(of: source, scope, value) }
        if let constant = expression.constantValue, case .success(let value) = result {
            try require(constant.description == value.description, "constant \(constant), evaluated \(value)")
        }
    }

    /// Evaluates in a new context, so that the same expression gives the same result.
    private static func evaluate(
        _ expression: CELExpression, _ scope: CELVariables
    ) -> Result<CELValue, CELEvaluationError> {
        do throws(CELEvaluationError) {
            return .success(try expression.evaluate(scope, context: context()))
        } catch {
            return .failure(error)
        }
    }

    private static func context() -> CELContext {
        CELContext(
            budget: budget, random: CELRandomSource(seed: 7),
            clock: { CELTimestamp("2026-01-31T12:34:56.789Z") ?? .epoch },
            environment: { ["HOME": "/home/ada", "EMPTY": ""][$0] },
            readFile: { _ throws in Array("{\"a\": 1}\n".utf8) })
    }

    private static func scope(_ document: JSONValue) -> CELVariables {
        [
            "body": CELValue(document), "x": 3, "s": "a,b,é", "l": CELValue([1, "é", .null, [:], 2.5]),
            "m": CELValue(["a": ["b": 1], "k": [1, 2]]), "t": .timestamp(.epoch),
            "d": .duration(CELDuration(nanoseconds: 90_000_000_000)), "b": .bytes([0, 0xFF, 0x41]),
        ]
    }

    private static func check(_ value: CELValue) throws(PropertyViolation) {
        try require(!value.typeName.isEmpty && !value.type.name.isEmpty, "no type")
        _ = value.text.utf8.count
        try require(!value.description.isEmpty, "the value is shown as nothing")
        guard let json = value.json else { return }
        let parser = JSONParser(limits: JSONParser.Limits(maximumDepth: 2_048))
        guard let again = try? parser.parse(json.serializedBytes()) else {
            throw PropertyViolation("the JSON of \(value) cannot be read")
        }
        try require(again == json, "\(value) is written as \(json)")
    }

    private static func checkExplanation(
        of expression: CELExpression, _ scope: CELVariables, _ result: Result<CELValue, CELEvaluationError>
    ) throws(PropertyViolation) {
        let explanation = expression.explain(scope, context: context())
        switch (result, explanation.result) {
        case (.success(let value), .success(let explained)):
            try require(value.description == explained.description, "\(value) is explained as \(explained)")
        case (.failure(let error), .failure(let explained)):
            try require(error == explained, "\"\(error)\" is explained as \"\(explained)\"")
        case (.success(let value), .failure(let error)):
            try require(error.isBudgetExceeded, "\(value) is explained as \"\(error)\"")
        case (.failure(let error), .success(let explained)):
            try require(error.isBudgetExceeded, "\"\(error)\" is explained as \(explained)")
        }
        let scalars = Array(expression.source.unicodeScalars)
        for part in explanation.parts { try check(part, scalars, depth: 0) }
    }

    private static func check(
        _ part: CELExplanation.Part, _ scalars: [Unicode.Scalar], depth: Int
    ) throws(PropertyViolation) {
        // Expressions are nested at most 250 levels deep, and each macro adds a level to the explanation.
        try require(depth <= 600, "parts nested more than 600 deep")
        let isInside = part.offset >= 0 && part.length >= 0 && part.offset + part.length <= scalars.count
        try require(isInside, "a part at \(part.offset)+\(part.length) of \(scalars.count)")
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars[part.offset..<part.offset + part.length])
        switch part.content {
        case .value(let source, let value):
            try check(source, isShownFor: text)
            _ = value.description.utf8.count
        case .condition(let source, _), .failure(let source, _):
            try check(source, isShownFor: text)
        case .element(let variable, let key, let value):
            try require(!variable.isEmpty, "an element without its variable")
            _ = key.description.utf8.count + value.description.utf8.count
        case .sample(let key): _ = key.description.utf8.count
        case .note(let note): try require(!note.text.isEmpty, "an empty note")
        }
        for child in part.children { try check(child, scalars, depth: depth + 1) }
    }

    /// Long parts are truncated, whitespace is omitted, and `has(a.b)` is shown as `a.b`.
    private static func check(_ shown: String, isShownFor text: String) throws(PropertyViolation) {
        guard !shown.contains("…") else { return }
        let isPart = text.filter { !$0.isWhitespace }.contains(shown.filter { !$0.isWhitespace })
        try require(isPart, "a part is \(shown) instead of \(text)")
    }

    /// Checks that an expression in parentheses has the same value, and its negation the opposite.
    private static func checkNegation(
        of source: String, _ scope: CELVariables, _ value: Bool
    ) throws(PropertyViolation) {
        // The line break ends a comment. An expression that is too long or too deep is rejected.
        guard let negated = try? CELExpression("!(\(source)\n) && true") else { return }
        switch evaluate(negated, scope) {
        case .success(.bool(let opposite)): try require(opposite != value, "the negation of \(value) is \(opposite)")
        case .success(let other): throw PropertyViolation("the negation of \(value) is \(other)")
        case .failure(let error): try require(error.isBudgetExceeded, "the negation of \(value) fails: \(error)")
        }
    }
}
