import JSON
import Testing

@testable import CEL

/// Expressions that are put together at random: whatever comes of it, errors point into the expression.
@Suite struct RobustnessTests {
    static let pieces = [
        "1", "0", "-", "9223372036854775807", "18446744073709551615u", "1.5", "1e308", "'a'", "\"é\"", "b'\\xff'", "[",
        "]",
        "{", "}", "(", ")", ".", "?", ":", ",", "+", "*", "/", "%", "==", "<", "in ", "&&", "||", "!", "x", "body", "l",
        "true", "null", "size(", "int(", "uint(", "double(", "string(", "timestamp(", "duration('1h')", "now()",
        ".all(e,",
        ".map(e,", ".exists(k,v,", ".filter(e,", "e", "k", "has(", ".a", ".?a", "[?0]", "[0]", "[-1]", "'%s%d%x'",
        ".format([",
        ".substring(", ".indexOf(", ".lastIndexOf(", ".split(", ".replace(", ".charAt(", ".join()",
        ".getHours('Europe/Vienna')",
        ".getFullYear()", "optional.of(", ".orValue(", "math.abs(", "random(", "randomString(", "date.format(now(), ",
        "type(",
        "base64.decode(", "hex.decode(", "json.parse(", "jsonpath(l, ", "'$[*]'", "matches(", "url.decode(", "'%C3'",
        "-9223372036854775808", "duration('-9223372036854775808ns')", "0.0/0.0", "{1:2}", "[1,'b',null]", ".trim()",
        ".reverse()",
    ]

    @Test(arguments: 0..<8)
    func randomExpressions(_ seed: UInt64) {
        let random = CELRandomSource(seed: seed)
        let variables = scope(["x": 3, "body": ["a": "x", "b": [1, 2.5]], "l": [1, "é", .null, [:]]])
        let budget = CELBudget(maximumSteps: 10_000, maximumMemory: 1 << 16)
        let context = CELContext(budget: budget, random: random)
        for _ in 0..<2_000 {
            var source = ""
            for _ in 0...random.next(below: 12) {
                source += Self.pieces[Int(random.next(below: UInt64(Self.pieces.count)))]
            }
            // Most random texts are cut off somewhere; closing what is open makes more of them expressions.
            var open: [Character] = []
            for character in source {
                switch character {
                case "(": open.append(")")
                case "[": open.append("]")
                case "{": open.append("}")
                case ")", "]", "}": _ = open.popLast()
                default: break
                }
            }
            source += String(open.reversed())
            let length = source.unicodeScalars.count
            do {
                let expression = try CELExpression(source)
                let explanation = expression.explain(variables, context: context)
                for part in explanation.parts {
                    #expect(part.offset >= 0 && part.length > 0 && part.offset + part.length <= length, "\(source)")
                }
                let value = try expression.evaluate(variables, context: context)
                #expect(value.shown.utf8.count > 0)
            } catch let error as CELSyntaxError {
                #expect(error.offset >= 0 && error.length >= 0 && error.offset + error.length <= length)
            } catch let error as CELEvaluationError {
                #expect(error.length > 0 && error.offset + error.length <= length, "\(source): \(error)")
            } catch {
                Issue.record("\(source): \(error)")
            }
        }
    }
}
