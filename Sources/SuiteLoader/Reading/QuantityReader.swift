public import Basics
import CEL
import JSON
import SuiteModel
import YAML

/// Parses durations such as `1m30s` and sizes such as `64KB`.
enum QuantityReader {
    /// An error that reports an invalid quantity.
    struct Problem: Error {
        /// The description of the error: one sentence without a final period.
        var message: MessageText
        /// The suggested replacement.
        var suggestion: MessageText?
    }

    private struct Unit {
        let name: String
        let factor: Int64
    }

    private static let durationUnits = [
        Unit(name: "ns", factor: 1), Unit(name: "us", factor: 1000), Unit(name: "ms", factor: 1_000_000),
        Unit(name: "s", factor: 1_000_000_000), Unit(name: "m", factor: 60_000_000_000),
        Unit(name: "h", factor: 3_600_000_000_000), Unit(name: "d", factor: 86_400_000_000_000),
    ]

    private static let sizeUnits = [
        Unit(name: "B", factor: 1), Unit(name: "KB", factor: 1000), Unit(name: "MB", factor: 1_000_000),
        Unit(name: "GB", factor: 1_000_000_000), Unit(name: "TB", factor: 1_000_000_000_000),
        Unit(name: "KiB", factor: 1 << 10), Unit(name: "MiB", factor: 1 << 20), Unit(name: "GiB", factor: 1 << 30),
        Unit(name: "TiB", factor: 1 << 40),
    ]

    /// Parses a duration and returns nanoseconds.
    ///
    /// - Throws: ``Problem`` if the text is not a duration.
    static func duration(_ text: String) throws(Problem) -> Int64 {
        try read(text, units: durationUnits, allowsSeveral: true, noun: "duration", example: "250ms, 2s or 1m30s")
    }

    /// Parses a size and returns bytes.
    ///
    /// - Throws: ``Problem`` if the text is not a size.
    static func size(_ text: String) throws(Problem) -> Int64 {
        try read(text, units: sizeUnits, allowsSeveral: false, noun: "size", example: "500B, 64KB or 5MiB")
    }

    private static func read(
        _ text: String, units: [Unit], allowsSeveral: Bool, noun: String, example: String
    ) throws(Problem) -> Int64 {
        let bytes = Array(text.utf8)
        var index = 0
        var total: Int64 = 0
        var parts = 0
        while index < bytes.count {
            let amount = allowsSeveral || parts == 0 ? number(bytes, &index) : nil
            let start = index
            while index < bytes.count, isLetter(bytes[index]) { index += 1 }
            let name = String(decoding: bytes[start..<index], as: UTF8.self)
            guard let amount, let unit = units.first(where: { $0.name == name }) else {
                throw QuantitySpelling(text, units: units.map(\.name), isSize: noun == "size", example: example).problem
            }
            guard let value = amount.times(unit.factor), !total.addingReportingOverflow(value).overflow else {
                throw Problem(message: "\"\(text)\" is too large for a \(noun)")
            }
            total += value
            parts += 1
        }
        if parts == 0 {
            throw Problem(message: "\"\(text)\" is not a \(noun)", suggestion: "for example, write \(example)")
        }
        return total
    }

    /// Returns whether a byte is an ASCII letter.
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }

    /// A decimal number: `digits` divided by `scale`, which is a power of ten.
    private struct Amount {
        var digits: UInt64
        var scale: UInt64

        /// Returns the product with a factor, rounded down; nil if it is too large.
        func times(_ factor: Int64) -> Int64? {
            let product = digits.multipliedFullWidth(by: factor.magnitude)
            guard product.high < scale else { return nil }
            return Int64(exactly: scale.dividingFullWidth(product).quotient)
        }
    }

    private static func number(_ bytes: [UInt8], _ index: inout Int) -> Amount? {
        var amount = Amount(digits: 0, scale: 1)
        var isFraction = false
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "."), !isFraction, index > start {
                isFraction = true
            } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                let (tens, overflow) = amount.digits.multipliedReportingOverflow(by: 10)
                let (digits, second) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
                if overflow || second { return nil }
                if isFraction {
                    guard amount.scale < 1_000_000_000_000_000 else { return nil }
                    amount.scale *= 10
                }
                amount.digits = digits
            } else {
                break
            }
            index += 1
        }
        if index == start || bytes[index - 1] == UInt8(ascii: ".") { return nil }
        return amount
    }
}

