import Basics
import JSON
import Testing

@testable import CEL

@Suite struct FunctionTests {
    @Test(arguments: [
        (#"env("HOME")"#, #""/home/ada""#),
        (#"env("EMPTY")"#, #""""#),
        (#"env("PORT", "8080")"#, #""8080""#),
        (#"env("PORT", 8080)"#, "8080"),
        (#"string(now())"#, #""2026-01-31T12:34:56.789Z""#),
        (#"file("greeting.txt")"#, #""hello\n""#),
        (#"file("picture.bin") == b"\xff\x00""#, "true"),
        (#"base64.encode("hi")"#, #""aGk=""#),
        (#"base64.encode(b"\xfb\xff")"#, #""+/8=""#),
        (#"string(base64.decode("aGk"))"#, #""hi""#),
        (#"base64.decode("-_8=") == b"\xfb\xff""#, "true"),
        (#"hex.encode("az")"#, #""617a""#),
        (#"hex.decode("00fF") == b"\x00\xff""#, "true"),
        (
            #"hex.encode(sha256("abc"))"#,
            #""ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad""#
        ),
        // RFC 4231, test case 2.
        (
            #"hex.encode(hmacSHA256("Jefe", "what do ya want for nothing?"))"#,
            #""5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843""#
        ),
        (#"url.encode("a b/c?d=é~")"#, #""a%20b%2Fc%3Fd%3D%C3%A9~""#),
        (#"url.encode(12)"#, #""12""#),
        (#"url.decode("a%20b%2fc+%C3%A9")"#, #""a b/c+é""#),
        (#"json.parse("{\"a\": [1, 2.50]}").a[1]"#, "2.50"),
        (#"string(double(json.parse("2.50")))"#, #""2.50""#), (#"string(double(json.parse("5")))"#, #""5""#),
        (#"string(double(json.parse("0.10000000000000000001")))"#, #""0.1""#),
        (#"json.stringify({"a": [1, 2.5, null], "b": "x"})"#, #""{\"a\":[1,2.5,null],\"b\":\"x\"}""#),
        (#"json.parse(b"[true]")[0]"#, "true"),
        (#"jsonpath(json.parse("{\"a\": {\"b\": 7}}"), "$.a.b")"#, "7"),
        (#"jsonpath(json.parse("{\"a\": [1, 2, 3]}"), "$.a[?@ > 1]")"#, "[2, 3]"),
        (#"jsonpath({"a": [1]}, "$.b[*]")"#, "[]"),
        (#"random(3, 3)"#, "3"),
        (#"random(0.5, 0.5)"#, "0.5"),
        (#"size(randomString(12))"#, "12"),
        (#"randomString(200).matches("^[A-Za-z0-9]{200}$")"#, "true"),
        (#"uuid().matches("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")"#, "true"),
        (#"[1, 2, 3, 4, 5, 6].all(x, random(1, 6) in [1, 2, 3, 4, 5, 6])"#, "true"),
        (#"math.greatest(1, 2.5, 2)"#, "2.5"),
        (#"math.least([3, 1u, 2])"#, "1u"),
        (#"math.round(2.5)"#, "3.0"),
        (#"math.abs(-3)"#, "3"),
        (#"math.bitAnd(3, 5)"#, "1"), (#"math.bitAnd(3u, 2u)"#, "2u"), (#"math.bitAnd(-1, 7)"#, "7"),
        (#"math.bitOr(1, 4)"#, "5"), (#"math.bitOr(1u, 2u)"#, "3u"), (#"math.bitXor(3, 5)"#, "6"),
        (#"math.bitNot(1)"#, "-2"), (#"math.bitNot(0u)"#, "18446744073709551615u"),
        (#"math.bitShiftLeft(1, 2)"#, "4"), (#"math.bitShiftLeft(1, 64)"#, "0"), (#"math.bitShiftLeft(-1, 1)"#, "-2"),
        (#"math.bitShiftLeft(1u, 63)"#, "9223372036854775808u"), (#"math.bitShiftRight(1024, 2)"#, "256"),
        (#"math.bitShiftRight(-1024, 3)"#, "2305843009213693824"),
        (#"math.bitShiftRight(1024u, 9223372036854775807)"#, "0u"),
        (#"[optional.of(1), optional.none(), optional.of("a")].unwrapOpt()"#, #"[1, "a"]"#),
        (#"optional.unwrap([optional.none()])"#, "[]"), (#"[1, 2, 3].first().value() + [1, 2, 3].last().value()"#, "4"),
        (#"[].first()"#, "optional.none()"), (#"[].last().orValue("none")"#, #""none""#),
        (#"cel.bind(x, 3, x * x)"#, "9"),
        (#"matches("abc", "b.")"#, "true"),
        (#""abc".matches("B" + "c") || "abc".matches("b" + "c")"#, "true"),
        (#""a,b,,c".split(",")"#, #"["a", "b", "", "c"]"#),
        (#""a,b,c".split(",", 2)"#, #"["a", "b,c"]"#),
        (#""äbc".split("")"#, #"["ä", "b", "c"]"#),
        (#""abab".replace("ab", "x", 1)"#, #""xab""#),
        (#""ab".replace("", "-")"#, #""-a-b-""#),
        (#""hello".substring(1, 3).upperAscii()"#, #""EL""#),
        (#""%s is %.2f".format(["pi", 3.14159])"#, #""pi is 3.14""#),
        (#"strings.quote("a\"b")"#, #""\"a\\\"b\"""#),
        (#"optional.none().orValue(1) + optional.of(2).orValue(1 / 0)"#, "3"),
        (#"{"a": 1}.?b.or({"b": 2}.?b).value()"#, "2"),
        (#"has({"Content-Type": 1}["Content-Type"])"#, "true"),
    ])
    func values(_ source: String, _ expected: String) {
        #expect(shown(source) == expected)
    }

    @Test(arguments: [
        (#"env("PORT")"#, #"the environment variable "PORT" is not set; for a default, write env(name, default)"#),
        (#"file("gone.txt")"#, #"cannot read "gone.txt": no such file"#),
        (#"base64.decode("a")"#, "the string is not valid base64"),
        (#"hex.decode("abc")"#, "the string is not valid hexadecimal"),
        (#"url.decode("%zz")"#, "the string is not percent-encoded UTF-8"),
        (#"jsonpath({"a": {"b": 1}}, "$.a.c")"#, "no value at $.a.c; the nearest existing path is $.a"),
        (#"random(2, 1)"#, "the lower bound of random() must not exceed the upper bound"),
        (#"randomString(-1)"#, "the length of randomString() must not be negative"),
        (
            #"json.stringify(0.0 / 0.0)"#,
            "the value contains something that JSON cannot represent, such as NaN or a type"
        ),
        (
            #"[1, "a"].join()"#,
            "join() requires a list of strings, but element 0 is int; to convert the elements, write list.map(x, string(x))"
        ),
        (#"optional.none().value()"#, "the optional has no value"),
        (#"math.bitShiftLeft(1, -1)"#, "math.bitShiftLeft() requires a shift of at least 0, got -1"),
        (#"math.bitAnd(1, 1u)"#, "no such overload: math.bitAnd(int, uint)"),
        (#"math.bitShiftRight(1.5, 1)"#, "no such overload: math.bitShiftRight(double, int)"),
        (#"[1].unwrapOpt()"#, "no such overload: list.unwrapOpt()"),
        (#""abc".first()"#, "no such overload: string.first()"),
        (#"sha256(1)"#, "no such overload: sha256(int)"),
        (#"1.size()"#, "no such overload: int.size()"),
    ])
    func errors(_ source: String, _ message: String) throws {
        let expression: CELExpression
        do throws(CELSyntaxError) {
            expression = try CELExpression(source)
        } catch {
            // An error that no variable can resolve is detected here.
            #expect(error.message.text == message)
            return
        }
        let error = #expect(throws: CELEvaluationError.self) {
            try expression.evaluate(CELVariables(), context: .fixed)
        }
        #expect(error?.message.text == message)
    }

    @Test func theSameSeedGivesTheSameValues() throws {
        let expression = try CELExpression("[uuid(), randomString(8), string(random(0, 1000000))]")
        func run(_ seed: UInt64) throws -> String {
            try expression.evaluate(CELVariables(), context: CELContext(random: CELRandomSource(seed: seed))).shown
        }
        #expect(try run(1) == run(1))
        #expect(try run(1) != run(2))
    }

    @Test func malformedJSONIsReportedWithItsLocation() {
        #expect(shown(#"json.parse("[1,")"#).hasPrefix("error at 0+17: the string is not valid JSON: "))
    }
}
