import Basics
import CEL
import Diagnostics
import JSON
import JSONPath
import RunModel
import SuiteModel
import Testing

@testable import Expectations

@Suite("Expectations") struct ExpectationCheckerTests {
    private func named(_ name: String, _ operators: Matcher.Operator..., all: Bool = false) -> ExpectationSet.Named {
        ExpectationSet.Named(
            name: .constant(name),
            matcher: Matcher(operators.map { Matcher.Operation($0, range: Fixture.range(2)) }, range: Fixture.range(2)),
            matchesAll: all)
    }

    private func status(_ ranges: [ClosedRange<Int>], _ text: String) -> ExpectationSet.Status {
        ExpectationSet.Status(pattern: .ranges(ranges), text: text, range: Fixture.range(3))
    }

    @Test func nothingExpected() {
        #expect(Fixture.check(ExpectationSet(), Fixture.exchange(status: 399)).isEmpty)
        let findings = Fixture.check(ExpectationSet(), Fixture.exchange(status: 404))
        #expect(findings.map(\.message) == ["expected a status below 400 (the default), got 404"])
        #expect(Fixture.check(ExpectationSet(isDefault: false), Fixture.exchange(status: 404)).isEmpty)
    }

    @Test(
        arguments: [
            ([200...200], "200", 200, nil), ([200...299], "2xx", 204, nil),
            ([200...204, 301...301], "200-204, 301", 301, nil),
            ([201...201], "201", 200, "expected 201, got 200"), ([200...299], "2xx", 404, "expected 2xx, got 404"),
        ] as [([ClosedRange<Int>], String, Int, String?)])
    func statuses(_ ranges: [ClosedRange<Int>], _ text: String, _ actual: Int, _ message: String?) {
        let set = ExpectationSet(status: status(ranges, text), isDefault: false)
        let findings = Fixture.check(set, Fixture.exchange(status: actual))
        #expect(findings.first?.message == message)
        if let finding = findings.first {
            #expect(finding.subject == "status")
            #expect(finding.range == Fixture.range(3))
            #expect(finding.actual == .number(JSONNumber(actual)))
        }
    }

