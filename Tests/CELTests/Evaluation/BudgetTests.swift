import Basics
import JSON
import Testing

@testable import CEL

@Suite struct BudgetTests {
    static func exceeds(_ source: String, _ budget: CELBudget = CELBudget()) -> Bool {
        do {
            let list = JSONValue.array((0..<1_000).map { .number(JSONNumber($0)) })
            _ = try CELExpression(source)
                .evaluate(CELVariables(["l": CELValue(list)]), context: CELContext(budget: budget))
            return false
        } catch let error as CELEvaluationError {
            return error.isBudgetExceeded
        } catch {
            return false
        }
    }

    @Test(arguments: [
        "l.all(a, l.all(b, true))",
        "l.all(a, l == l)",
        "l.map(a, l.map(b, a))",
        "true || l.all(a, l.all(b, l.all(c, true)))",
        "l.all(a, l.all(b, l.all(c, true))) || true",
        "l.exists(a, l.exists(b, l.exists(c, false))) || true",
    ])
    func steps(_ source: String) {
        let isShortCircuit = source.hasPrefix("true")
        #expect(Self.exceeds(source, CELBudget(maximumSteps: 100_000)) == !isShortCircuit)
    }

    @Test(arguments: [
        "randomString(2000000)",
        "cel.bind(s, randomString(1000), l.map(x, s + s))",
        "cel.bind(s, randomString(1000), l.map(x, s).join())",
        "cel.bind(s, randomString(1000), s.replace('', s))",
        "cel.bind(s, randomString(1000), '%s%s'.format([l.map(x, s), s]))",
        "l.map(x, l + l)",
        "l.map(x, [x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x])",
    ])
    func memory(_ source: String) {
        #expect(Self.exceeds(source, CELBudget(maximumMemory: 500_000)))
    }

