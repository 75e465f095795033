public import JSON
import RegularExpressions

/// A value that violates exactly one constraint of a schema.
public struct NegativeSample: Sendable {
    /// A constraint that the value violates.
    public enum Fault: Sendable, Hashable {
        /// A required member is missing.
        case missing
        /// The value has a different type.
        case type
        /// The value is not in the enumeration.
        case enumeration
        /// The number is out of bounds.
        case bounds
        /// The number is not a multiple of the step.
        case multiple
        /// The string is too short or too long.
        case length
        /// The string does not match a pattern or a format.
        case pattern
        /// The array or object has too few or too many elements or members.
        case count
        /// The array contains a duplicate element.
        case unique
        /// The object has a member that is not allowed.
        case additional
    }

    /// The whole value.
    public var value: JSONValue
    /// The violated constraint.
    public var fault: Fault
    /// The path to the invalid part, such as `owner.tags[0]`, or an empty string for the whole value.
    public var member: String
    /// The fault as the end of a test name: `without title`, `with a string as price`.
    public var phrase: String
}

/// The violations of a scalar's constraints, one at a time.
struct ScalarFaults {
    /// A value that violates one constraint.
    struct Entry {
        var value: JSONValue
        var fault: NegativeSample.Fault
        var phrase: String
    }

    private static let maximumExtendedLength = 10_000

    let value: JSONValue
    let facts: SchemaConstraints
    /// The path to the value.
    let member: String

    private var words: String { member.isEmpty ? "the value" : member }

    /// All violations, most relevant first.
    var all: [Entry] { listed + typed + bounded + multiple + textual }

    private func entry(_ wrong: JSONValue, _ fault: NegativeSample.Fault, _ phrase: String) -> Entry {
        Entry(value: wrong, fault: fault, phrase: phrase)
    }

    private var listed: [Entry] {
        guard facts.allowed != nil else { return [] }
        if value.stringValue != nil {
            return [entry(.string("unknown-value"), .enumeration, "with an unknown \(words)")]
        }
        guard let number = value.numberValue, let decimal = ScaledDecimal(number),
            let other = ScaledDecimal(units: decimal.units + 1_000_003, scale: decimal.scale).number
        else { return [] }
        return [entry(.number(other), .enumeration, "with an unknown \(words)")]
    }

    private var typed: [Entry] {
        if !facts.types.contains(.string) || (facts.allowed != nil && value.stringValue == nil) {
            return [entry(.string("text"), .type, "with a string as \(words)")]
        }
        if facts.types.isDisjoint(with: .number) {
            return [entry(.number(12345), .type, "with a number as \(words)")]
        }
        return []
    }

    // MARK: Numbers

    private var bounded: [Entry] {
        guard let number = value.numberValue, let present = ScaledDecimal(number) else { return [] }
        var entries: [Entry] = []
        if let lower = facts.lower, let below = beyond(lower.value, lower.isExclusive, present, sign: -1) {
            entries.append(entry(.number(below), .bounds, "with \(words) too small"))
        }
        if let upper = facts.upper, let above = beyond(upper.value, upper.isExclusive, present, sign: 1) {
            entries.append(entry(.number(above), .bounds, "with \(words) too large"))
        }
        return entries
    }

    /// Returns a number beyond a bound that still satisfies `multipleOf`.
    private func beyond(
        _ bound: ScaledDecimal, _ isExclusive: Bool, _ present: ScaledDecimal, sign: Int128
    ) -> JSONNumber? {
        guard let step = facts.steps.first, facts.steps.count == 1 else {
            if !facts.steps.isEmpty { return nil }
            // For integers, a fractional bound is already the next number.
            if !facts.types.contains(.fraction), bound.scale > 0 { return nil }
            let distance: Int128 = isExclusive && bound.scale == 0 ? 0 : 1
            return ScaledDecimal(units: bound.units + sign * distance, scale: bound.scale).number
        }
        let scale = max(bound.scale, present.scale, step.scale)
        guard let limit = bound.units(at: scale), let units = present.units(at: scale),
            let width = step.units(at: scale), width > 0
        else { return nil }
        let count = (limit - units).magnitude / width.magnitude + 1
        guard let steps = Int128(exactly: count) else { return nil }
        let (distance, overflow) = steps.multipliedReportingOverflow(by: width)
        return overflow ? nil : ScaledDecimal(units: units + sign * distance, scale: scale).number
    }

    private var multiple: [Entry] {
        guard let step = facts.steps.first, let number = value.numberValue, let present = ScaledDecimal(number) else {
            return []
        }
        let scale = facts.types.contains(.fraction) ? max(present.scale, step.scale) + 1 : 0
        guard let units = present.units(at: scale) else { return [] }
        // The wrong number stays within the bounds.
        let isAtTop = facts.upper.map { !(present < $0.value) } ?? false
        guard let wrong = ScaledDecimal(units: units + (isAtTop ? -1 : 1), scale: scale).number else { return [] }
        return [
            entry(.number(wrong), .multiple, "with \(words) not a multiple of \(step.number?.literal ?? "its step")")
        ]
    }

    // MARK: Strings

    private var textual: [Entry] {
        guard let text = value.stringValue, facts.allowed == nil else { return [] }
        var entries: [Entry] = []
        if facts.minimumLength == 1 {
            entries.append(entry(.string(""), .length, "with an empty \(words)"))
        } else if facts.minimumLength > 1 {
            let cut = String(String.UnicodeScalarView(text.unicodeScalars.prefix(facts.minimumLength - 1)))
            let short = matching(text, facts.minimumLength - 1) ?? cut
            entries.append(entry(.string(short), .length, "with \(words) too short"))
        }
        if let maximumLength = facts.maximumLength, maximumLength < Self.maximumExtendedLength {
            let extended =
                matching(text, maximumLength + 1) ?? SampleWords.fitted(text, (maximumLength + 1)...(maximumLength + 1))
            entries.append(entry(.string(extended), .length, "with \(words) too long"))
        }
        if !facts.patterns.isEmpty || facts.format != nil {
            let lengths = facts.minimumLength...max(facts.minimumLength, facts.maximumLength ?? .max)
            let candidates = ["not \(text)", "?", String(repeating: "?", count: min(facts.minimumLength, 300))]
            let wrong = candidates.first { lengths.contains($0.unicodeScalars.count) } ?? candidates[0]
            entries.append(entry(.string(wrong), .pattern, "with \(words) in the wrong format"))
        }
        return entries
    }

    /// Returns the string with a different length that still matches the patterns, so that only the length is wrong.
    private func matching(_ text: String, _ length: Int) -> String? {
        guard !facts.patterns.isEmpty else { return nil }
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.first, let last = scalars.last else { return nil }
        let middle = scalars.count / 2
        let more = max(0, length - scalars.count)
        let candidates = [
            scalars.prefix(length) + Array(repeating: last, count: more),
            Array(repeating: first, count: more) + scalars.suffix(length),
            scalars.prefix(min(middle, length)) + Array(repeating: scalars[middle], count: more)
                + scalars.suffix(max(0, length - more - middle)),
        ]
        let expressions = facts.patterns.compactMap { try? RegularExpression($0, dialect: .ecmaScript) }
        guard expressions.count == facts.patterns.count else { return nil }
        return candidates.lazy.map { String(String.UnicodeScalarView($0)) }.first { candidate in
            candidate.unicodeScalars.count == length
                && expressions.allSatisfy { (try? $0.matches(candidate)) ?? false }
        }
    }
}
