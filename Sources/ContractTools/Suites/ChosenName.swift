import JSON
import OpenAPI
import Synchronization

/// The name of a resource that a client chooses, which the following requests have in their paths.
///
/// Each execution of a request chooses another name, because a server accepts each name only once.
struct ChosenName {
    private static let longestSuffix = 12

    /// The variable with the name.
    var variable: String
    /// The name that the description suggests.
    let value: JSONValue
    /// The member of the JSON body with the name, or `nil` if the path has it.
    let member: String?
    /// A closure that returns whether the request and all paths may have another name.
    let isAllowed: (JSONValue) -> Bool

    /// The first number that descriptions seldom use as an example.
    private static let firstNumber = 1_000_000

    /// Returns another name.
    ///
    /// - Parameter number: The number of the name among those of the run.
    func fresh(_ number: ChosenNumber) -> SuiteNode {
        let other: JSONValue
        switch value {
        case .string(let text): other = .string("\(text)-\(number.text)")
        case .number: other = .number(JSONNumber(Self.firstNumber + number.integer))
        case .null, .bool, .array, .object: return SuiteNode(value)
        }
        return SuiteNode(isAllowed(other) ? other : value)
    }

    /// The name as an expression whose value differs in each run of a suite.
    var random: SuiteNode {
        switch value {
        case .string(let text):
            let longest = text + "-" + String(repeating: "x", count: Self.longestSuffix)
            guard isAllowed(.string(longest)) else { break }
            return .text(SuiteNode.escaped(text) + "-${randomString(\(Self.longestSuffix))}")
        case .number:
            let (low, high) = (Self.firstNumber, 10 * Self.firstNumber)
            guard isAllowed(.number(JSONNumber(low))), isAllowed(.number(JSONNumber(high))) else { break }
            return .text("${random(\(low), \(high))}")
        case .null, .bool, .array, .object: break
        }
        return SuiteNode(value)
    }
}

/// The number of a chosen name, which is unique among the names of a run, and seldom occurs in runs with other seeds.
struct ChosenNumber {
    private static let seeds: UInt64 = 1_000
    private static let names = 10_000

    let seed: UInt64
    let count: Int

    /// The number as a part of a string.
    var text: String { "\(String(seed % (36 * 36 * 36), radix: 36))-\(count)" }

    /// The number as an integer.
    var integer: Int { Int(seed % Self.seeds) * Self.names + count % Self.names }
}

/// A source of numbers for chosen names, which all requests of a run share.
final class ChosenNumbers: Sendable {
    private let seed: UInt64
    private let count = Atomic(0)

    init(seed: UInt64) { self.seed = seed }

    /// Returns the next number.
    func next() -> ChosenNumber {
        ChosenNumber(seed: seed, count: count.add(1, ordering: .relaxed).newValue)
    }
}

extension RequestParts {
    /// Replaces a member of the JSON body if it has a value.
    mutating func replace(_ member: String, _ value: JSONValue, with node: SuiteNode) {
        guard let body, body.key == "json", case .members(let map) = body.node else { return }
        let original = "\(SuiteNode(value))"
        let entries = map.entries.map { entry in
            entry.0 == member && "\(entry.1)" == original ? (entry.0, node) : entry
        }
        self.body = (body.key, .map(entries))
    }
}
