import Basics
import Diagnostics
import RunModel
import Testing

@testable import Redaction

@Suite("Names of tests that the program has composed")
struct ComposedNameTests {
    /// Returns the masked names of a test and its step.
    private static func names(_ secret: String, isComposed: Bool) -> [String] {
        var redactor = SecretRedactor()
        redactor.register(secret)
        let range = SourceRange(file: SourceFile(name: "a.yaml", text: "a"), bytes: 0..<1)
        let path = "/books/{server-error}"
        var test = TestReference(suite: 0, position: 0, name: "GET \(path) › server-error", range: range)
        if isComposed { test.wording = "GET \(path) › server-error" }
        let result = TestResult(
            test: test, outcome: .failed, steps: [TestResult.Step(name: test.name, outcome: .failed, range: range)])
        guard case .testFinished(let masked)? = redactor.redacted(.testFinished(result)),
            case .testStarted(let started)? = redactor.redacted(.testStarted(test))
        else { return [] }
        return [masked.test.name, started.name] + masked.steps.map(\.name)
    }

    @Test("Only their data is masked", arguments: [true, false])
    func masked(isComposed: Bool) {
        let expected = isComposed ? "GET /books/{***} › server-error" : "GET /books/{***} › ***"
        #expect(Self.names("server-error", isComposed: isComposed) == [expected, expected, expected])
    }
}
