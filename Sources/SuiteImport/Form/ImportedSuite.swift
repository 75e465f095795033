/// A suite in the form that all importers fill and that ``SuiteWriter`` writes.
package struct ImportedSuite: Sendable {
    /// The order in which tests run.
    package enum Order: String, Sendable {
        /// One after another, as written.
        case serial
        /// At the same time, except for dependencies.
        case concurrent
    }

    /// The name of the suite.
    package var name: String
    /// The path of the source, from which the name of the suite's file is derived.
    package var source: String
    /// A description, as it stands in the source.
    package var description: String?
    /// The order of the tests.
    package var order = Order.serial
    /// Whether the values are those of real traffic, in which nothing is a placeholder.
    package var isRecorded = false
    /// Whether all tests share one cookie jar.
    package var keepsCookies = false
    /// Whether the importer has already applied ``ImportContext/filter``, because it knows more than the requests.
    package var isFiltered = false
    /// The prefix of relative URLs; nil if the writer derives it from the URLs of the requests.
    package var baseURL: ImportedText?
    /// The variables, including those that the writer may find unused.
    package var variables: [ImportedVariable] = []
    /// The environments that `--environment` selects from.
    package var environments: [ImportedEnvironment] = []
    /// The steps before all tests.
    package var setup: [ImportedStep] = []
    /// The tests.
    package var tests: [ImportedTest] = []
    /// The steps after all tests.
    package var teardown: [ImportedStep] = []
    /// The parts of the source that belong to no test and were not translated.
    package var notes: [ImportNote] = []
    /// Comments of the source that belong to no test.
    package var comments: [String] = []

    /// Creates a suite.
    ///
    /// - Parameter source: The path of the source file.
    package init(name: String, source: String) {
        self.name = name
        self.source = source
    }
}

/// A variable of an imported suite.
package struct ImportedVariable: Sendable, Hashable {
    /// The name, which is valid in expressions (``ImportedNames``).
    package var name: String
    /// The value.
    package var value: ImportedValue
    /// Whether the source marks the value as secret.
    package var isSecret: Bool
    /// Whether the value is an empty text.
    var isEmpty: Bool { if case .text(let text) = value { text.isEmpty } else { false } }

    /// Creates a variable.
    package init(_ name: String, _ value: ImportedValue, isSecret: Bool = false) {
        self.name = name
        self.value = value
        self.isSecret = isSecret
    }

    /// Creates a variable that is read from the process environment.
    ///
    /// - Parameter isOptional: Whether it is null if the environment does not have it, rather than an error.
    package init(_ name: String, environment: String, isSecret: Bool = false, isOptional: Bool = false) {
        let arguments = ImportedNames.literal(environment) + (isOptional ? ", null" : "")
        self.init(name, .expression("env(\(arguments))"), isSecret: isSecret)
    }
}

/// A set of values of an imported suite.
package struct ImportedEnvironment: Sendable {
    /// The name, for `--environment`.
    package var name: String
    /// The prefix of relative URLs.
    package var baseURL: ImportedText?
    /// The variables.
    package var variables: [ImportedVariable] = []

    /// Creates an environment.
    package init(name: String) { self.name = name }
}

/// Rows of data of an imported test.
package enum ImportedRows: Sendable, Hashable {
    /// Rows with the same columns.
    case rows([[ImportedValue.Member]])
    /// The path of a file, relative to the directory of the suite.
    case file(ImportedText)
    /// All combinations of the values of the axes.
    case matrix([ImportedValue.Member])
}

/// A test of an imported suite.
package struct ImportedTest: Sendable {
    /// The name; the writer derives one from the first request if it is empty, and makes names unique.
    package var name: String
    /// The directories of the source that contain the test, the outermost first.
    package var group: [String] = []
    /// A description, as it stands in the source.
    package var description: String?
    /// Tags.
    package var tags: [String] = []
    /// The reason why the test is skipped; nil if it runs.
    package var skip: String?
    /// The reason why the test must fail; nil if it must pass.
    package var expectedFailure: String?
    /// The names of tests that must pass before.
    package var needs: [String] = []
    /// Rows of data.
    package var rows: ImportedRows?
    /// The variables of the test.
    package var variables: [ImportedVariable] = []
    /// The exchanges; a single one is written directly into the test.
    package var steps: [ImportedStep]
    /// The cleanup, which always runs.
    package var cleanup: [ImportedStep] = []
    /// The parts of the source that belong to the test as a whole and were not translated.
    package var notes: [ImportNote] = []

    /// Creates a test.
    package init(_ name: String = "", steps: [ImportedStep] = []) {
        self.name = name
        self.steps = steps
    }
}

/// An exchange of an imported test: a request with its expectations and captures.
package struct ImportedStep: Sendable {
    /// Polling until the response meets conditions.
    package struct Polling: Sendable, Hashable {
        /// The conditions.
        package var checks: [ImportedCheck]
        /// The time between two requests, such as `500ms`.
        package var every: String?
        /// The total time, such as `30s`.
        package var within: String?
        /// The maximum number of requests.
        package var times: ImportedValue?

        /// Creates polling.
        package init(_ checks: [ImportedCheck]) { self.checks = checks }
    }

    /// The name; nil for `METHOD url`.
    package var name: String?
    /// The request.
    package var request: ImportedRequest
    /// The variables of the step.
    package var variables: [ImportedVariable] = []
    /// The expectations.
    package var checks: [ImportedCheck] = []
    /// The captures.
    package var captures: [ImportedCapture] = []
    /// The messages of the WebSocket that the request opens; nil if it opens none.
    package var messages: [ImportedMessage]?
    /// Polling.
    package var polling: Polling?
    /// The maximum number of retries, or a mapping with the members of `retry` in a suite.
    package var retry: ImportedValue?
    /// The time to wait before the request, such as `500ms`.
    package var delay: String?
    /// A CEL expression; the step is skipped unless it is true.
    package var condition: String?
    /// The reason why the step is skipped; nil if it runs.
    package var skip: String?
    /// The path to which the body of the response is saved, relative to the output directory.
    package var savedPath: String?
    /// Whether later steps run after this one fails.
    package var continues = false
    /// The parts of the source that concern the request and were not translated.
    package var notes: [ImportNote] = []
    /// The parts of the source that concern the response and were not translated.
    package var checkNotes: [ImportNote] = []
    /// Comments of the source on the request.
    package var comments: [String] = []
    /// Comments of the source on the response.
    package var checkComments: [String] = []
    /// The names of captures that were left out because nothing uses them.
    var unusedCaptures: [String] = []

    /// Creates an exchange.
    package init(_ request: ImportedRequest) { self.request = request }

    /// The names that the step captures from the response and from messages.
    var capturedNames: [String] { (captures + (messages ?? []).flatMap(\.captures)).map(\.name) }
}
