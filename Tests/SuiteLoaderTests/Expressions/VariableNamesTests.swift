import Basics
import SuiteLoader
import Testing

/// Tests of valid names of variables.
@Suite("Variable names")
struct VariableNamesTests {
    @Test(arguments: ["a", "_", "baseURL", "x1", "statusCode", "Status"])
    func good(name: String) {
        #expect(VariableNames.problem(of: name) == nil)
    }

    @Test(arguments: [
        ("", "use letters, digits and \"_\""), ("1a", "write \"_1a\""), ("a-b", "write \"a_b\""),
        ("ä", "use letters, digits and \"_\""),
        ("status", "choose another name"), ("tests", "choose another name"), ("port", "choose another name"),
        ("null", nil),
    ])
    func bad(name: String, suggestion: String?) throws {
        let problem = try #require(VariableNames.problem(of: name))
        #expect(problem.message.text.hasPrefix("\"\(name)\""))
        #expect(problem.suggestion?.text == suggestion)
    }
}
