import Basics
import JSON
import Testing

@testable import ContractTools

@Suite("Smaller requests")
struct RequestReductionTests {
    private static func request(_ body: JSONValue, query: [(String, SuiteNode)] = []) -> RequestParts {
        var request = RequestParts(method: "POST", path: "/orders/9999/x")
        request.query = query
        request.body = ("json", SuiteNode(body))
        return request
    }

    /// Reduces a request while a condition holds, and counts the attempts.
    private static func reduced(
        _ request: RequestParts, _ limits: RequestReduction.Limits = RequestReduction.Limits(),
        while isEnough: @escaping (RequestParts) -> Bool
    ) async -> (reduction: RequestReduction, attempts: Int) {
        var attempts = 0
        var reduction = RequestReduction(request, limits) { candidates in
            attempts += candidates.count
            return candidates.firstIndex(where: isEnough)
        }
        await reduction.reduce()
        return (reduction, attempts)
    }

    private static func body(_ request: RequestParts) -> JSONValue { request.body?.node.json ?? .null }

    @Test("Characters are replaced by simpler ones, several in a batch")
    func characterBatches() async {
        let token = "the-token-of-a-listing-with-50-characters-at-least"
        for needed in [Set(0..<token.count), Set([3, 17])] {
            var batches = 0
            let characters = Array(token)
            var reduction = RequestReduction(Self.request(["token": .string(token)]), .init()) { candidates in
                batches += 1
                return candidates.firstIndex { candidate in
                    let text = Array(Self.body(candidate)["token"]?.stringValue ?? "")
                    return text.count == characters.count && needed.allSatisfy { text[$0] == characters[$0] }
                }
            }
            await reduction.reduce()
            let expected = characters.enumerated().map { needed.contains($0) || $1 == "0" ? $1 : "a" }
            #expect(Self.body(reduction.request)["token"]?.stringValue == String(expected))
            // One attempt for each character would be 45.
            if needed.count > 2 { #expect(batches < 30, "\(batches)") }
        }
    }

    // MARK: Boundaries

    private static let order: JSONValue = [
        "quantity": 2_147_483_648, "title": .string(String(repeating: "Dune ", count: 60)),
        "note": "it's here", "tags": ["a", "b", "c", "d", "e"], "gift": true, "price": -12.75,
        "address": ["city": "Oslo", "zip": "0150"], "id": "$${x}",
    ]

    @Test(
        "A fault with a threshold is reached exactly",
        arguments: [
            (#"{"quantity":101}"#, "quantity", 100), (#"{"quantity":1}"#, "quantity", 0),
            (#"{"title":"\#(String(repeating: "a", count: 41))"}"#, "title", 40),
            (#"{"title":"\#(String(repeating: "a", count: 256))"}"#, "title", 255),
            (#"{"tags":["","",""]}"#, "tags", 2), (#"{"price":-4}"#, "price", 3),
            (#"{"address":{"city":"aaa"}}"#, "address", 2),
        ])
    func thresholds(_ expected: String, _ member: String, _ threshold: Int) async throws {
        let (reduction, attempts) = await Self.reduced(Self.request(Self.order)) { request in
            switch Self.body(request)[member] {
            case .number(let number)?: JSONNumber(threshold) < number.magnitude
            case .string(let text)?: text.unicodeScalars.count > threshold
            case .array(let elements)?: elements.count > threshold
            case .object(let object)?: object["city"]?.stringValue?.count ?? 0 > threshold
            default: false
            }
        }
        #expect(Self.body(reduction.request).serialized() == expected)
        #expect(attempts < 250, "\(attempts)")
        #expect(reduction.simpler[member] != nil || reduction.simpler.keys.contains { $0.hasPrefix(member) })
    }

    @Test("Only the characters that matter remain")
    func characters() async {
        let (quoted, _) = await Self.reduced(Self.request(Self.order)) {
            Self.body($0)["note"]?.stringValue?.contains("'") ?? false
        }
        #expect(Self.body(quoted.request) == ["note": "'"])
        let (matching, _) = await Self.reduced(Self.request(["note": "X7-Quartz-81"])) { request in
            let text = Self.body(request)["note"]?.stringValue ?? ""
            return text.count { $0 == "-" } == 2 && text.utf8.count >= 5
        }
        #expect(Self.body(matching.request)["note"]?.stringValue?.count == 5, "\(matching.request.node)")
        let (escaped, _) = await Self.reduced(Self.request(Self.order)) {
            Self.body($0)["id"]?.stringValue?.contains("${") ?? false
        }
        #expect("\(escaped.request.node)" == "\(Self.request(["id": "${"]).node)")
    }

    @Test("Numbers without an exact value become as small as others")
    func largeNumbers() async {
        for literal in ["1e308", "-1e308", "9223372036854775808"] {
            let number = JSONNumber(literal: literal) ?? 0
            let (reduction, _) = await Self.reduced(Self.request(["a": .number(number)])) {
                Self.body($0)["a"].flatMap(\.numberValue).map { JSONNumber(65_535) < $0.magnitude } ?? false
            }
            #expect(Self.body(reduction.request)["a"] == .number(literal.hasPrefix("-") ? -65_536 : 65_536))
        }
    }

    @Test("Values of an enumeration become the first one that is enough")
    func enumerations() async {
        var limits = RequestReduction.Limits()
        limits.allowed = { _ in { place in place.path == [0] ? ["large", "small", "medium", "x"] : nil } }
        let (reduction, _) = await Self.reduced(Self.request(["size": "x"]), limits) {
            Self.body($0)["size"]?.stringValue?.contains("m") ?? false || Self.body($0)["size"] == "x"
        }
        #expect(Self.body(reduction.request) == ["size": "small"])
    }

    @Test("Queries, header fields and segments of paths become simpler, unless they depend on variables")
    func parts() async {
        var request = Self.request(
            [:], query: [("limit", .plain("5000")), ("q", .text("${term}")), ("x", .text("abc"))])
        request.headers = [("X-Trace", .text("abcdef")), ("Accept", .text("text/html"))]
        var limits = RequestReduction.Limits()
        limits.segments = [2: "id"]
        let (reduction, _) = await Self.reduced(request, limits) { request in
            let names = request.query.map(\.0)
            return names.contains("limit") && names.contains("q") && names.contains("x")
                && request.query[0].1.json != 0 && request.headers.count == 2
                && (Int(request.path.split(separator: "/")[1]) ?? 0) > 41
        }
        #expect(reduction.request.path == "/orders/42/x")
        let query: [(String, SuiteNode)] = [("limit", .plain("1")), ("q", .text("${term}")), ("x", .text("a"))]
        #expect("\(reduction.request.query)" == "\(query)")
        let headers: [(String, SuiteNode)] = [("X-Trace", .text("a")), ("Accept", .text("text/html"))]
        #expect("\(reduction.request.headers)" == "\(headers)")
    }

    @Test("What shows a fault without credentials keeps its header fields, and chosen names remain")
    func limits() async {
        var request = Self.request(["name": "novels-17", "floor": 3])
        request.headers = [("Authorization", .plain("null")), ("X-A", .text("abc"))]
        var limits = RequestReduction.Limits()
        limits.keepsHeaders = true
        limits.freshMember = "name"
        let (reduction, _) = await Self.reduced(request, limits) { Self.body($0)["name"] != nil }
        #expect("\(reduction.request.headers)" == "\(request.headers)")
        #expect(Self.body(reduction.request) == ["name": "novels-17"])
    }

    // MARK: Properties

    @Test("The result has no more choices than the request, is enough, and is a local minimum")
    func properties() async {
        var random = SplitMix64(seed: 5)
        for _ in 0..<200 {
            let request = Self.request(Self.value(depth: 0, using: &random))
            let leaves = Self.leaves(Self.body(request))
            let (total, longest) = (Int.random(in: 0...leaves.total, using: &random), leaves.longest)
            let needed = Int.random(in: 0...longest, using: &random)
            func isEnough(_ request: RequestParts) -> Bool {
                let leaves = Self.leaves(Self.body(request))
                return leaves.total >= total && leaves.longest >= needed
            }
            let before = RequestReduction(request, RequestReduction.Limits()) { _ in nil }.choices
            let (reduction, attempts) = await Self.reduced(request, while: isEnough)
            #expect(!(before < reduction.choices))
            #expect(isEnough(reduction.request))
            #expect(attempts < 2_000, "\(attempts)")
            // A second search finds nothing smaller.
            let (again, _) = await Self.reduced(reduction.request, while: isEnough)
            #expect(!(again.choices < reduction.choices), "\(reduction.request.node)")
        }
    }

    /// Returns the sum of the numbers and the length of the longest string of a value.
    private static func leaves(_ value: JSONValue) -> (total: Int, longest: Int) {
        switch value {
        case .null, .bool: (0, 0)
        case .number(let number): (Int(number.magnitude.int64 ?? 0), 0)
        case .string(let text): (0, text.unicodeScalars.count)
        case .array(let elements): elements.map(leaves).reduce((0, 0)) { ($0.0 + $1.total, max($0.1, $1.longest)) }
        case .object(let object):
            object.map { leaves($0.value) }.reduce((0, 0)) { ($0.0 + $1.total, max($0.1, $1.longest)) }
        }
    }

    private static func value(depth: Int, using random: inout SplitMix64) -> JSONValue {
        switch Int.random(in: depth == 0 ? 5...6 : depth < 3 ? 0...6 : 0...4, using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2, 3: return .number(JSONNumber(Int.random(in: -100_000...100_000, using: &random)))
        case 4:
            return .string(
                String(
                    repeating: ["x", "é", "7"][Int.random(in: 0...2, using: &random)],
                    count: Int.random(in: 0...30, using: &random)))
        case 5:
            return .array(
                (0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth + 1, using: &random) })
        default:
            return .object(
                JSONObject(
                    (0..<Int.random(in: 0...4, using: &random)).map {
                        ("m\($0)", value(depth: depth + 1, using: &random))
                    }))
        }
    }
}