extension LoadContext {
    /// Returns a duration in nanoseconds, or an expression for one; reports an error and returns nil if it is invalid.
    ///
    /// - Parameters:
    ///   - key: The key of the duration.
    ///   - isPositive: Whether the duration must be greater than 0.
    ///   - templates: The reader of expressions; nil for expressions that are evaluated before the exchange.
    func duration(
        _ node: YAMLNode, _ key: YAMLNode, isPositive: Bool = false, _ templates: TemplateReader? = nil
    ) -> Templated<Int64>? {
        let name = key.scalar?.text ?? ""
        guard let template = expression(node, templates) else {
            guard let duration = duration(node) else { return nil }
            if duration > 0 || !isPositive { return .constant(duration) }
            report("invalid-duration", "\"\(name)\" must be greater than 0", node.range)
            return nil
        }
        return setting(template, node, id: "invalid-duration") { value throws(InvalidSetting) in
            let duration: Int64
            switch value {
            case .duration(let value): duration = value.nanoseconds
            case .string(let text):
                duration = try Self.quantity(
                    text, of: name, example: "a duration such as 250ms or 2s", read: QuantityReader.duration)
            default: throw InvalidSetting("\"\(name)\" must be a duration such as 250ms or 2s", got: value)
            }
            if duration > 0 || duration == 0 && !isPositive { return duration }
            throw InvalidSetting("\"\(name)\" must be \(isPositive ? "greater than" : "at least") 0", got: value)
        }
    }

    /// Returns a size in bytes, which may be an expression; reports an error and returns nil if it is invalid.
    func size(_ node: YAMLNode, _ key: YAMLNode) -> Templated<Int64>? {
        guard let template = expression(node) else { return size(node).map(Templated.constant) }
        let name = key.scalar?.text ?? ""
        return setting(template, node, id: "invalid-size") { value throws(InvalidSetting) in
            guard case .string(let text) = value else {
                throw InvalidSetting("\"\(name)\" must be a size such as 64KB or 5MiB", got: value)
            }
            return try Self.quantity(
                text, of: name, example: "a size such as 64KB or 5MiB", read: QuantityReader.size)
        }
    }

    /// Returns an integer in a range, which may be an expression; reports an error and returns nil if it is invalid.
    ///
    /// - Parameters:
    ///   - name: The name of the setting.
    ///   - id: The id of errors.
    func count(
        _ node: YAMLNode, named name: String, _ range: ClosedRange<Int>, id: String = "invalid-count"
    ) -> Templated<Int>? {
        let requirement: MessageText = "\"\(name)\" must be an integer from \(range.lowerBound) to \(range.upperBound)"
        guard let template = expression(node) else {
            if let count = node.scalar?.value.numberValue?.int64, let count = Int(exactly: count), range.contains(count)
            {
                return .constant(count)
            }
            if node.form == .string {
                report("wrong-type", "\"\(name)\" must be an integer, got \(node.typeDescription)", node.range)
            } else {
                report(id, requirement, node.range)
            }
            return nil
        }
        return setting(template, node, id: id) { value throws(InvalidSetting) in
            if let count = value.json?.numberValue?.int64, let count = Int(exactly: count), range.contains(count) {
                return count
            }
            var problem = InvalidSetting(requirement, got: value)
            if case .string(let text) = value, Int(text) != nil { problem.message += "; convert it with int(…)" }
            throw problem
        }
    }

