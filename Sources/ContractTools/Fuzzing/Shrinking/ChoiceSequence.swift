import Basics
import JSON

/// The choices that lead to a request. A smaller choice is a simpler one.
///
/// A container chooses the number of its entries, a string its length and its characters, a number its decimals, its
/// magnitude and its sign, and a value of an enumeration its position there.
struct ChoiceSequence: Comparable {
    private(set) var choices: [UInt128] = []

    /// Creates the choices of a request.
    ///
    /// - Parameter allowed: Returns the values to which the description restricts the one at a place, if it does.
    init(_ request: RequestParts, allowed: (RequestPlace) -> [JSONValue]?) {
        for part in RequestPart.allCases { add(request[part], RequestPlace(part: part), allowed) }
    }

    private mutating func add(_ node: SuiteNode, _ place: RequestPlace, _ allowed: (RequestPlace) -> [JSONValue]?) {
        guard let scalar = ScalarChoice(node, place.part) else {
            choices.append(UInt128(node.children.count))
            for (index, child) in node.children.enumerated() { add(child, place.inside(index), allowed) }
            return
        }
        if let position = allowed(place)?.firstIndex(of: scalar.json) {
            choices.append(UInt128(position))
        } else {
            choices += scalar.choices
        }
    }

    /// Returns whether a sequence is shorter than another one, or as long with a smaller choice at the first difference.
    static func < (left: ChoiceSequence, right: ChoiceSequence) -> Bool {
        left.choices.count == right.choices.count
            ? left.choices.lexicographicallyPrecedes(right.choices) : left.choices.count < right.choices.count
    }
}

/// A scalar of a request that can become simpler.
enum ScalarChoice: Equatable {
    case text(String)
    case number(JSONNumber)
    case flag(Bool)

    /// Reads a node, or returns `nil` if it is a container, `null`, or depends on a variable.
    init?(_ node: SuiteNode, _ part: RequestPart) {
        switch node {
        case .members, .list: return nil
        case .plain("true"): self = .flag(true)
        case .plain("false"): self = .flag(false)
        case .plain(let literal):
            guard let number = JSONNumber(literal: literal) else { return nil }
            self = .number(number)
        case .text(let text):
            guard let plain = SuiteNode.unescaped(text) else { return nil }
            guard part == .path else {
                self = .text(plain)
                return
            }
            let decoded = PercentEncoding.decode(plain)
            let isNumber = decoded.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
            self = isNumber ? JSONNumber(literal: decoded).map { .number($0) } ?? .text(decoded) : .text(decoded)
        }
    }

    /// Returns the node of a request.
    func node(_ part: RequestPart) -> SuiteNode {
        guard part != .path else {
            return .text(SuiteNode.escaped(PercentEncoding.encode(json.stringValue ?? json.serialized())))
        }
        return SuiteNode(json)
    }

    var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .number(number)
        case .flag(let flag): .bool(flag)
        }
    }

    /// The value in words.
    var words: String {
        switch self {
        case .text(let text):
            switch text.unicodeScalars.count {
            case 0: "an empty string"
            case 1: "one character"
            case let count: "\(count) characters"
            }
        case .number(let number): number.literal
        case .flag(let flag): "\(flag)"
        }
    }

    /// The choices that lead to the value.
    var choices: [UInt128] {
        switch self {
        case .flag(let flag): [flag ? 1 : 0]
        case .text(let text): [UInt128(text.unicodeScalars.count)] + text.unicodeScalars.map(Self.rank)
        case .number(let number):
            if let decimal = ScaledDecimal(number) {
                [UInt128(decimal.scale), decimal.units.magnitude, decimal.units < 0 ? 1 : 0]
            } else {
                // Numbers with many digits are less simple than any other.
                [UInt128(UInt64.max), UInt128(number.literal.utf8.count), number.isNegative ? 1 : 0]
            }
        }
    }

    /// The characters that all others are replaced by.
    static let simplest: [Unicode.Scalar] = ["a", "0"]

    private static func rank(_ scalar: Unicode.Scalar) -> UInt128 {
        UInt128(simplest.firstIndex(of: scalar) ?? simplest.count + Int(scalar.value))
    }
}
