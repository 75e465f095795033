import CEL
import FoundationEssentials
import JSON
import JSONPath
import RegularExpressions

/// Measures one case of `Benchmarks/expressions`, by its number in a file of cases, for a given time.
///
/// Prints the number of executions, their time in nanoseconds, and a number that shows whether the result is right.
@main
struct ExpressionsLoad {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let number = Int(arguments[2]), let seconds = Double(arguments[3]) else {
            print("usage: expressions-load CASES NUMBER SECONDS")
            return
        }
        let cases = try JSONValue(parsing: Array(try Data(contentsOf: URL(filePath: arguments[1]))))
        guard let item = cases[number], let kind = item["kind"]?.stringValue, let source = item["source"]?.stringValue
        else { return }
        let isCompiling = item["compile"] == true
        switch kind {
        case "regex":
            let text = item["text"]?.stringValue ?? ""
            let dialect: RegularExpression.Dialect = item["dialect"] == "ecma" ? .ecmaScript : .re2
            let compiled = try RegularExpression(source, dialect: dialect)
            try measure(seconds) {
                let expression = isCompiling ? try RegularExpression(source, dialect: dialect) : compiled
                return try expression.matches(text) ? 1 : 0
            }
        case "groups":
            let text = item["text"]?.stringValue ?? ""
            let expression = try RegularExpression(source, dialect: .re2)
            try measure(seconds) { try expression.firstMatch(in: text)?.range.count ?? 0 }
        case "jsonpath":
            let document = item["document"] ?? .null
            let compiled = try JSONPath(source)
            try measure(seconds) {
                let path = isCompiling ? try JSONPath(source) : compiled
                return try path.values(in: document).count
            }
        default:
            var scope = CELVariables()
            for (name, value) in item["variables"]?.objectValue ?? [:] { scope[name] = CELValue(value) }
            let compiled = try CELExpression(source)
            try measure(seconds) {
                let expression = isCompiling ? try CELExpression(source) : compiled
                if case .bool(true) = try expression.evaluate(scope) { return 1 }
                return 0
            }
        }
    }

    private static func measure(_ seconds: Double, _ body: () throws -> Int) throws {
        let clock = ContinuousClock()
        let result = try body()
        var count = 0
        var batch = 1
        var elapsed = Duration.zero
        while elapsed < .seconds(seconds) {
            let start = clock.now
            for _ in 0..<batch where try body() != result { print("the result changed") }
            let time = clock.now - start
            elapsed += time
            count += batch
            if time < .milliseconds(5) { batch *= 2 }
        }
        print(count, Int(elapsed / .nanoseconds(1)), result)
    }
}
