import SuiteModel

/// What fails a run although every test has passed.
///
/// Reports of which readers only count tests have it as a test of its own.
enum RunTrouble: CaseIterable {
    /// A server that a suite starts has ended by itself.
    case server
    /// Less of a contract was covered than was asked for.
    case coverage

    /// The trouble in a few words.
    var text: String {
        switch self {
        case .server: "a server failed"
        case .coverage: "too little is covered"
        }
    }

    /// A stable word for it.
    var type: String {
        switch self {
        case .server: "serve"
        case .coverage: "coverage"
        }
    }

    /// What the test counts as that stands for it.
    var outcome: TestResult.Outcome {
        switch self {
        case .server: .errored
        case .coverage: .failed
        }
    }

    /// The suite, and the class, of the tests that stand for troubles.
    static let suiteName = "apitest run"
    static let className = "apitest.run"

    /// Whether a test case of a report stands for a trouble.
    static func isOne(name: String, className: String) -> Bool {
        className == Self.className && allCases.contains { $0.text == name }
    }

    /// What is said of a trouble: what errors the run has told, or the trouble itself.
    func message(_ errors: [RunNotice]) -> String { errors.first?.message ?? text }

    /// All that is known of the trouble, in lines.
    static func details(_ errors: [RunNotice]) -> [String] {
        errors.flatMap { [$0.message] + $0.details.map { "  " + $0 } }
    }
}
