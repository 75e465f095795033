import Basics
import JSON

/// Derives expectations from a recorded response: exact values, and types of those that change.
struct ExpectationInference {
    /// The maximum number of expectations on values of a body.
    private static let maximumCount = 16
    /// The maximum depth of values that expectations concern.
    private static let maximumDepth = 4
    /// The maximum length of a string that is expected to be equal.
    private static let maximumLength = 120

    private var checks: [ImportedCheck] = []
    private let known: (String) -> String?

    /// Returns the expectations on a response.
    ///
    /// - Parameter known: Returns the expression for an identifier that an earlier response contained; nil for any
    ///   other value.
    static func checks(
        for exchange: RecordedExchange, json: JSONValue?, known: @escaping (String) -> String?
    ) -> [ImportedCheck] {
        var inference = ExpectationInference(known: known)
        // A response from the client's cache was complete at first.
        inference.checks.append(.status(exchange.status == 304 ? ["200", "304"] : [String(exchange.status)]))
        if exchange.status != 304, !exchange.mediaType.isEmpty, exchange.mediaType != "x-unknown",
            exchange.responseBody?.isEmpty == false
        {
            inference.checks.append(
                .matches(.header("Content-Type"), ImportedMatcher(.startsWith, .literal(exchange.mediaType))))
        }
        if let json { inference.add(json, NormalizedPath(), name: "") }
        return inference.checks
    }

    /// Returns the expectations on a message of a WebSocket.
    ///
    /// - Parameters:
    ///   - json: The value of an object or array in JSON; nil for any other text.
    ///   - known: As for a response.
    static func checks(
        forMessage text: String, json: JSONValue?, known: @escaping (String) -> String?
    ) -> [ImportedCheck] {
        var inference = ExpectationInference(known: known)
        if let json {
            inference.add(json, NormalizedPath(), name: "")
        } else if let expression = known(text) {
            inference.checks = [.matches(.body, ImportedMatcher(equals: .expression(expression)))]
        } else if let matcher = VolatileValues.matcher(for: .string(text), named: "") {
            inference.checks = [.matches(.body, matcher)]
        } else if text.utf8.count <= maximumLength {
            inference.checks = [.matches(.body, ImportedMatcher(equals: .literal(text)))]
        }
        return inference.checks
    }

    private init(known: @escaping (String) -> String?) { self.known = known }

    private mutating func add(_ value: JSONValue, _ path: NormalizedPath, name: String) {
        guard checks.count < Self.maximumCount + 2 else { return }
        switch value {
        case .object(let object):
            guard path.steps.count < Self.maximumDepth, !object.isEmpty else {
                return check(path, ImportedMatcher(.type, "object"))
            }
            for (key, value) in object { add(value, path.appending(.name(key)), name: key) }
        case .array(let elements):
            // The number of elements and their values depend on the data.
            let matcher = ImportedMatcher(.type, "array")
            check(path, elements.isEmpty ? matcher : matcher.and(.empty, false))
        case .string(let text):
            if let expression = known(text) {
                check(path, ImportedMatcher(equals: .expression(expression)))
            } else if let matcher = VolatileValues.matcher(for: value, named: name) {
                check(path, matcher)
            } else if text.utf8.count > Self.maximumLength {
                check(path, ImportedMatcher(.type, "string"))
            } else {
                check(path, ImportedMatcher(equals: ImportedValue(value)))
            }
        case .number(let number):
            if VolatileValues.isIdentifier(name), let expression = known(number.literal) {
                check(path, ImportedMatcher(equals: .expression(expression)))
            } else {
                check(
                    path,
                    VolatileValues.matcher(for: value, named: name) ?? ImportedMatcher(equals: ImportedValue(value)))
            }
        case .bool, .null: check(path, ImportedMatcher(equals: ImportedValue(value)))
        }
    }

    private mutating func check(_ path: NormalizedPath, _ matcher: ImportedMatcher) {
        checks.append(.matches(.json(ImportedText(path.shorthand)), matcher))
    }
}