    /// Returns the template of a scalar with expressions; nil for any other node.
    func expression(_ node: YAMLNode, _ templates: TemplateReader? = nil) -> Template? {
        guard node.scalar?.isString == true, ExpressionScan.mayHoldExpression(node) else { return nil }
        let template = (templates ?? TemplateReader(self)).template(node)
        return template.constantText == nil ? template : nil
    }

    /// Returns a setting whose value is that of a template; reports an error and returns nil if the value is known and
    /// not allowed.
    func setting<Value: Sendable>(
        _ template: Template, _ node: YAMLNode, id: String,
        convert: @escaping @Sendable (CELValue) throws(InvalidSetting) -> Value
    ) -> Templated<Value>? {
        if case .joined(let parts) = template, parts.isEmpty { return nil }
        guard case .expression(let embedded) = template, let value = embedded.expression.constantValue else {
            return Templated(template, range: node.range, convert: convert)
        }
        do {
            return .constant(try convert(value))
        } catch {
            report(id, error.message, embedded.range)
            return nil
        }
    }

    private static func quantity(
        _ text: String, of name: String, example: String,
        read: (String) throws(QuantityReader.Problem) -> Int64
    ) throws(InvalidSetting) -> Int64 {
        do {
            return try read(text)
        } catch {
            throw InvalidSetting("\"\(name)\" must be \(example)", got: .string(text))
        }
    }

    /// Returns a duration in nanoseconds; reports an error and returns nil if it is invalid.
    func duration(_ node: YAMLNode) -> Int64? {
        quantity(node, noun: "duration", unit: "s", read: QuantityReader.duration)
    }

    /// Returns a size in bytes; reports an error and returns nil if it is invalid.
    func size(_ node: YAMLNode) -> Int64? {
        quantity(node, noun: "size", unit: "KB", read: QuantityReader.size)
    }

    private func quantity(
        _ node: YAMLNode, noun: String, unit: String,
        read: (String) throws(QuantityReader.Problem) -> Int64
    ) -> Int64? {
        guard let scalar = node.scalar else {
            reportType(node, expected: "a \(noun)")
            return nil
        }
        switch NodeForms(of: scalar) {
        case .number:
            report(
                "invalid-\(noun)", "a \(noun) needs a unit", node.range,
                suggestion: "for example, write \"\(scalar.text)\(unit)\"")
            return nil
        case .string: break
        default:
            reportType(node, expected: "a \(noun)")
            return nil
        }
        do {
            return try read(scalar.text)
        } catch {
            report("invalid-\(noun)", error.message, node.range, suggestion: error.suggestion)
            return nil
        }
    }
}

/// Explains why a string is not a valid duration or size.
struct QuantitySpelling {
    /// A number and the word after it.
    private struct Part {
        var number: Substring
        var word: Substring
    }

    let text: String
    let units: [String]
    let isSize: Bool
    let example: String

    /// Common words for units, in lowercase.
    private static let durationWords: [String: String] = [
        "msec": "ms", "msecs": "ms", "milli": "ms", "millis": "ms", "millisecond": "ms", "milliseconds": "ms",
        "sec": "s", "secs": "s", "second": "s", "seconds": "s", "min": "m", "mins": "m", "minute": "m", "minutes": "m",
        "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "day": "d", "days": "d",
    ]
    private static let sizeWords: [String: String] = [
        "byte": "B", "bytes": "B", "k": "KB", "ko": "KB", "kilobyte": "KB", "kilobytes": "KB", "m": "MB", "mo": "MB",
        "megabyte": "MB", "megabytes": "MB", "g": "GB", "go": "GB", "gigabyte": "GB", "gigabytes": "GB", "t": "TB",
        "to": "TB", "terabyte": "TB", "terabytes": "TB", "ki": "KiB", "kibibyte": "KiB", "kibibytes": "KiB",
        "mi": "MiB",
        "mebibyte": "MiB", "mebibytes": "MiB", "gi": "GiB", "gibibyte": "GiB", "gibibytes": "GiB",
    ]

