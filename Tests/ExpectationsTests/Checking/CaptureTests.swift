import Basics
import CEL
import JSON
import JSONPath
import RegularExpressions
import RunModel
import SuiteModel
import Testing

@testable import Expectations

@Suite("Captures") struct CaptureTests {
    private static let exchange = Fixture.exchange(
        status: 201, headers: [("Location", "/books/7"), ("X-Count", "12"), ("location", "/other")],
        body:
            #"{"id": 7, "big": 12345678901234567890, "tags": ["a", "b"], "none": null, "price": "9.90", "open": "true"}"#,
        contentType: "application/json", cookies: [("sid", "abc")])

    private func capture(
        _ source: Capture.Source, regex: String? = nil, default defaultValue: ValueTemplate? = nil,
        as conversion: Capture.Conversion? = nil
    ) -> (value: JSONValue?, finding: Finding?) {
        let pattern = regex.flatMap { try? RegularExpression($0, dialect: .ecmaScript) }
        #expect((pattern == nil) == (regex == nil))
        let capture = Capture(
            name: "bookID", source: source, pattern: pattern, defaultValue: defaultValue, conversion: conversion,
            range: Fixture.range(6), sourceRange: Fixture.range(7))
        let result = ExpectationChecker().capture(
            [capture], exchange: Self.exchange, scope: CELVariables(["outer": 5]), context: CELContext())
        #expect(result.values.count + result.findings.count == 1)
        return (result.values.first?.value.json, result.findings.first)
    }

    @Test func searchesInAJSONBodySayHow() {
        let finding = capture(.body, regex: "(7)").finding
        #expect(finding?.message.hasPrefix("/(7)/ requires a string, got {") == true)
        #expect(finding?.details.contains { $0.text.contains("write \"text: true\"") } == true)
        #expect(capture(.text, regex: "(7)").value == "7")
    }

    @Test func sources() throws {
        #expect(capture(.json(.constant(try JSONPath("$.id")))).value == 7)
        #expect(capture(.json(.constant(try JSONPath("$.big")))).value == number("12345678901234567890"))
        #expect(capture(.json(.constant(try JSONPath("$.tags[*]")))).value == ["a", "b"])
        #expect(capture(.json(.constant(try JSONPath("$.tags[?@ == 'b']")))).value == ["b"])
        #expect(capture(.json(.constant(try JSONPath("$.tags[?@ == 'c']")))).value == [])
        #expect(capture(.json(.constant(try JSONPath("$..nothing")))).value == [])
        #expect(capture(.json(.constant(try JSONPath("$.none")))).value == .null)
        #expect(capture(.expression(try Fixture.expression("size(body.tags) + outer"))).value == 7)
        #expect(capture(.header("location")).value == "/books/7")
        #expect(capture(.headers("LOCATION")).value == ["/books/7", "/other"])
        #expect(capture(.headers("X-Count")).value == ["12"])
        #expect(capture(.headers("X-No")).value == [])
        #expect(capture(.cookie("sid")).value == "abc")
        #expect(capture(.text, regex: #""id": (\d+)"#).value == "7")
        #expect(capture(.text, regex: #"\d\.\d+"#).value == "9.90")
        #expect(capture(.text).value?.stringValue?.hasPrefix(#"{"id": 7, "#) == true)
        #expect(capture(.header("Location"), regex: #"/(\d+)$"#, as: .integer).value == 7)
        #expect(capture(.json(.constant(try JSONPath("$.price"))), regex: #"\.(\d)"#).value == "9")
        #expect(capture(.cookie("sid"), regex: "b.").value == "bc")
        #expect(capture(.text, regex: "zzz", default: .constant("none")).value == "none")
        #expect(capture(.status).value == 201)
        #expect(capture(.body).value?["id"] == 7)
    }