    @Test func statusMatcher() {
        let set = ExpectationSet(
            status: .init(pattern: .matcher(Fixture.matcher(.lt(.constant(300)))), text: "", range: Fixture.range()),
            isDefault: false)
        #expect(Fixture.check(set, Fixture.exchange(status: 200)).isEmpty)
        #expect(
            Fixture.check(set, Fixture.exchange(status: 301)).map(\.message) == ["expected < 300, got 301 (integer)"])
    }

    @Test func headers() {
        let exchange = Fixture.exchange(
            headers: [("content-TYPE", "text/html"), ("Via", "a"), ("via", "b"), ("Content-Length", "61")])
        func messages(_ header: ExpectationSet.Named) -> [String] {
            Fixture.check(ExpectationSet(headers: [header], isDefault: false), exchange).map(\.message)
        }
        #expect(messages(named("Content-Type", .equals(.constant("text/html")))) == [])
        #expect(
            messages(named("Content-Type", .equals(.constant("a")))) == [
                #"expected "a" (string), got "text/html" (string)"#
            ])
        #expect(messages(named("Via", .equals(.constant("b")))) == [])
        #expect(
            messages(named("Via", .equals(.constant("b")), all: true))
                == [#"field 1 of 2: expected "b" (string), got "a" (string)"#])
        #expect(messages(named("Via", .equals(.constant("c")))) == [#"expected "c" (string), got "a" (string)"#])
        #expect(messages(named("Content-Length", .equals(.constant(61)), .gt(.constant(60)))) == [])
        #expect(
            messages(named("Contnt-Type", .exists(true)))
                == [#"the response has no header "Contnt-Type"; did you mean "content-TYPE"?"#])
        #expect(
            messages(named("Location", .exists(true))) == [
                #"the response has no header "Location"; available: "content-TYPE", "Via", "Content-Length""#
            ])
        #expect(messages(named("Location", .exists(false))) == [])
        #expect(messages(named("Via", .exists(false))) == [#"expected no value, got "a" (string)"#])
    }

    @Test func otherFieldsOfAHeaderAreShown() {
        let exchange = Fixture.exchange(headers: [("Via", "a"), ("Via", "b")])
        let set = ExpectationSet(headers: [named("via", .equals(.constant("c")))], isDefault: false)
        let finding = Fixture.check(set, exchange).first
        #expect(finding?.details == [#"also sent: "b""#])
        #expect(finding?.subject == "header via")
        #expect(finding?.range == Fixture.range(2))
    }

    @Test func listsAreHeldAgainstAllFieldsOfAName() {
        let exchange = Fixture.exchange(headers: [("Via", "a"), ("X-N", "1"), ("via", "b"), ("X-N", "2")])
        func messages(_ header: ExpectationSet.Named) -> [String] {
            Fixture.check(ExpectationSet(headers: [header], isDefault: false), exchange).map(\.message)
        }
        #expect(messages(named("Via", .equal(["a", "b"]))) == [])
        #expect(messages(named("Via", .equal(["a"]))) == [#"+ unexpected $[1]: "b""#])
        #expect(messages(named("Via", .any(Fixture.matcher(.equal("b"))), .unique(true))) == [])
        #expect(messages(named("X-N", .each(Fixture.matcher(.gt(.constant(0)))))) == [])
        #expect(
            messages(named("X-N", .none(Fixture.matcher(.equal(2)))))
                == [#"expected no element to be 2, but element [1] is: "2" (string)"#])
    }

    @Test func listsAreSeenWhereverTheyStand() throws {
        let exchange = Fixture.exchange(headers: [("Via", "a"), ("Via", "b")])
        let expression = try Fixture.template("vias")
        func holds(_ operators: Matcher.Operator...) -> Bool {
            let named = ExpectationSet.Named(
                name: "Via",
                matcher: Matcher(
                    operators.map { Matcher.Operation($0, range: Fixture.range()) }, range: Fixture.range()))
            let set = ExpectationSet(headers: [named], isDefault: false)
            return Fixture.check(set, exchange, ["vias": CELValue(["a", "b"] as JSONValue)]).isEmpty
        }
        let both: Matcher.Operator = .equal(["a", "b"])
        #expect(!holds(.not(Fixture.matcher(both))))
        #expect(holds(.exists(true), both))
        #expect(holds(.equals(.template(expression))))
        #expect(!holds(.not(Fixture.matcher(.equals(.template(expression))))))
        #expect(holds(.oneOf([.constant(["b", "a"]), .constant(["a", "b"])])))
        #expect(holds(.like(.constant(["a", "b"]))))
        #expect(!holds(.strictLike(.constant(["a"]))))
        #expect(holds(.either([Fixture.matcher(.equal(["c"])), Fixture.matcher(both)])))
        // In a list, what is negated is a value, unless it is the length.
        #expect(holds(.each(Fixture.matcher(.type([.string]))), .not(Fixture.matcher(.equal("c")))))
        #expect(!holds(.each(Fixture.matcher(.type([.string]))), .not(Fixture.matcher(.contains(.constant("b"))))))
        #expect(holds(.unique(true), .not(Fixture.matcher(.length(Fixture.matcher(.equal(1)))))))
        #expect(!holds(.unique(true), .not(Fixture.matcher(.length(Fixture.matcher(.equal(2)))))))
        // A single value is sufficient for an alternative that is not a list, and only for such an alternative.
        #expect(holds(.oneOf([.constant("b"), .constant(["c"])])))
        #expect(!holds(.oneOf([.constant("c"), .constant(["a"])])))
        let no = Matcher.Operator.not(Fixture.matcher(.any(Fixture.matcher(.equal("a")))))
        #expect(!holds(.either([Fixture.matcher(no), Fixture.matcher(.equal("c"))])))
    }

    @Test func notMeansThatNoFieldMatches() {
        let exchange = Fixture.exchange(headers: [("Via", "ab"), ("Via", "bc"), ("Age", "7")])
        func messages(_ name: String, _ operators: Matcher.Operator..., all: Bool = false) -> [String] {
            let named = ExpectationSet.Named(
                name: .constant(name),
                matcher: Matcher(
                    operators.map { Matcher.Operation($0, range: Fixture.range()) }, range: Fixture.range()),
                matchesAll: all)
            return Fixture.check(ExpectationSet(headers: [named], isDefault: false), exchange).map(\.message)
        }
        func not(_ op: Matcher.Operator) -> Matcher.Operator { .not(Fixture.matcher(op)) }
        #expect(messages("Via", not(.equal("x"))) == [])
        #expect(
            messages("Via", not(.equal("bc")))
                == [#"expected no element to be "bc" (string), but element [1] is: "bc" (string)"#])
        #expect(messages("Via", not(.contains(.constant("a")))).count == 1)
        #expect(messages("Via", not(.contains(.constant("b")))).count == 1)
        // One field must satisfy all that is not negated.
        #expect(messages("Via", not(.equal("x")), .contains(.constant("a"))) == [])
        #expect(messages("Via", not(.equal("bc")), .contains(.constant("a"))).count == 1)
        #expect(messages("Via", not(.equal("x")), .startsWith(.constant("a")), .endsWith(.constant("c"))).count == 1)
        #expect(messages("Via", .all([Fixture.matcher(not(.equal("bc"))), Fixture.matcher(.equal("ab"))])).count == 1)
        #expect(messages("Via", .all([Fixture.matcher(not(.equal("x"))), Fixture.matcher(.equal("ab"))])) == [])
        #expect(messages("Via", .either([Fixture.matcher(not(.equal("ab"))), Fixture.matcher(.equal("bc"))])) == [])
        #expect(
            messages("Via", .either([Fixture.matcher(not(.equal("ab"))), Fixture.matcher(.equal("c"))])).count == 1)
        #expect(messages("Via", not(.equal("ab")), all: true).count == 1)
        #expect(messages("Via", not(.equal("x")), .contains(.constant("b")), all: true) == [])
        #expect(messages("Via", not(.equal("x")), .contains(.constant("a")), all: true).count == 1)
        #expect(messages("Age", not(.equal(7))) == ["expected anything but 7"])
        #expect(messages("Age", not(.equal(8))) == [])
    }

    private func cookie(
        _ name: String, _ value: Matcher.Operator? = nil, _ attributes: [(CookieAttribute, Matcher.Operator)] = []
    ) -> ExpectationSet {
        let cookie = ExpectationSet.Cookie(
            name: .constant(name), value: value.map { Fixture.matcher($0) },
            attributes: attributes.map { ($0.0, Fixture.matcher($0.1)) }, range: Fixture.range(2))
        return ExpectationSet(cookies: [cookie], isDefault: false)
    }

    @Test func cookies() {
        let exchange = Fixture.exchange(cookies: [("session", "1"), ("session", "2")])
        func messages(_ set: ExpectationSet) -> [String] { Fixture.check(set, exchange).map(\.message) }
        #expect(messages(cookie("session", .equal("2"))) == [])
        #expect(messages(cookie("session", .equal("1"))) == [#"expected "1" (string), got "2" (string)"#])
        #expect(
            messages(cookie("sesion", .exists(true)))
                == [#"the response does not set the cookie "sesion"; did you mean "session"?"#])
        #expect(messages(cookie("sesion", .exists(false))) == [])
        #expect(messages(cookie("session", .exists(false))) == [#"expected no value, got "2" (string)"#])
    }

    @Test func cookieAttributes() {
        var exchange = Fixture.exchange()
        exchange.cookies = [
            ReceivedCookie(
                name: "id", value: "7",
                field: "id=7; Path=/a ;secure; SameSite=Lax; Max-Age=60;Expires=Wed, 21 Oct 2026 07:28:00 GMT; x=y")
        ]
        func findings(_ attributes: [(CookieAttribute, Matcher.Operator)]) -> [Finding] {
            Fixture.check(cookie("id", nil, attributes), exchange)
        }
        let good: [(CookieAttribute, Matcher.Operator)] = [
            (.path, .equal("/a")), (.domain, .exists(false)), (.secure, .equal(true)), (.httpOnly, .equal(false)),
            (.sameSite, .oneOf([.constant("Lax"), .constant("Strict")])), (.maxAge, .lte(.constant(60))),
            (.expires, .after(.constant("2026-10-01"))),
        ]
        #expect(findings(good).isEmpty)
        let bad: [(CookieAttribute, Matcher.Operator)] = [
            (.path, .equal("/")), (.domain, .equal("example.org")), (.secure, .equal(false)), (.httpOnly, .equal(true)),
            (.sameSite, .equal("lax")), (.maxAge, .gt(.constant(60))), (.expires, .before(.constant("2026-10-01"))),
        ]
        #expect(
            findings(bad).map { "\($0.subject): \($0.message)" } == [
                #"cookie id path: expected "/" (string), got "/a" (string)"#,
                "cookie id domain: the cookie has no Domain",
                "cookie id secure: expected false (boolean), got true (boolean)",
                "cookie id httpOnly: expected true (boolean), got false (boolean)",
                #"cookie id sameSite: expected "lax" (string), got "Lax" (string); they differ only in case"#,
                "cookie id maxAge: expected > 60, got 60 (integer)",
                "cookie id expires: expected before \"2026-10-01\", got \"Wed, 21 Oct 2026 07:28:00 GMT\" (string), "
                    + "which is 20 d 7 h later",
            ])
        // Without the cookie, its attributes are not mentioned.
        let missing = Fixture.check(cookie("ID", nil, bad), exchange)
        #expect(missing.map(\.message) == [#"the response does not set the cookie "ID"; did you mean "id"?"#])
    }

    @Test(arguments: [
        ("$.title", "$.title does not exist: $ has no member \"title\"; did you mean \"titel\"?"),
        ("$.data.items[3]", "$.data.items[3] does not exist: $.data.items has 2 elements"),
        (
            "$.data.items.first",
            "$.data.items.first does not exist: $.data.items is an array of 2 elements, which has no member \"first\""
        ),
        (
            "$['data']['zzz']",
            "$['data']['zzz'] does not exist: $.data has no member \"zzz\"; available: \"items\", \"empty\""
        ),
        ("$.titel.x", "$.titel.x does not exist: $.titel is \"Dune\" (string)"),
        ("$.data[0]", "$.data[0] does not exist: $.data is an object, not an array; available: \"items\", \"empty\""),
    ])
    func pathsThatDoNotExist(_ path: String, _ message: String) throws {
        let body = #"{"titel": "Dune", "data": {"items": [1, 2], "empty": []}}"#
        let set = ExpectationSet(json: [try Fixture.json(path, .equals(.constant(1)))], isDefault: false)
        let findings = Fixture.check(set, Fixture.jsonExchange(body))
        #expect(findings.map(\.message) == [message])
        #expect(findings.first?.subject == "json \(path)")
        let absent = ExpectationSet(json: [try Fixture.json(path, .exists(false))], isDefault: false)
        #expect(Fixture.check(absent, Fixture.jsonExchange(body)).isEmpty)
    }

    @Test func jsonPaths() throws {
        let body = #"{"id": 7, "items": [{"n": 1, "x": 0}, {"n": 2, "x": 0}], "author": {"name": "Ada"}}"#
        let set = ExpectationSet(
            json: [
                try Fixture.json("$.id", .type([.integer])),
                try Fixture.json("$.items[*].n", .equals(.constant([1, 2]))),
                try Fixture.json("$.items[?@.n == 2].n", .equals(.constant([2]))),
                try Fixture.json("$.author", .equals(.constant(["name": "Bob"])), line: 5),
                try Fixture.json(
                    "$.items", .each(Fixture.matcher(.like(.constant(["x": 0, "n": 1])), line: 6)), line: 6),
                try Fixture.json("$.items[*].n", .equals(.constant([1, 3])), line: 7),
            ], isDefault: false)
        let findings = Fixture.check(set, Fixture.jsonExchange(body))
        #expect(
            findings.map(\.message) == [
                #"$.author.name: expected "Bob" (string), got "Ada" (string)"#,
                "element [1]: $.items[1].n: expected 1 (integer), got 2 (integer)",
                "[1]: expected 3 (integer), got 2 (integer)",
            ])
        #expect(findings.first?.range == Fixture.range(5))
    }

    @Test(arguments: [
        ("$.data.empty[*]", "$.data.empty[*] selects nothing: $.data.empty is an empty array"),
        (
            "$.data.items[?@ > 5]",
            "$.data.items[?@ > 5] selects nothing: [?@ > 5] selects none of the 2 elements of $.data.items"
        ), ("$.dat[*]", "$.dat[*] selects nothing: $ has no member \"dat\"; did you mean \"data\"?"),
    ])
    func listsOfNoValue(_ path: String, _ note: String) throws {
        let body = #"{"titel": "Dune", "data": {"items": [1, 2], "empty": []}}"#
        func findings(_ op: Matcher.Operator) throws -> [Finding] {
            let set = ExpectationSet(json: [try Fixture.json(path, op)], isDefault: false)
            return Fixture.check(set, Fixture.jsonExchange(body))
        }
        let one = Matcher.Operator.equals(.constant(1))
        #expect(try findings(one).map(\.message) == ["expected 1 (integer), got [] (array)"])
        #expect(try findings(one).first?.details.first?.text == note)
        #expect(try findings(.exists(true)).map(\.message) == ["expected a value, got [] (array)"])
        #expect(try findings(.exists(true)).first?.details == [MessageText(note)])
        for op in [
            .exists(false), .empty(true), .length(Fixture.matcher(.equals(.constant(0)))),
            .each(Fixture.matcher(one)), .equals(.constant([])), .not(Fixture.matcher(.exists(true))),
            .either([Fixture.matcher(.exists(false)), Fixture.matcher(one)]),
        ] as [Matcher.Operator] {
            #expect(try findings(op).map(\.message) == [])
        }
    }

    @Test(
        arguments: [
            ("$.items[?@.n == 2].n", Matcher.Operator.each(Fixture.matcher(.equals(.constant(2)))), nil),
            ("$.items[?@.n == 2].n", .equals(.constant([2])), nil),
            ("$.items[?@.n == 2].n", .any(Fixture.matcher(.equals(.constant(2)))), nil),
            ("$.items[?@.n == 2].n", .equals(.constant(2)), "expected 2 (integer), got [2] (array)"),
            (
                "$.items[?@.n == 2].n", .type([.integer]),
                "expected an integer, got [2] (array)"
            ),
            (
                "$.items[?@.n == 2].n", .gt(.constant(1)),
                "expected > 1, got [2] (array), which is not a number"
            ),
            ("$.items[?@.n == 2].tags", .unique(true), nil),
            ("$.items[?@.n == 2].tags", .equals(.constant([["a", "b"]])), nil),
            ("$.items[?@.n == 2].tags", .exists(false), #"expected no value, got [["a","b"]] (array)"#),
            ("$.items[?@.n == 2].tags", .length(Fixture.matcher(.equals(.constant(1)))), nil),
            ("$.items[0].tags", .exists(true), nil),
            ("$.items[*].tags", .each(Fixture.matcher(.exists(true))), nil),
            ("$.items[*].tags", .each(Fixture.matcher(.type([.array]))), nil),
            (
                "$.items[*].tags", .any(Fixture.matcher(.exists(false))),
                "expected an element to be no value, but none of the 2 elements is"
            ),
            (
                "$.items[?@.n == 2].n", .not(Fixture.matcher(.includes(Fixture.matcher(.equals(.constant(2)))))),
                "expected no element to be 2 (integer), but element [0] is: 2 (integer)"
            ),
            (
                "$.items[1].n", .each(Fixture.matcher(.equals(.constant(2)))),
                "expected every element to be 2 (integer), got 2 (integer), which is not an array"
            ),
        ] as [(String, Matcher.Operator, String?)])
    func aPathThatIsNotSingularYieldsAList(_ path: String, _ op: Matcher.Operator, _ message: String?) throws {
        let body = #"{"items": [{"n": 1, "tags": []}, {"n": 2, "tags": ["a", "b"]}]}"#
        let set = ExpectationSet(json: [try Fixture.json(path, op)], isDefault: false)
        #expect(Fixture.check(set, Fixture.jsonExchange(body)).first?.message == message)
    }

    @Test func aMatcherForOneValueSaysHowToWriteItForAList() throws {
        let file = SourceFile(name: "suite.yaml", text: "Dune\n'a, b'\nDune, part 1\n2\n\"\u{202E}\"\n")
        func note(_ line: Int, _ op: (SourceRange) -> Matcher.Operator) throws -> String? {
            let bytes = try #require(file.byteRange(ofLine: line))
            let range = SourceRange(file: file, bytes: bytes)
            let matcher = Matcher([Matcher.Operation(op(range), range: range)], range: range)
            let json = ExpectationSet.JSON(path: .constant(try JSONPath("$[*]")), pathRange: range, matcher: matcher)
            return Fixture.check(ExpectationSet(json: [json], isDefault: false), Fixture.jsonExchange("[1]"))
                .first?.details.last?.text
        }
        let way = "the path yields a list: write "
        #expect(try note(1) { _ in .equals(.constant("Dune")) } == way + "[Dune] or { any: Dune }")
        #expect(try note(2) { _ in .equals(.constant("a, b")) } == way + "['a, b'] or { any: 'a, b' }")
        #expect(
            try note(3) { _ in .equals(.constant("Dune, part 1")) }
                == way + #"["Dune, part 1"] or { any: "Dune, part 1" }"#)
        #expect(try note(4) { _ in .gt(.constant(2)) } == way + "{ each: { gt: 2 } } or { any: { gt: 2 } }")
        #expect(
            try note(1) { range in .all([Matcher([.init(.equals(.constant("Dune")), range: range)], range: range)]) }
                == way + "[Dune] or { any: Dune }")
        #expect(try note(5) { _ in .equals(.constant("\u{202E}")) } == way + #"["\u202e"] or { any: "\u202e" }"#)
        #expect(try note(4) { _ in .equals(.constant([2])) } == nil)
    }

    @Test func aListOfOneListIsNotThatList() throws {
        func findings(_ path: String, _ op: Matcher.Operator, _ body: String) throws -> [Finding] {
            Fixture.check(
                ExpectationSet(json: [try Fixture.json(path, op)], isDefault: false), Fixture.jsonExchange(body))
        }
        let full = Matcher.Operator.each(Fixture.matcher(.empty(false)))
        for body in [#"{"o":[{"lines":[]}]}"#, #"{"o":[{"lines":[]},{"lines":[1]}]}"#] {
            #expect(try findings("$.o[*].lines", full, body).map(\.type.rawValue) == ["each"])
        }
        let sand = Matcher.Operator.includes(Fixture.matcher(.equals(.constant("sand"))))
        let body = #"[{"tags":["sand","sea"]}]"#
        #expect(try findings("$[*].tags", .each(Fixture.matcher(sand)), body).isEmpty)
        #expect(try findings("$[*].tags[*]", sand, body).isEmpty)
        #expect(try findings("$[*].tags", sand, body).map(\.type.rawValue) == ["includes"])
        #expect(try findings("$[0].tags", sand, body).isEmpty)
        #expect(try findings("$[*].tags", .length(Fixture.matcher(.equals(.constant(1)))), body).isEmpty)
    }

    @Test func aMissingValueIsNeitherNullNorEmpty() throws {
        let set = ExpectationSet(
            json: [try Fixture.json("$.a", .equals(.constant(.null))), try Fixture.json("$.a", .empty(true))],
            isDefault: false)
        let findings = Fixture.check(set, Fixture.jsonExchange("{}"))
        #expect(
            findings.map(\.message)
                == Array(repeating: "$.a does not exist: $ is an empty object", count: 2))
        #expect(findings.allSatisfy { $0.details == ["to expect no value at a path, write exists: false"] })
    }

    @Test func largeValuesStayOutOfFindings() throws {
        let set = ExpectationSet(json: [try Fixture.json("$", .equals(.constant("a")))], isDefault: false)
        let large = "[" + String(repeating: "1,", count: 5000) + "1]"
        #expect(Fixture.check(set, Fixture.jsonExchange(large)).map(\.actual) == [JSONValue?.none])
        #expect(Fixture.check(set, Fixture.jsonExchange("[1]")).map(\.actual) == [[1]])
    }

    @Test func bodyThatIsNotJSONIsReportedOnce() throws {
        let set = ExpectationSet(
            json: [try Fixture.json("$.a", .exists(true), line: 4), try Fixture.json("$.b", .exists(true))],
            isDefault: false)
        let findings = Fixture.check(set, Fixture.exchange(body: "<html>\n", contentType: "text/html"))
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect(finding.message.hasPrefix("the body is not JSON: "))
        #expect(finding.message.hasSuffix("at line 1, column 1 (Content-Type is text/html)"))
        #expect(finding.details == ["<html>", "^"])
        #expect(finding.range == Fixture.range(4))
        let empty = Fixture.check(set, Fixture.exchange(status: 204))
        #expect(empty.map(\.message) == ["expected JSON, but the body is empty"])
        let late = Fixture.check(set, Fixture.jsonExchange("{\n  \"a\": nope\n}"))
        #expect(late.first?.details.first == "  \"a\": nope")
        #expect(late.first?.message.contains("Content-Type") == false)
    }

    @Test func anUnknownCharsetIsNamed() throws {
        let body = Fixture.matcher(.equals(.constant("日本")))
        let set = ExpectationSet(status: nil, body: body, isDefault: false)
        func details(_ charset: String, _ bytes: [UInt8]) -> [String] {
            Fixture.check(set, Fixture.exchange(bytes: bytes, contentType: "text/plain; charset=\(charset)"))
                .flatMap(\.details).map(\.text)
        }
        let note = #"unknown charset "ebcdic" in Content-Type; the body is decoded as UTF-8"#
        let bytes: [UInt8] = [0x93, 0xFA, 0x96, 0x7B]
        #expect(details("EBCDIC", bytes).contains(note))
        #expect(details("Shift_JIS", bytes).isEmpty)
        #expect(details("latin1", bytes).allSatisfy { !$0.hasPrefix("Content-Type") })
        #expect(details("UTF-8", bytes).allSatisfy { !$0.hasPrefix("Content-Type") })
        #expect(details("EBCDIC", Array("Nippon".utf8)).allSatisfy { !$0.hasPrefix("Content-Type") })
    }

    @Test func jsonIsReadWithoutAContentType() throws {
        let set = ExpectationSet(json: [try Fixture.json("$.a", .equals(.constant(1)))], isDefault: false)
        #expect(Fixture.check(set, Fixture.exchange(body: #"{"a":1}"#)).isEmpty)
    }

    @Test func bodies() {
        func messages(_ matcher: Matcher, _ exchange: Exchange) -> [String] {
            Fixture.check(ExpectationSet(body: matcher, isDefault: false), exchange).map(\.message)
        }
        #expect(messages(Fixture.matcher(.equals(.constant(["a": 1]))), Fixture.jsonExchange(#"{"a":1.0}"#)) == [])
        #expect(
            messages(
                Fixture.matcher(.contains(.constant("b"))), Fixture.exchange(body: "abc", contentType: "text/plain"))
                == [])
        #expect(messages(Fixture.matcher(.empty(true)), Fixture.exchange()) == [])
        #expect(
            messages(Fixture.matcher(.equals(.constant("ok"))), Fixture.exchange(body: "no"))
                == [#"expected "ok" (string), got "no" (string)"#])
        let findings = Fixture.check(
            ExpectationSet(body: Fixture.matcher(.equals(.constant(["a": 1]))), isDefault: false),
            Fixture.jsonExchange("ok"))
        #expect(findings.first?.message == #"expected {"a":1} (object), got "ok" (string)"#)
        #expect(
            findings.first?.details.first?.text.hasPrefix(
                "the body is checked as a string because it is not JSON: line 1, column 1: ") == true
        )
    }

    @Test func durationAndSize() {
        let set = ExpectationSet(
            duration: Fixture.matcher(.lt(.constant(2_000_000_000)), domain: .duration),
            size: Fixture.matcher(.lte(.constant(2)), domain: .size), isDefault: false)
        #expect(Fixture.check(set, Fixture.exchange(body: "ab", total: 1)).isEmpty)
        let findings = Fixture.check(set, Fixture.exchange(body: "abc", total: 2_310_000_000))
        #expect(findings.map(\.subject) == ["duration", "size"])
        #expect(findings.map(\.message) == ["expected < 2 s, got 2.31 s", "expected ≤ 2 B, got 3 B"])
    }

    @Test func assertions() throws {
        let set = ExpectationSet(
            assertions: [
                try Fixture.expression("status == 200"), try Fixture.expression("size(body.items) > limit", line: 2),
                try Fixture.expression("body.items.all(n, n < 3)", line: 3),
                try Fixture.expression("body.name", line: 4),
                try Fixture.expression("body.nope == 1", line: 5),
            ], isDefault: false)
        let findings = Fixture.check(set, Fixture.jsonExchange(#"{"items": [1, 2, 3], "name": "Dune"}"#), ["limit": 5])
        #expect(findings.count == 4)
        #expect(findings[0].message == "size(body.items) > limit is false")
        #expect(
            findings[0].details == [
                "size(body.items) = 3 (int)", "  body.items = [1,2,3] (list)", "limit = 5 (int)",
            ])
        #expect(findings[0].range.map(\.start.line) == 2)
        #expect(findings[0].subject == "assert")
        #expect(findings[1].message == "body.items.all(n, n < 3) is false")
        #expect(findings[1].details == ["at index 2: n = 3 (int)", "body.items = [1,2,3] (list)"])
        #expect(findings[2].message == #"body.name must be true or false, got "Dune" (string)"#)
        #expect(findings[2].kind == .failure)
        #expect(findings[3].kind == .error)
        #expect(findings[3].range.map(\.start.line) == 5)
    }

    @Test func explanationsShowTheTypesOfTheLanguage() throws {
        let set = ExpectationSet(
            assertions: [try Fixture.expression("[body.price, body.name, body.new, body.none, half] == [body.map]")],
            isDefault: false)
        let body = #"{"price": 12.0, "name": "Dune", "new": true, "none": null, "map": {}}"#
        #expect(
            Fixture.check(set, Fixture.jsonExchange(body), ["half": 0.5]).map { $0.details.map(\.text) } == [
                [
                    "they differ at [0]: 12.0 (double) and {} (map)", "body.price = 12.0 (double)",
                    #"body.name = "Dune" (string)"#, "body.new = true (bool)",
                    "body.none = null", "half = 0.5 (double)", "body.map = {} (map)",
                ]
            ])
    }

    @Test func longValuesOfTheLanguageAreCut() throws {
        let set = ExpectationSet(assertions: [try Fixture.expression("body == text")], isDefault: false)
        let body = "[" + Array(repeating: "1", count: 100).joined(separator: ",") + "]"
        let details = Fixture.check(set, Fixture.jsonExchange(body)).flatMap(\.details).map(\.text)
        #expect(details.count == 3)
        #expect(details.first == "list and string are never equal")
        #expect(details.dropFirst().first?.hasSuffix("… (list, 100 elements)") == true)
        #expect(details.last?.hasSuffix("…\" (string, 201 characters)") == true)
    }

    @Test func explanationsAreIndentedAndBounded() throws {
        let items = (0..<40).map { #"{"id": \#($0), "tags": ["a"]}"# }.joined(separator: ",")
        let sums = (0..<30).map { "body.items[\($0)].id == \($0 + 1)" }.joined(separator: " || ")
        let set = ExpectationSet(
            assertions: [
                try Fixture.expression("body.items.exists(i, i.id > 99 && i.tags != [])"),
                try Fixture.expression("status == 200 ? has(body.itms) : false", line: 2),
                try Fixture.expression(sums, line: 3),
            ], isDefault: false)
        let details = Fixture.check(set, Fixture.jsonExchange("{\"items\": [\(items)]}")).map { $0.details.map(\.text) }
        #expect(
            details.first?.prefix(4) == [
                "it is true for none of the 40 elements", "at index 0: i.id = 0 (int)", "at index 1: i.id = 1 (int)",
                "at index 2: i.id = 2 (int)",
            ])
        #expect(
            details.dropFirst().first == [
                "status == 200 is true", "  status = 200 (int)",
                "the condition is true, so the result is that of has(body.itms)", "has(body.itms) is false",
                #"  the most similar key is "items""#,
            ])
        #expect(details.last?.count == 25)
        #expect(details.last?.last == "… and 36 more")
    }

    /// An explanation shows the values of the evaluation, even if each evaluation yields different values.
    @Test func explanationsRepeatRandomValues() throws {
        let set = ExpectationSet(
            assertions: [try Fixture.expression("cel.bind(x, random(1, 1000000000), x < 0 || string(x) == text)")],
            isDefault: false)
        let source = CELRandomSource(seed: 5)
        let context = CELContext(random: source)
        let findings = Fixture.check(set, Fixture.exchange(body: "no"), context: context)
        let expected = try CELExpression("random(1, 1000000000)").evaluate(
            CELVariables(), context: CELContext(random: CELRandomSource(seed: 5)))
        #expect(findings.first?.details.contains("random(1, 1000000000) = \(expected) (int)") == true)
    }

    @Test func anUnknownNameIsComparedWithThoseOfBothScopes() throws {
        let set = ExpectationSet(
            assertions: [try Fixture.expression("stauts == 200"), try Fixture.expression("titel == 'x'")],
            isDefault: false)
        #expect(
            Fixture.check(set, Fixture.jsonExchange("{}"), ["title": "Dune"]).map(\.message) == [
                #"unknown variable "stauts"; did you mean "status"?: stauts == 200"#,
                #"unknown variable "titel"; did you mean "title"?: titel == 'x'"#,
            ])
    }

    @Test func findingsComeInTheOrderOfTheSuite() throws {
        let set = ExpectationSet(
            headers: [ExpectationSet.Named(name: "X-A", matcher: Fixture.matcher(.exists(true), line: 4))],
            json: [try Fixture.json("$.a", .equals(.constant(1)), .gt(.constant(1)), line: 3)],
            duration: Fixture.matcher(.lt(.constant(1)), domain: .duration, line: 2),
            size: Fixture.matcher(.lt(.constant(1)), domain: .size, line: 1),
            assertions: [try Fixture.expression("1 > 2", line: 2)], isDefault: false)
        let exchange = Fixture.exchange(body: #"{"a": 0}"#, contentType: "application/json", total: 5)
        #expect(
            Fixture.check(set, exchange).map { "\($0.subject) \($0.type.rawValue)" } == [
                "size lt", "duration lt", "assert assert", "json $.a equals", "json $.a gt", "header X-A exists",
            ])
    }

    @Test func everythingIsChecked() throws {
        let set = ExpectationSet(
            status: status([201...201], "201"), headers: [named("X-A", .exists(true))],
            cookies: [
                ExpectationSet.Cookie(
                    name: "c", value: Fixture.matcher(.exists(true), line: 2), range: Fixture.range(2))
            ],
            json: [try Fixture.json("$.a", .equals(.constant(1))), try Fixture.json("$.b", .equals(.constant(1)))],
            body: Fixture.matcher(.type([.array])), assertions: [try Fixture.expression("1 > 2")], isDefault: false)
        let findings = Fixture.check(set, Fixture.jsonExchange("{}"))
        #expect(
            findings.map(\.subject) == ["json $.a", "json $.b", "body", "assert", "header X-A", "cookie c", "status"])
    }

    @Test func operandsSeeVariablesBeforeTheResponse() throws {
        let body = try ValueTemplate.template(Fixture.template("status"))
        let set = ExpectationSet(json: [try Fixture.json("$.status", .equals(body))], isDefault: false)
        #expect(Fixture.check(set, Fixture.jsonExchange(#"{"status": "active"}"#), ["status": "active"]).isEmpty)
    }

    @Test func theBodyIsReadOnlyWhenItIsNeeded() throws {
        let content = ResponseContent(Fixture.jsonExchange(#"{"id": 7}"#))
        let checker = ExpectationChecker()
        let light = ExpectationSet(
            status: status([200...200], "200"), headers: [named("Content-Type", .exists(true))],
            size: Fixture.matcher(.gt(.constant(0)), domain: .size),
            assertions: [try Fixture.expression("status < 300")],
            isDefault: false)
        #expect(checker.check(light, content: content, scope: CELVariables(), context: CELContext()).isEmpty)
        #expect(!content.hasReadJSON)
        #expect(!content.hasReadText)
        let json = ExpectationSet(json: [try Fixture.json("$.id", .equals(.constant(7)))], isDefault: false)
        #expect(checker.check(json, content: content, scope: CELVariables(), context: CELContext()).isEmpty)
        #expect(content.hasReadJSON)
        #expect(!content.hasReadText)
    }
}
