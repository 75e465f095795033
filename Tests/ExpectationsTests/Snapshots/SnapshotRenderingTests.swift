import CEL
import Diagnostics
import JSON
import JSONPath
import RunModel
import SuiteModel
import Testing

@testable import Expectations

struct SnapshotRenderingTests {
    private static let first = "5f0c9a2b-0c5e-4b1f-9a39-1d2a3c4b5d6e"
    private static let second = "0b2d5a1c-7e7f-4c0b-8a55-6d1f2e3c4b5a"

    private func render(
        _ exchange: Exchange, ignored: [String] = [], kept: [String] = [],
        redactions: [(String, Matcher.Operator)] = [], mask: SnapshotMask? = nil, baseURL: String? = nil
    ) throws -> (snapshot: Snapshot, findings: [Finding]) {
        let expectation = SnapshotExpectation(
            ignored: try ignored.map { .constant(try JSONPath($0)) },
            kept: try kept.map { .constant(try JSONPath($0)) },
            redactions: try redactions.map {
                SnapshotExpectation.Redaction(
                    path: .constant(try JSONPath($0.0)), range: Fixture.range(2), matcher: Fixture.matcher($0.1))
            }, range: Fixture.range())
        return ExpectationChecker().snapshot(
            expectation, content: ResponseContent(exchange), scope: [:] as CELVariables, context: CELContext(),
            baseURL: baseURL, mask: mask)
    }

    private func body(of snapshot: Snapshot) -> String? {
        if case .json(let body) = snapshot.content { return body.serialized() }
        return nil
    }

    @Test func membersAreSortedAndNumberedInThatOrder() throws {
        let json = #"{"z": "\#(Self.first)", "a": {"c": "\#(Self.second)", "b": "\#(Self.first)"}, "n": 1.10}"#
        let rendered = try render(Fixture.jsonExchange(json))
        #expect(
            body(of: rendered.snapshot) == #"{"a":{"b":"<uuid 1>","c":"<uuid 2>"},"n":1.10,"z":"<uuid 1>"}"#)
        #expect(rendered.snapshot.status == 200)
        #expect(rendered.snapshot.contentType == "application/json")
    }

