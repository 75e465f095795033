import Basics
import JSON
import Testing

@testable import CEL

/// Tests of randomly composed expressions: in any case, errors point into the expression.
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
        ".reverse()", ".sum()", ".max()", ".keys()", ".merge(body)", ".pick(", ".omit(", "url.parse(",
        "query.parse('a=%C3')",
        "jwt.decode(", "jwt.sign(body, ", "html.unescape('&#x110000;')", "date.parse(", "fake.name()",
        "base64url.decode(",
    ]

    @Test(arguments: 0..<8)
    func randomExpressions(_ seed: UInt64) {
        let random = CELRandomSource(seed: seed)
        let variables = scope(["x": 3, "body": ["a": "x", "b": [1, 2.5]], "l": [1, "é", .null, [:]]])
        let budget = CELBudget(maximumSteps: 10_000, maximumMemory: 1 << 16)
        let context = CELContext(budget: budget, random: random)
        for _ in 0..<2_000 {
            let source = Self.source(random)
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

    /// Returns an expression of random pieces with balanced brackets; without that, few of them would compile.
    private static func source(_ random: CELRandomSource) -> String {
        var source = ""
        for _ in 0...random.next(below: 12) {
            source += pieces[Int(random.next(below: UInt64(pieces.count)))]
        }
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
        return source + String(open.reversed())
    }

    /// Returns a valid expression of operators, calls and macros, whose operands may have unsuitable types.
    private static func nested(_ random: CELRandomSource, depth: Int, variable: String? = nil) -> String {
        func one(_ texts: [String]) -> String { texts[Int(random.next(below: UInt64(texts.count)))] }
        func part(_ variable: String? = variable) -> String { nested(random, depth: depth - 1, variable: variable) }
        if depth == 0 || random.next(below: 8) == 0 {
            return one(
                ["1", "2.5", "'a'", "true", "null", "x", "body", "body.a", "l", "e", "none", "random(0, 9)"]
                    + (variable.map { [$0, $0] } ?? []))
        }
        switch random.next(below: 9) {
        case 0: return "(\(part()) \(one(["==", "!=", "<", "+", "-", "/", "in"])) \(part()))"
        case 1: return "(\(part()) \(one(["&&", "||"])) \(part()))"
        case 2: return "!(\(part()))"
        case 3: return "(\(part()) ? \(part()) : \(part()))"
        case 4: return "\(one(["size", "string", "int", "type"]))(\(part()))"
        case 5: return "[\(part()), \(part())][\(part())]"
        case 6: return "{'a': \(part())}\(one([".a", ".b", "[?'a']", ".?b"]))"
        case 7: return "has(body.\(one(["a", "z"])))"
        default:
            let own = one(["v", "w"])
            return "\(one(["l", "body", "[1, 2, 3]", part()])).\(one(["all", "exists", "map", "filter", "exists_one"]))"
                + "(\(own), \(part(own)))"
        }
    }

    /// A scope in which one variable has no value.
    private struct PartialScope: CELScope {
        let variables: CELVariables

        func value(of name: String) throws(CELEvaluationError) -> CELValue? {
            if name == "e" { throw CELEvaluationError(message: "e has no value") }
            return variables.value(of: name)
        }
    }

    @Test("Evaluating and explaining an expression give the same result", arguments: 0..<8)
    func explanationAgrees(_ seed: UInt64) {
        let random = CELRandomSource(seed: seed)
        let scope = PartialScope(
            variables: scope(["x": 3, "body": ["a": "x", "b": [1, 2.5]], "l": [1, "é", .null, [:]]]))
        var compiled = 0
        for number in 0..<3_000 {
            let source =
                switch number % 8 {
                case 0: ["x", "body", "l", "e", "none", "int"][number / 8 % 6]
                case 1: Self.source(random)
                default: Self.nested(random, depth: 1 + number % 4)
                }
            guard let expression = try? CELExpression(source) else { continue }
            compiled += 1
            // Some evaluations exhaust this small budget.
            let budget = CELBudget(maximumSteps: 1 + Int(random.next(below: 60)), maximumMemory: 1 << 10)
            let context = CELContext(budget: budget, random: random).repeatable()
            let again = context.repeatable()
            let value: Result<CELValue, CELEvaluationError>
            do throws(CELEvaluationError) {
                value = .success(try expression.evaluate(scope, context: context))
            } catch {
                value = .failure(error)
            }
            #expect(Self.text(expression.explain(scope, context: again).result) == Self.text(value), "\(source)")
        }
        #expect(compiled > 1_200)
    }

    private static func text(_ result: Result<CELValue, CELEvaluationError>) -> String {
        switch result {
        case .success(let value): "\(value.typeName) \(value.shown)"
        case .failure(let error): "\(error.offset)+\(error.length) \(error.isBudgetExceeded): \(error.message.text)"
        }
    }
}
