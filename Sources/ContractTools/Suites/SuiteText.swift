import JSON
import OpenAPI
import YAML

/// A node of a generated suite.
enum SuiteNode: Hashable {
    /// A string in which `${…}` is an expression.
    case text(String)
    /// A number, a Boolean, or `null`, as written.
    case plain(String)
    case members(SuiteMap)
    case list([SuiteNode])

    /// Returns a mapping of the entries.
    static func map(_ entries: [(String, SuiteNode)]) -> SuiteNode { .members(SuiteMap(entries: entries)) }

    /// Creates a node from a JSON value. Its strings contain no expressions.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .plain("null")
        case .bool(let value): self = .plain(value ? "true" : "false")
        case .number(let number): self = .plain(number.literal)
        case .string(let text): self = .text(Self.escaped(text))
        case .array(let elements): self = .list(elements.map { SuiteNode($0) })
        case .object(let object): self = .map(object.map { ($0.key, SuiteNode($0.value)) })
        }
    }

    /// Returns a string with escaped expressions.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        var result = ""
        var isAfterDollar = false
        for scalar in text.unicodeScalars {
            // `$${` is the escape for `${`.
            if isAfterDollar, scalar == "{" { result += "$" }
            isAfterDollar = scalar == "$"
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}

/// A mapping in a generated suite.
///
/// Keys and values are stored separately, because the compiler rejects a type that contains itself through a tuple.
struct SuiteMap: Hashable {
    private let keys: [String]
    private let values: [SuiteNode]

    /// Creates a mapping of keys and values, in order.
    init(entries: [(String, SuiteNode)]) {
        keys = entries.map(\.0)
        values = entries.map(\.1)
    }

    /// The keys with their values, in order.
    var entries: [(String, SuiteNode)] { Array(zip(keys, values)) }
}

/// A writer of suites as YAML. Short mappings use flow style, and all others use block style.
struct SuiteTextWriter {
    private var writer = YAMLWriter(Self.style)

    /// The text written so far.
    var text: String { writer.text }

    /// Creates an empty writer.
    init() {}

    /// Writes a top-level mapping with a blank line before each entry in `separated`.
    mutating func write(_ entries: [(String, SuiteNode)], separated: Set<String>) {
        for (position, entry) in entries.enumerated() {
            if position > 0, separated.contains(entry.0) { writer.write(verbatim: "\n") }
            if entry.0 == "tests", case .list(let tests) = entry.1 {
                writer.write(verbatim: "tests:\n")
                for (number, test) in tests.enumerated() {
                    if number > 0 { writer.write(verbatim: "\n") }
                    writer.writeElement(test.output, indentation: 2)
                }
            } else {
                writer.writeEntry(.text(entry.0), entry.1.output, indentation: 0)
            }
        }
    }

    private static let style = {
        var style = YAMLWriter.Style()
        // Each test starts on its own line.
        style.hasShortElements = { $0 > 2 }
        // Some mappings are more readable in block style even if they are short.
        style.isOpen = { key, entries in
            ["environments", "variables", "defaults"].contains(key) || (key == "request" && entries.count > 3)
                || (key == "expect" && entries.contains { if case .text("headers") = $0.key { true } else { false } })
        }
        return style
    }()
}

extension SuiteNode {
    /// The node as YAML output.
    fileprivate var output: YAMLOutput {
        switch self {
        case .text(let text): .text(text)
        case .plain(let text): .plain(text)
        case .members(let map): .mapping(map.entries.map { (.text($0.0), $0.1.output) })
        case .list(let elements): .sequence(elements.map(\.output))
        }
    }
}
