import FoundationEssentials
import JSON
import Testing

@testable import CEL

/// The conformance tests of the language specification, converted to JSON.
@Suite struct ConformanceTests {
    /// The number of passing cases, which may only increase.
    static let floor = 1_416
    static let total = 1_416

    static let files = [
        "basic", "comparisons", "conversions", "encoders_ext", "fields", "fp_math", "integer_math", "lists", "logic",
        "macros", "macros2", "namespace", "optionals", "parse", "plumbing", "string", "string_ext", "timestamps",
    ]

    static let directory = ProcessInfo.processInfo.environment["APITEST_CORPORA"]

    @Test(.enabled(if: ConformanceTests.directory != nil, "APITEST_CORPORA is not set"))
    func corpus() throws {
        let directory = try #require(Self.directory)
        var passed = 0
        var count = 0
        var failures: [String] = []
        for name in Self.files {
            let data = try #require(FileManager.default.contents(atPath: "\(directory)/cel/\(name).json"))
            let cases = try JSONValue(parsing: Array(data)).arrayValue ?? []
            var passedHere = 0
            for (index, json) in cases.enumerated() {
                let problem = ConformanceCase(json).problem()
                if let problem {
                    failures.append("\(name)[\(index)] \(json["name"]?.stringValue ?? ""): \(problem)")
                } else {
                    passedHere += 1
                }
            }
            print("CEL \(name) \(passedHere)/\(cases.count)")
            passed += passedHere
            count += cases.count
        }
        print("CEL \(passed)/\(count)")
        for failure in failures { print("CEL failed: \(failure)") }
        #expect(count == Self.total)
        #expect(passed >= Self.floor)
    }
}
