import Basics
import JSON

/// Reproducible random JSON values, with few names and depths, so that they overlap.
struct RandomValues {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func number(below bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    mutating func element<Element>(of elements: [Element]) -> Element { elements[number(below: elements.count)] }

    mutating func value(depth: Int = 0) -> JSONValue {
        switch number(below: depth > 3 ? 6 : 10) {
        case 0: return .null
        case 1: return .bool(number(below: 2) == 0)
        case 2: return .number(JSONNumber(number(below: 200) - 100))
        case 3:
            return .number(
                JSONNumber(literal: element(of: ["1.0", "2.5", "1e3", "0", "-7", "12345678901234567890"])) ?? 0)
        case 4, 5:
            return .string(
                element(of: [
                    "open", "closed", "IN_PROGRESS", "", "a sentence of words", "2026-11-22", "2026-11-22T03:04:05Z",
                    "0f0f2f5c-6a0e-4a58-9f0e-3f1d8f2f5c6a", "ada@example.org", "https://example.org/a?b=c", "10.0.0.1",
                    "::1", "fe80::1", "12:30", "2026-13-45", "x@y", "a:b",
                ]))
        case 6, 7:
            return .array((0..<number(below: 4)).map { _ in value(depth: depth + 1) })
        default:
            var object = JSONObject()
            for _ in 0..<number(below: 5) {
                let name = element(of: [
                    "id", "name", "items", "state", "17", "18", "19", "2026-11-22",
                    "0f0f2f5c-6a0e-4a58-9f0e-3f1d8f2f5c6a", "a b",
                ])
                object[name] = value(depth: depth + 1)
            }
            return .object(object)
        }
    }

    mutating func values(_ count: Int) -> [JSONValue] { (0..<count).map { _ in value() } }
}
