import JSON
import RegularExpressions

/// What a function can use while it runs.
struct CallState {
    var meter: Meter
    let context: CELContext
    private var patterns: [String: RegularExpression] = [:]

    /// How many patterns that are no constants are kept compiled.
    private static let keptPatterns = 16

    init(meter: Meter, context: CELContext) {
        self.meter = meter
        self.context = context
    }

    /// A string result, whose size is counted.
    mutating func made(_ text: String) throws(CELFailure) -> CELValue {
        try meter.allocate(text.utf8.count)
        return .string(text)
    }

    /// A bytes result, whose size is counted.
    mutating func made(_ bytes: [UInt8]) throws(CELFailure) -> CELValue {
        try meter.allocate(bytes.count)
        return .bytes(bytes)
    }

    /// The JSON of a value, whose elements count when it has to be made; nil when there is none.
    mutating func json(_ value: CELValue) throws(CELFailure) -> JSONValue? {
        var left = CELLimits.jsonElements
        let json = value.json(&left)
        try meter.step(CELLimits.jsonElements - max(0, left))
        return json
    }

    /// A pattern compiled, kept for the next time within this evaluation.
    mutating func pattern(_ source: String) throws(CELFailure) -> RegularExpression {
        if let known = patterns[source], known.pattern.utf8.elementsEqual(source.utf8) { return known }
        try meter.step(source.utf8.count)
        if patterns.count >= Self.keptPatterns { patterns.removeAll() }
        do throws(RegularExpressionError) {
            let pattern = try RegularExpression(source, dialect: .re2)
            patterns[source] = pattern
            return pattern
        } catch {
            throw .message("invalid regular expression: \(error.message)")
        }
    }

    /// Counts going through a text.
    mutating func scan(_ text: String) throws(CELFailure) {
        try meter.step(text.utf8.count >> 5)
    }
}