    /// Creates an explanation.
    ///
    /// - Parameters:
    ///   - text: The invalid string.
    ///   - units: The valid units.
    ///   - isSize: Whether a size was expected, and not a duration.
    ///   - example: Valid quantities.
    init(_ text: String, units: [String], isSize: Bool, example: String) {
        self.text = text
        self.units = units
        self.isSize = isSize
        self.example = example
    }

    /// The error message and the suggested replacement.
    var problem: QuantityReader.Problem {
        let noun = isSize ? "size" : "duration"
        let invalid = QuantityReader.Problem(
            message: "\"\(text)\" is not a \(noun)", suggestion: "for example, write \(example)")
        guard let parts, !parts.isEmpty, !isSize || parts.count == 1 else { return invalid }
        if let part = parts.first(where: { $0.word.isEmpty }) {
            return QuantityReader.Problem(
                message: parts.count == 1 ? "a \(noun) needs a unit" : "\"\(part.number)\" needs a unit",
                suggestion: "for example, write \"\(joined(parts, unit: isSize ? "KB" : "s"))\"")
        }
        if let word = parts.first(where: { !units.contains(String($0.word)) })?.word {
            let isKnown = parts.allSatisfy { unit(for: $0.word) != nil }
            return QuantityReader.Problem(
                message: "unknown unit \"\(word)\" of a \(noun)",
                suggestion: isKnown
                    ? "write \"\(joined(parts, unit: ""))\""
                    : "write \(units.dropLast().joined(separator: ", ")) or \(units.last ?? "")")
        }
        if text.utf8.contains(UInt8(ascii: " ")) {
            return QuantityReader.Problem(
                message: "a \(noun) must not contain spaces", suggestion: "write \"\(joined(parts, unit: ""))\"")
        }
        return invalid
    }

    /// The numbers and words of the string, without spaces; nil if there are other characters.
    private var parts: [Part]? {
        var parts: [Part] = []
        var rest = text[...]
        while true {
            rest = rest.drop { $0 == " " }
            if rest.isEmpty { return parts }
            let number = rest.prefix { $0 == "." || ("0"..."9").contains($0) }
            guard number.utf8.count <= 15, Double(number) != nil, number.last != ".", number.first != "." else {
                return nil
            }
            rest = rest[number.endIndex...].drop { $0 == " " }
            let word = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest[word.endIndex...]
            parts.append(Part(number: number, word: word))
        }
    }

    /// Returns the unit that a word denotes; nil if it is unknown.
    private func unit(for word: Substring) -> String? {
        if units.contains(String(word)) { return String(word) }
        let lower = word.lowercased()
        return units.first { $0.lowercased() == lower } ?? (isSize ? Self.sizeWords : Self.durationWords)[lower]
    }

    /// Returns the parts with the units that the words denote.
    private func joined(_ parts: [Part], unit missing: String) -> String {
        parts.map { $0.number + ($0.word.isEmpty ? missing : unit(for: $0.word) ?? String($0.word)) }.joined()
    }
}

/// Parses durations on the command line, in the same notation as in suites.
public enum DurationOption {
    /// An error that reports an invalid duration.
    public struct Failure: Error, Sendable {
        /// The description of the error and the suggested replacement: one sentence without a final period.
        public var message: MessageText

        /// Creates a failure.
        public init(message: MessageText) {
            self.message = message
        }
    }

    /// Parses a duration such as `250ms` or `1m30s` and returns nanoseconds.
    ///
    /// - Throws: ``Failure`` if the text is not a duration.
    public static func nanoseconds(_ text: String) throws(Failure) -> Int64 {
        do {
            return try QuantityReader.duration(text)
        } catch {
            throw Failure(message: error.message + (error.suggestion.map { "; \($0)" } ?? ""))
        }
    }
}
