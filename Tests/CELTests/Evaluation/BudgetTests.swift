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

    /// Lists that hold others many times are small in memory and large as text.
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