    /// Operations that do a lot of work count accordingly.
    @Test(arguments: [
        "l.all(a, math.greatest(l) >= a)", "l.all(a, l.map(x, '').join() == '')", "l.all(a, jsonpath(l, '$[*]') != [])",
        "l.all(a, jsonpath([l, a], '$[*]') != [])", "l.all(a, json.stringify([l]) != '')",
        "l.exists(a, json.stringify([l, type(a)]) == '')", "l.all(a, t.matches('b+$') == false)",
        "l.all(a, t.matches('b' + '+$') == false)", "l.all(a, t < t + 'b')", "l.all(a, b == b)", "l.all(a, b <= b)",
        "l.all(a, t.contains('ab') == false)", "l.all(a, t.startsWith(t))", "l.all(a, t.indexOf('b') < 0)",
        "l.all(a, t.lastIndexOf('ab') < 0)", "l.all(a, sha256(t) != b)", "l.all(a, [l] == [l])",
        "l.all(a, l.sum() >= a)", "l.all(a, l.max() >= a)", "l.all(a, {'a': 1}.pick(l) == {})",
        "l.all(a, html.unescape(t) != '')", "l.all(a, size(query.parse(t)) == 1)", "l.all(a, md5(t) != b)",
        "l.all(a, sha512(t) != b)", "l.all(a, url.parse(t).path == t)", "l.all(a, fake.words(1000) != '')",
        "l.exists(a, l[a + 5000] == 1)",
    ])
    func workInsideOfOperations(_ source: String) throws {
        let list = JSONValue.array((0..<1_000).map { .number(JSONNumber($0)) })
        let text = CELValue.string(String(repeating: "a", count: 50_000))
        let scope: CELVariables = ["l": CELValue(list), "t": text, "b": .bytes([UInt8](repeating: 1, count: 50_000))]
        let budget = CELBudget(maximumSteps: source.contains("5000") ? 3_000 : 200_000, maximumMemory: 1 << 30)
        let error = #expect(throws: CELEvaluationError.self) {
            try CELExpression(source).evaluate(scope, context: CELContext(budget: budget))
        }
        #expect(error?.isBudgetExceeded == true)
        #expect(
            error?.message.text.hasPrefix("the expression takes more than ") == true, "\(error?.message.text ?? "")")
    }

    /// Values that double in size with each step exceed the budget early.
    @Test(arguments: [
        ("cel.bind(x, #, x + x)", "'ab'"), ("cel.bind(x, #, x + x)", "[1]"), ("cel.bind(x, #, x + x)", "b'a'"),
        ("cel.bind(x, #, x.replace('a', 'aaa'))", "'a'"), ("cel.bind(x, #, x.replace('', x))", "'ab'"),
        ("cel.bind(x, #, [x, x].join(x))", "'a'"), ("cel.bind(x, #, '%s%s'.format([x, x]))", "'a'"),
        ("cel.bind(x, #, strings.quote(x))", "'\"'"),
        ("cel.bind(x, #, x.map(y, x).map(z, string(size(z))) + x)", "['a', 'b']"),
        ("cel.bind(x, #, json.stringify([x, x]))", "'a'"), ("cel.bind(x, #, url.encode(x + x))", "'%'"),
        ("cel.bind(x, #, base64.encode(x))", "'a'"), ("cel.bind(x, #, hex.encode(x))", "'a'"),
        ("cel.bind(x, #, x.map(y, [y, y, y, y]).map(z, z.size()) + x)", "[1, 2]"),
        ("cel.bind(x, #, x.lowerAscii() + x)", "'AB'"),
        ("cel.bind(x, #, x.reverse() + x.trim())", "'ab'"),
        ("cel.bind(x, #, x.substring(0) + x.split('').join())", "'ab'"),
    ])
    func growth(_ step: String, _ start: String) throws {
        var source = start
        for _ in 0..<60 { source = step.replacing("#", with: source) }
        let budget = CELBudget(maximumSteps: 200_000, maximumMemory: 1 << 20)
        let error = #expect(throws: CELEvaluationError.self) {
            try CELExpression(source).evaluate(CELVariables(), context: CELContext(budget: budget))
        }
        #expect(error?.isBudgetExceeded == true, "\(error?.message.text ?? "")")
    }

    @Test func theErrorNamesTheLimitAndThePart() throws {
        func error(_ source: String, _ budget: CELBudget = CELBudget()) -> CELEvaluationError? {
            #expect(throws: CELEvaluationError.self) {
                let list = JSONValue.array((0..<4_000).map { .number(JSONNumber($0)) })
                _ = try CELExpression(source).evaluate(scope(["l": list]), context: CELContext(budget: budget))
            }
        }
        let steps = error("1 == 1 && l.all(a, l.all(b, b >= 0))")
        #expect(steps?.message.text == "the expression takes more than 10 million steps; iterate over fewer elements")
        #expect((steps?.offset ?? 0) >= 10)
        let memory = error("true && randomString(70000000) == ''")
        #expect(
            memory?.message.text
                == "the expression needs more than 64 MiB for strings and lists; create fewer or shorter ones")
        #expect(memory?.offset == 8)
        #expect(memory?.length == 22)
        let few = error("l.map(a, a)", CELBudget(maximumSteps: 1_234))
        #expect(few?.message.text == "the expression takes more than 1234 steps; iterate over fewer elements")
    }

    @Test func aHeavyPatternIsBounded() throws {
        let expression = try CELExpression("t.matches('(([a-c]{1,100}){1,40}[ab]{1,50}){1,9}c$')")
        let scope: CELVariables = ["t": .string(String(repeating: "ab", count: 20_000))]
        let error = #expect(throws: CELEvaluationError.self) {
            try expression.evaluate(scope, context: CELContext(budget: CELBudget(maximumSteps: 100_000)))
        }
        #expect(error?.isBudgetExceeded == true)
    }

    /// Lists that share elements are small in memory and large as text.
    @Test func sharedLists() throws {
        var source = "[1]"
        for _ in 0..<40 { source = "cel.bind(x, \(source), [x, x, x, x, x, x, x, x, x, x])" }
        let value = try CELExpression(source).evaluate(CELVariables())
        #expect(value.json == nil)
        #expect(value.shown.utf8.count < 200_000)
        #expect(Self.exceeds("(\(source)) == (\(source))", CELBudget(maximumSteps: 100_000)))
        #expect(Self.exceeds("'%s'.format([\(source)])", CELBudget(maximumMemory: 1_000_000)))
        #expect(shown("json.stringify(\(source))").contains("more than 2000000 elements"))
    }

    @Test func enoughForUsualWork() {
        #expect(!Self.exceeds("l.filter(a, a % 2 == 0).map(a, string(a)).join(',').size() > 0 && l.all(a, a in l)"))
    }
}
