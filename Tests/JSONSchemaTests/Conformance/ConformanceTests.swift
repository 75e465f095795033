import JSON
import JSONSchema
import Testing

/// The official JSON Schema test suite.
///
/// It runs where the environment variable `APITEST_CORPORA` names a folder that has `json-schema`; elsewhere the tests
/// are reported as skipped, because the suite's data is not a part of this package.
struct ConformanceTests {
    @Test(.enabled(if: ConformanceSuite.corpora != nil, "APITEST_CORPORA is not set"))
    func draft202012() throws {
        let result = try ConformanceSuite(folder: "draft2020-12").run(.draft202012)
        for problem in result.problems { Issue.record("\(problem)") }
        print("JSON Schema 2020-12 \(result.passed)/\(result.count)")
        #expect(result.count >= 1299)
    }

    @Test(.enabled(if: ConformanceSuite.corpora != nil, "APITEST_CORPORA is not set"))
    func draft7() throws {
        let result = try ConformanceSuite(folder: "draft7").run(.draft7)
        for problem in result.problems { Issue.record("\(problem)") }
        print("JSON Schema draft-07 \(result.passed)/\(result.count)")
        #expect(result.count >= 927)
    }
}
