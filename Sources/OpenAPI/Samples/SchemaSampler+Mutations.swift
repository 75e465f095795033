public import JSON

/// A value with one part replaced by one that programs often handle wrongly.
public struct MutatedSample: Sendable {
    /// The whole value.
    public var value: JSONValue
    /// Whether the value is valid against the schema.
    public var isValid: Bool
    /// The replaced part as the end of a test name: `with an empty title`.
    public var phrase: String
}

extension SchemaSampler {
    /// Returns a value with one random part replaced by a part of the same type that programs often handle wrongly.
    ///
    /// - Parameters:
    ///   - value: A value that is valid against the schema.
    ///   - name: The name of the value.
    ///   - kinds: The kinds of parts that are replaced: strings, numbers, or both.
    package func mutation(
        of value: JSONValue, _ schema: DescriptionNode, name: String = "",
        kinds: SampleVariety = [.texts, .numbers], using random: inout some RandomNumberGenerator
    ) -> MutatedSample? {
        var leaves: [(path: [String], value: JSONValue)] = []
        value.collectLeaves([], &leaves)
        leaves.removeAll { !kinds.contains($0.value.stringValue == nil ? .numbers : .texts) }
        guard let leaf = leaves.randomElement(using: &random) else { return nil }
        let part: JSONValue
        let phrase: String
        let noun = leaf.path.isEmpty ? (name.isEmpty ? "the value" : name) : leaf.path.joined(separator: ".")
        switch leaf.value {
        case .string:
            guard let entry = AwkwardValues.texts.randomElement(using: &random) else { return nil }
            (part, phrase) = (.string(entry.text), "with \(entry.words) as \(noun)")
        case .number:
            guard let literal = AwkwardValues.numbers.randomElement(using: &random),
                let number = JSONNumber(literal: literal)
            else { return nil }
            (part, phrase) = (.number(number), "with \(literal) as \(noun)")
        case .bool, .null, .array, .object: return nil
        }
        let changed = value.replacing(leaf.path[...], with: part)
        guard changed != value, let isValid = validators.isValid(changed, schema) else { return nil }
        return MutatedSample(value: changed, isValid: isValid, phrase: phrase)
    }
}

extension SchemaSampler {
    /// Returns the values of the same type as a scalar that programs often handle wrongly and that a schema accepts. The
    /// most revealing ones come first.
    ///
    /// - Parameter name: The name of the value.
    public func awkwardValues(like value: JSONValue, _ schema: DescriptionNode, name: String) -> [MutatedSample] {
        let samples: [(JSONValue, String)]
        switch value {
        case .string: samples = AwkwardValues.texts.map { (.string($0.text), "with \($0.words) as \(name)") }
        case .number:
            samples = AwkwardValues.numbers.compactMap { literal in
                JSONNumber(literal: literal).map { (.number($0), "with \(literal) as \(name)") }
            }
        case .bool, .null, .array, .object: samples = []
        }
        return samples.filter { $0.0 != value && validators.isValid($0.0, schema) == true }.map {
            MutatedSample(value: $0.0, isValid: true, phrase: $0.1)
        }
    }
}

extension JSONValue {
    private static let maximumDepth = 16
    private static let maximumLeaves = 1_000

    /// Collects the scalars with their paths.
    fileprivate func collectLeaves(_ path: [String], _ leaves: inout [(path: [String], value: JSONValue)]) {
        guard path.count < Self.maximumDepth, leaves.count < Self.maximumLeaves else { return }
        switch self {
        case .null, .bool: break
        case .number, .string: leaves.append((path, self))
        case .array(let elements):
            for (index, element) in elements.enumerated() { element.collectLeaves(path + ["\(index)"], &leaves) }
        case .object(let object):
            for (name, member) in object { member.collectLeaves(path + [name], &leaves) }
        }
    }
}

/// Values that programs often handle wrongly.
enum AwkwardValues {
    /// Strings, each with words that describe it.
    static let texts: [(text: String, words: String)] = [
        ("'", "a quotation mark"), ("a/b", "a slash"), ("\u{0}", "a null character"), ("\u{1F600}", "an emoji"),
        (String(repeating: "a", count: 256), "256 characters"), ("%", "a percent sign"), ("-1", "\"-1\""),
        (" ", "a space"), ("", "an empty string"), ("\t", "a tab"), ("a\nb", "a line break"), ("null", "\"null\""),
        ("true", "\"true\""), ("0", "\"0\""), ("NaN", "\"NaN\""), ("1e400", "\"1e400\""),
        ("undefined", "\"undefined\""), ("\"", "a double quotation mark"), ("\\", "a backslash"),
        ("' OR '1'='1", "an SQL condition"), ("a%00b", "\"%00\""), ("<b>x</b>", "markup"),
        ("../../../etc/passwd", "a path outside"), ("a..b", "two dots"), ("{{7*7}}", "a template"),
        ("${7*7}", "an expression"), ("; true", "a semicolon"), ("?a=b#c", "the delimiters of a URL"),
        ("[]", "an empty array as a string"), ("{}", "an empty object as a string"), ("\u{E9}", "an accent"),
        ("e\u{301}", "a combining accent"), ("\u{202E}abc", "a direction mark"),
        ("\u{FEFF}a", "a byte order mark"), ("\u{1}", "a control character"), ("2024-02-30", "an impossible date"),
        ("9999-12-31T23:59:60Z", "a leap second"), ("http://[::1", "a malformed URL"),
        (String(repeating: "a", count: 5_000), "5000 characters"),
    ]

    /// The literals of numbers.
    static let numbers = [
        "0", "-1", "2147483648", "9223372036854775808", "4294967296", "-9223372036854775809", "9007199254740993",
        "65536", "-0.0", "1", "127", "128", "255", "256", "32768", "2147483647", "-2147483649", "9223372036854775807",
        "0.1", "1e-7", "1e21", "1e308", "1e-320",
    ]
}