    @Test func findingNothing() throws {
        func message(_ source: Capture.Source) -> String? { capture(source).finding?.message }
        #expect(
            message(.json(.constant(try JSONPath("$.idd"))))
                == #"$.idd does not exist: $ has no member "idd"; did you mean "id"?"#
        )
        #expect(
            message(.header("Lcation")) == #"the response has no header "Lcation"; did you mean "Location"?"#)
        #expect(message(.cookie("sit")) == #"the response does not set the cookie "sit"; did you mean "sid"?"#)
        #expect(
            capture(.text, regex: "xyz(.)").finding?.message.hasPrefix("/xyz(.)/ matches nothing in the body: ") == true
        )
        #expect(
            capture(.text, regex: "id|x(y)").finding?.message
                == "/id|x(y)/ matches, but its first group captures nothing")
        #expect(
            capture(.header("Location"), regex: "x(.)").finding?.message
                == #"/x(.)/ matches nothing in "/books/7""#)
        #expect(
            capture(.json(.constant(try JSONPath("$.id"))), regex: "7", default: .constant("none")).finding?.message
                == "/7/ requires a string, got 7 (integer)")
        let finding = capture(.json(.constant(try JSONPath("$.idd")))).finding
        #expect(finding?.subject == "capture bookID")
        #expect(finding?.kind == .failure)
        #expect(finding?.range == Fixture.range(7))
        let error = capture(.expression(try Fixture.expression("body.nope"))).finding
        #expect(error?.kind == .error)
        #expect(error?.subject == "capture bookID")
    }

    @Test func defaults() throws {
        #expect(capture(.json(.constant(try JSONPath("$.idd"))), default: .constant("none")).value == "none")
        let template = ValueTemplate.template(try Fixture.template("outer * 2"))
        #expect(capture(.header("X-No"), default: template).value == 10)
        #expect(capture(.json(.constant(try JSONPath("$.id"))), default: .constant("none")).value == 7)
        #expect(capture(.json(.constant(try JSONPath("$.tags[5:]"))), default: .constant("none")).value == "none")
        #expect(capture(.json(.constant(try JSONPath("$.tags[:1]"))), default: .constant("none")).value == ["a"])
        #expect(capture(.headers("X-No"), default: .constant("none")).value == "none")
        #expect(capture(.expression(try Fixture.expression("1 / 0")), default: .constant(1)).finding?.kind == .error)
        #expect(
            capture(.cookie("no"), default: .constant("x"), as: .integer).finding?.message
                == #"cannot convert "x" (string) to an integer"#)
    }

    @Test(
        arguments: [
            ("$.id", .string, "7", nil), ("$.id", .number, 7, nil), ("$.price", .number, number("9.90"), nil),
            ("$.open", .boolean, true, nil), ("$.big", .integer, number("12345678901234567890"), nil),
            ("$.price", .integer, nil, #"cannot convert "9.90" (string) to an integer"#),
            ("$.tags", .number, nil, #"cannot convert ["a","b"] (array) to a number"#),
            ("$.id", .boolean, nil, "cannot convert 7 (integer) to a boolean"),
            ("$.none", .integer, nil, "cannot convert null to an integer"),
            ("$.tags", .string, #"["a","b"]"#, nil),
        ] as [(String, Capture.Conversion, JSONValue?, String?)])
    func conversions(_ path: String, _ conversion: Capture.Conversion, _ value: JSONValue?, _ message: String?) throws {
        let result = capture(.json(.constant(try JSONPath(path))), as: conversion)
        #expect(result.value == value)
        #expect(result.finding?.message == message)
    }

    @Test func headerAsInteger() {
        #expect(capture(.header("X-Count"), as: .integer).value == 12)
    }

    @Test func bodyThatIsNotJSON() throws {
        let path = Capture(
            name: "a", source: .json(.constant(try JSONPath("$.a"))), range: Fixture.range(),
            sourceRange: Fixture.range())
        let status = Capture(name: "b", source: .status, range: Fixture.range(), sourceRange: Fixture.range())
        let result = ExpectationChecker().capture(
            [path, status, path], exchange: Fixture.exchange(body: "<p>"), scope: CELVariables(), context: CELContext())
        #expect(result.values.map(\.name) == ["b"])
        #expect(result.findings.map(\.subject) == ["capture a"])
        #expect(result.findings.first?.message.hasSuffix("(no Content-Type)") == true)
    }

    @Test("Values of secret captures are returned as secrets and stay out of messages") func secrets() throws {
        func captured(_ path: String, as conversion: Capture.Conversion?) throws -> (
            secrets: [String], message: String?
        ) {
            let capture = Capture(
                name: "token", source: .json(.constant(try JSONPath(path))), isSecret: true, conversion: conversion,
                range: Fixture.range(), sourceRange: Fixture.range())
            let result = ExpectationChecker().capture(
                [capture], exchange: Self.exchange, scope: CELVariables(), context: CELContext())
            return (result.secrets, result.findings.first?.message)
        }
        #expect(try captured("$.price", as: nil).secrets == ["9.90", "9.90"])
        let failed = try captured("$.price", as: .integer)
        #expect(failed.secrets == ["9.90"])
        #expect(failed.message == "cannot convert the secret value to an integer")
        #expect(try captured("$.none", as: nil).secrets == [])
        #expect(try captured("$.nothing", as: nil).secrets == [])
    }

    /// A scope to which captures are added.
    private final class Bindings: CELScope {
        var values: [String: CELValue] = [:]

        func value(of name: String) throws(CELEvaluationError) -> CELValue? { values[name] }
    }

    @Test("A capture is bound before the next one, which can use it") func order() throws {
        let bindings = Bindings()
        var missing: [String] = []
        let captures = [
            Capture(
                name: "id", source: .json(.constant(try JSONPath("$.id"))), range: Fixture.range(),
                sourceRange: Fixture.range()),
            Capture(
                name: "next", source: .expression(try Fixture.expression("id + 1")), range: Fixture.range(),
                sourceRange: Fixture.range()),
            Capture(name: "no", source: .header("X-No"), range: Fixture.range(), sourceRange: Fixture.range()),
        ]
        let result = ExpectationChecker().capture(
            captures, content: ResponseContent(Self.exchange), scope: bindings, context: CELContext()
        ) { name, value in
            bindings.values[name] = value
            if value == nil { missing.append(name) }
        }
        #expect(result.values.map { $0.value.json } == [7, 8])
        #expect(missing == ["no"])
    }

    @Test("Findings that follow from a capture without a value are counted at that capture") func consequences() {
        let capture = Finding(subject: .capture("id"), type: .json, message: "$.id does not exist")
        let status = Finding(subject: .status, type: .status, message: "expected 200, got 404")
        let follows = Finding(kind: .error, subject: .assert, type: .missingCapture, message: "\"id\" was not captured")
        #expect(MissingCaptures.withoutConsequences([status, capture]).map { $0.details.map(\.text) } == [[], []])
        let one = MissingCaptures.withoutConsequences([status, follows, capture])
        #expect(one.map(\.subject) == [.status, .capture("id")])
        #expect(one.last?.details == ["1 expectation or capture that needs the value was not checked"])
        let two = MissingCaptures.withoutConsequences([follows, follows, capture])
        #expect(
            two.map { $0.details.map(\.text) } == [["2 expectations or captures that need the value were not checked"]])
    }
}
