import FoundationEssentials
import JSON
import JSONPath
import Testing

/// The JSONPath Compliance Test Suite for RFC 9535.
///
/// It runs if the environment variable `APITEST_CORPORA` names a directory with `jsonpath/cts.json`. Otherwise, the
/// test is reported as skipped, because the data of the suite is not part of this package.
struct ComplianceTests {
    static let corpora = ProcessInfo.processInfo.environment["APITEST_CORPORA"]

    @Test(.enabled(if: corpora != nil, "APITEST_CORPORA is not set"))
    func complianceTestSuite() throws {
        let directory = try #require(ComplianceTests.corpora)
        let data = try Data(contentsOf: URL(filePath: "\(directory)/jsonpath/cts.json"))
        let suite = try JSONValue(parsing: Array(data))
        let cases = try #require(suite["tests"]?.arrayValue)
        var passed = 0
        for test in cases {
            if let problem = try problem(with: test) {
                Issue.record("\(test["name"] ?? nil): \(test["selector"] ?? nil): \(problem)")
            } else {
                passed += 1
            }
        }
        print("JSONPath \(passed)/\(cases.count)")
        #expect(cases.count >= 703)
        #expect(passed == cases.count)
    }

    /// Returns the error in the result of a case, or nil.
    private func problem(with test: JSONValue) throws -> String? {
        let selector = try #require(test["selector"]?.stringValue)
        let path: JSONPath
        do {
            path = try JSONPath(selector)
        } catch {
            let location = error.offset >= 0 && error.offset + error.length <= selector.unicodeScalars.count
            if !location { return "the location of the error is outside the selector: \(error)" }
            return test["invalid_selector"] == true ? nil : "rejected: \(error)"
        }
        if test["invalid_selector"] == true { return "accepted" }
        let document = try #require(test["document"])
        let values = try path.values(in: document)
        let nodes = try path.nodes(in: document)
        if nodes.map(\.value) != values { return "values and nodes differ" }
        if try path.firstValue(in: document) != values.first { return "values and first value differ" }
        if path.isSingular, values.count > 1 { return "a singular query gave several values" }
        if (path.nearestExisting(in: document) == nil) != !values.isEmpty { return "wrong about the nearest value" }
        let results = try #require(test["results"]?.arrayValue ?? test["result"].map { [$0] })
        if !results.contains(.array(values)) { return "gave \(JSONValue.array(values))" }
        // The paths correspond to the results, in the order of the alternatives.
        let paths = JSONValue.array(nodes.map { .string($0.path.description) })
        let expectedPaths = try #require(test["results_paths"]?.arrayValue ?? test["result_paths"].map { [$0] })
        guard expectedPaths.count == results.count,
            zip(results, expectedPaths).contains(where: { $0 == .array(values) && $1 == paths })
        else { return "gave the paths \(paths)" }
        for node in nodes where try JSONPath(node.path.description).values(in: document) != [node.value] {
            return "the normalized path \(node.path) does not lead to its value"
        }
        return nil
    }
}