    @Test func namesOfMembersAreNumberedToo() throws {
        let rendered = try render(Fixture.jsonExchange(#"{"\#(Self.first)": {"id": "\#(Self.first)"}}"#))
        #expect(body(of: rendered.snapshot) == #"{"<uuid 1>":{"id":"<uuid 1>"}}"#)
    }

    @Test func namesThatChangeEachTimeDecideNoNumbers() throws {
        for (first, second) in [(Self.first, Self.second), (Self.second, Self.first)] {
            let json = #"{"z": "\#(second)", "\#(first)": {"n": 1}, "\#(second)": {"n": 2}}"#
            let rendered = try render(Fixture.jsonExchange(json))
            #expect(body(of: rendered.snapshot) == #"{"<uuid 1>":{"n":1},"<uuid 2>":{"n":2},"z":"<uuid 2>"}"#)
        }
    }

    @Test(
        arguments: [
            (["$.a"], #"{"b":[1,2,3],"c":{"d":1}}"#), (["$.b[0]", "$.b[-1]"], #"{"a":1,"b":[2],"c":{"d":1}}"#),
            (["$..d"], #"{"a":1,"b":[1,2,3],"c":{}}"#), (["$.none", "$.b[9]"], #"{"a":1,"b":[1,2,3],"c":{"d":1}}"#),
            (["$.*"], "{}"), (["$"], nil),
        ] as [([String], String?)])
    func ignoredPartsAreLeftOut(_ paths: [String], _ expected: String?) throws {
        let rendered = try render(Fixture.jsonExchange(#"{"a":1,"b":[1,2,3],"c":{"d":1}}"#), ignored: paths)
        #expect(rendered.findings.isEmpty)
        #expect(body(of: rendered.snapshot) == expected)
        if expected == nil { #expect(rendered.snapshot.content == .none) }
    }

    @Test func redactedPartsHaveTheirTypesAlone() throws {
        let rendered = try render(
            Fixture.jsonExchange(
                #"{"id": 17, "at": "soon", "list": [1, 2], "name": "x", "items": [{"n": 1}, {"n": 2}]}"#),
            redactions: [
                ("$.id", .type([.integer])), ("$.at", .type([.string, .null])),
                ("$.list", .length(Fixture.matcher(.gt(.constant(2))))),
                ("$.name", .exists(true)), ("$.items[*].n", .type([.number])), ("$.gone", .exists(false)),
            ])
        #expect(
            body(of: rendered.snapshot)
                == #"{"at":"<string>","id":"<integer>","items":[{"n":"<number>"},{"n":"<number>"}],"list":"<array>","name":"<string>"}"#
        )
        #expect(rendered.findings.map(\.subject) == ["snapshot $.list"])
    }

    @Test func redactedPartsMustBeThereAndMatch() throws {
        let rendered = try render(
            Fixture.jsonExchange(#"{"items": [{"n": "a"}, {"n": 1}, {"n": "b"}]}"#),
            redactions: [("$.items[*].n", .type([.integer])), ("$.total", .type([.integer]))])
        #expect(
            rendered.findings.map(\.subject) == [
                "snapshot $.items[0].n", "snapshot $.items[2].n", "snapshot $.total",
            ])
        #expect(rendered.findings.last?.message.hasPrefix("$.total does not exist") == true)
        #expect(body(of: rendered.snapshot) == #"{"items":[{"n":"<integer>"},{"n":"<integer>"},{"n":"<integer>"}]}"#)
    }

    @Test func onlySomeMismatchesOfAPathAreReported() throws {
        let body = "[" + Array(repeating: "1", count: 100).joined(separator: ",") + "]"
        let rendered = try render(Fixture.jsonExchange(body), redactions: [("$[*]", .type([.string]))])
        #expect(rendered.findings.count == 5)
    }

    @Test func keptPartsAreNotReplaced() throws {
        let json = #"{"a": {"id": "\#(Self.first)", "createdAt": 1795000000}, "b": "\#(Self.first)"}"#
        let one = try render(Fixture.jsonExchange(json), kept: ["$.a"])
        #expect(body(of: one.snapshot) == #"{"a":{"createdAt":1795000000,"id":"\#(Self.first)"},"b":"<uuid 1>"}"#)
        let all = try render(Fixture.jsonExchange(json), kept: ["$"])
        #expect(body(of: all.snapshot)?.contains("<") == false)
    }

    @Test func bodiesThatAreNotJSON() throws {
        func content(_ exchange: Exchange) throws -> Snapshot.Content { try render(exchange).snapshot.content }
        #expect(try content(Fixture.exchange(status: 204)) == .none)
        #expect(try content(Fixture.exchange(body: "a\r\nb\r\n", contentType: "text/plain")) == .text("a\nb"))
        #expect(try content(Fixture.exchange(body: "{oops", contentType: "application/json")) == .text("{oops"))
        #expect(
            try content(Fixture.exchange(body: "{\"a\":1}", contentType: "text/plain")) == .text("{\"a\":1}"))
        #expect(
            try content(Fixture.exchange(body: "at 2026-11-21T19:51:15Z", contentType: "text/plain"))
                == .text("at <dateTime 1>"))
        #expect(
            try content(Fixture.exchange(bytes: [0x63, 0xE9], contentType: "text/plain; charset=latin1")) == .text("cé")
        )
        for bytes in [[0xFF, 0xD8], [0x61, 0x00]] as [[UInt8]] {
            guard case .binary(size: 2, let digest) = try content(Fixture.exchange(bytes: bytes)) else {
                Issue.record("\(bytes) is rendered as text")
                continue
            }
            #expect(digest.utf8.count == 64)
        }
    }

    @Test func redactionNeedsJSON() throws {
        let rendered = try render(
            Fixture.exchange(body: "no", contentType: "text/plain"), redactions: [("$.id", .type([.integer]))])
        #expect(rendered.snapshot.content == .text("no"))
        #expect(rendered.findings.map(\.subject) == ["snapshot $.id"])
    }

    @Test func ignoringAndKeepingNeedJSONToo() throws {
        let undeclared = Fixture.exchange(body: #"{"id": 7, "ref": "\#(Self.first)"}"#, contentType: "text/plain")
        #expect(
            try body(of: render(undeclared, ignored: ["$.id"], kept: ["$.ref"]).snapshot)
                == #"{"ref":"\#(Self.first)"}"#)
        #expect(try body(of: render(undeclared, kept: ["$.ref"]).snapshot) == #"{"id":7,"ref":"\#(Self.first)"}"#)
        let text = Fixture.exchange(body: "no", contentType: "text/plain")
        let rendered = try render(text, ignored: ["$.id"])
        #expect(rendered.snapshot.content == .text("no"))
        #expect(rendered.findings.map(\.subject) == ["snapshot $.id"])
        #expect(rendered.findings.first?.message.hasPrefix("the body is not JSON: ") == true)
        #expect(try render(text, kept: ["$.id"]).findings.map(\.subject) == ["snapshot $.id"])
        // Ignored values may be missing, and always are in an empty body.
        #expect(try render(Fixture.jsonExchange("{}"), ignored: ["$.id"]).findings.isEmpty)
        #expect(try render(Fixture.exchange(status: 204), ignored: ["$.id"]).findings.isEmpty)
    }

    @Test func eventsOfAStream() throws {
        var exchange = Fixture.exchange(body: "data: 1\n\n", contentType: "text/event-stream")
        var details = ExchangeDetails()
        details.streamEnd = .closed
        details.events = [["event": "message", "data": ["id": .string(Self.first)]], ["event": "end", "data": "x"]]
        exchange.details = details
        let rendered = try render(exchange, ignored: ["$[*].event"])
        #expect(rendered.snapshot.content == .events([["data": ["id": "<uuid 1>"]], ["data": "x"]]))
        #expect(rendered.snapshot.fileExtension == "snap.json")
    }

    @Test func secretsAreMasked() throws {
        let mask: SnapshotMask = { text in
            text == "731" ? "***" : text.replacing("s3cret", with: "***").replacing(Self.first, with: "***")
        }
        let json = #"{"s3cret": ["a s3cret", 731, "\#(Self.first)"], "n": 7310}"#
        let rendered = try render(Fixture.jsonExchange(json), kept: ["$.n"], mask: mask)
        #expect(body(of: rendered.snapshot) == #"{"***":["a ***","***","***"],"n":7310}"#)
        let text = try render(
            Fixture.exchange(headers: [("Content-Type", "text/plain; x=s3cret")], body: "s3cret"), mask: mask)
        #expect(text.snapshot == Snapshot(status: 200, contentType: "text/plain; x=***", content: .text("***")))
        #expect(
            Snapshot(status: 1, contentType: "s3cret", content: .events([["s3cret": 731]])).masked(with: mask)
                == Snapshot(status: 1, contentType: "***", content: .events([["***": "***"]])))
    }

    @Test func baseURLHasAPlaceholder() throws {
        let json = #"{"self": "http://127.0.0.1:4711/a/\#(Self.first)"}"#
        let rendered = try render(Fixture.jsonExchange(json), baseURL: "http://127.0.0.1:4711")
        #expect(body(of: rendered.snapshot) == #"{"self":"<baseURL>/a/<uuid 1>"}"#)
    }

    // MARK: Properties

    /// The identifiers and the order of the members that they name do not matter.
    @Test(arguments: [
        #"{"<a>": {"n": 1}, "<b>": {"n": 2}, "<c>": {"n": 2}}"#,
        // The identity follows from other locations, even later ones.
        #"{"entities": {"<a>": {}, "<b>": {}, "<c>": {}}, "ids": ["<b>", "<c>", "<a>"]}"#,
        // Or from references between members.
        #"{"<a>": {"next": "<b>"}, "<b>": {"next": "<c>"}, "<c>": {"next": null}}"#,
        #"{"x": {"<a>": {"<b>": 1, "<c>": 2}}, "y": {"to <a>": {"<b>": 2, "<c>": 1}}}"#,
    ])
    func namesThatChangeEachTimeNeverDiffer(_ template: String) throws {
        let digits = ["0", "5", "9"]
        func snapshot(_ order: [Int]) throws -> Snapshot {
            var text = template
            for (name, index) in zip(["<a>", "<b>", "<c>"], order) {
                text.replace(name, with: "\(digits[index])\(Self.first.dropFirst())")
            }
            // Some servers sort members.
            let sorted = try JSONValue(parsing: Array(text.utf8)).withSortedMembers
            return try render(Fixture.jsonExchange(sorted.serialized())).snapshot
        }
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        for stored in try orders.map(snapshot) {
            for order in orders { #expect(SnapshotComparison(try snapshot(order), with: stored).isEqual) }
        }
    }

    /// A response never differs from its own snapshot after rendering, writing and parsing.
    ///
    /// Neither does a response with other identifiers and dates in the same locations.
    @Test(arguments: 0..<200)
    func aResponseNeverDiffersFromItsSnapshot(_ seed: UInt64) throws {
        var bodies = RandomBodies(seed: seed)
        let body = bodies.value(depth: 4)
        let expected = try render(Fixture.jsonExchange(body.serialized())).snapshot
        let stored = try Snapshot(parsing: expected.serialized(), fileExtension: expected.fileExtension)
        #expect(stored == expected)
        #expect(SnapshotComparison(expected, with: stored).isEqual)
        let other = try render(Fixture.jsonExchange(bodies.renamed(body).serialized(.pretty))).snapshot
        #expect(SnapshotComparison(other, with: stored).isEqual)
        #expect(
            SnapshotComparison(other, with: stored).finding(
                name: "", file: .init(path: "", bytes: []), .init(range: Fixture.range())) == nil)
    }
}

extension JSONValue {
    /// The value with the members of all objects sorted by name.
    fileprivate var withSortedMembers: JSONValue {
        switch self {
        case .null, .bool, .number, .string: return self
        case .array(let elements): return .array(elements.map(\.withSortedMembers))
        case .object(let members):
            var sorted = members.mapValues { $0.withSortedMembers }
            sorted.sortMembers()
            return .object(sorted)
        }
    }
}

/// Random bodies with identifiers and dates.
private struct RandomBodies {
    private var state: UInt64
    private var names: [String: String] = [:]

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    private mutating func next(_ bound: UInt64) -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state % bound
    }

    private mutating func uuid(_ index: UInt64) -> String {
        let digits = String(index + 1, radix: 16)
        return "5f0c9a2b-0c5e-4b1f-9a39-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    mutating func value(depth: Int) -> JSONValue {
        switch next(depth > 0 ? 9 : 6) {
        case 0: return .string(uuid(next(6)))
        case 1: return .string("/orders/\(uuid(next(6)))/at/2026-11-21T19:51:1\(next(9))Z")
        case 2: return .number(JSONNumber(Int(next(1_000))))
        case 3: return .string("text \"\\\n<uuid \(next(3))x>\u{1F600}")
        case 4: return .bool(next(2) == 0)
        case 5: return .null
        case 6:
            var elements: [JSONValue] = []
            for _ in 0..<next(5) { elements.append(value(depth: depth - 1)) }
            return .array(elements)
        default:
            var object = JSONObject()
            for index in 0..<next(6) { object["m\(next(20)) \(index)"] = value(depth: depth - 1) }
            return .object(object)
        }
    }

    /// Returns the value with identifiers and dates replaced consistently, and with its members in another order.
    func renamed(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .number: return value
        case .string(let text):
            return .string(
                text.replacing("5f0c9a2b-0c5e-4b1f-9a39-00000000000", with: "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeee")
                    .replacing("2026-11-21T19:51:1", with: "2031-01-01T00:00:0"))
        case .array(let elements): return .array(elements.map(renamed))
        case .object(let members):
            return .object(JSONObject(members.reversed().map { ($0.key, renamed($0.value)) }))
        }
    }
}
