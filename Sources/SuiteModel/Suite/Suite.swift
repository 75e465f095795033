public import Diagnostics
public import OpenAPI
public import RunModel

/// A test suite: one YAML document, validated and compiled, ready to be planned and run.
public struct Suite: Sendable {
    /// The execution order of the tests of a suite.
    public enum Mode: String, Sendable, CaseIterable {
        /// Tests start as soon as their dependencies finish.
        case concurrent
        /// Tests run one after another, in file order.
        case serial
    }

    /// The file that contains the suite.
    public var file: SourceFile
    /// The path of the suite, as passed by the user.
    public var path: String
    /// The absolute path of the directory that relative paths in the suite resolve against.
    public var directory: String
    /// The index of the YAML document in its file, from 0.
    public var documentIndex: Int
    /// The name of the suite; defaults to the file name without its extensions.
    public var name: String
    /// The description, owner, and properties; nil if the suite has none.
    public var annotations: Annotations?
    /// The URL that relative URLs resolve against.
    public var baseURL: Template?
    /// The variables of the suite.
    public var variables: [Variable]
    /// The execution order of the tests.
    public var mode: Mode
    /// The server to start for the run.
    public var serve: Serve?
    /// Whether all suites of a run with the same server share one.
    public var sharesServer = false
    /// The tests, in file order.
    public var tests: [SuiteTest]
    /// The tags that all tests of the suite inherit.
    public var tags: [String]
    /// The source range of the suite's name, or of the start of the document.
    public var range: SourceRange
    /// The names whose values are masked in all output.
    public var secrets = SecretNames()
    /// The secret values that are known before the run and masked in all output.
    public var secretValues: [String] = []
    /// The names of secrets whose values are not masked, as warnings of the loader state.
    public var unmaskedSecrets: Set<String> = []
    /// The secrets whose values are the output of programs; each of them is also a variable.
    public var secretCommands: [SecretCommand] = []
    /// The variables of `dotenv` files for `env()`; the process environment overrides them.
    public var dotenv: [String: String] = [:]
    /// The names of the environments, in file order.
    public var environments: [String] = []
    /// The name of the environment that is applied.
    public var environment: String?
    /// The fragments that are defined in the suite itself.
    public var fragments: [Fragment] = []
    /// The absolute paths of the fragment files that the suite uses, directly or through other fragments.
    public var fragmentFiles: [String] = []
    /// The absolute paths of the settings files that the suite extends, directly or through others.
    public var settingsFiles: [String] = []

    /// The load profiles, in file order.
    public var loadProfiles: [LoadProfile] = []

    /// The contract that every exchange is validated against.
    public var contract: SuiteContract?

    /// The description of the suite.
    public var description: String? { annotations?.description }

    /// Creates a suite.
    public init(
        file: SourceFile, path: String, directory: String, documentIndex: Int, name: String, description: String? = nil,
        baseURL: Template? = nil, variables: [Variable] = [], mode: Mode = .concurrent, serve: Serve? = nil,
        tests: [SuiteTest] = [], tags: [String] = [], range: SourceRange
    ) {
        self.file = file
        self.path = path
        self.directory = directory
        self.documentIndex = documentIndex
        self.name = name
        annotations = Annotations(description: description)
        self.baseURL = baseURL
        self.variables = variables
        self.mode = mode
        self.serve = serve
        self.tests = tests
        self.tags = tags
        self.range = range
    }
}

/// The OpenAPI description that the exchanges of a suite are validated against.
public struct SuiteContract: Sendable {
    /// The compiled OpenAPI description; suites that name the same one share it.
    public var contract: Contract
    /// The validation rules and their severities.
    public var settings: ContractSettings
    /// The source range of the suite's reference; nil for a contract from the command line.
    public var range: SourceRange?

    /// Creates a suite's contract.
    public init(contract: Contract, settings: ContractSettings = ContractSettings(), range: SourceRange? = nil) {
        self.contract = contract
        self.settings = settings
        self.range = range
    }
}

/// A server that a suite starts for its run and stops afterwards.
public enum Serve: Sendable {
    /// The built-in mock server with a mock file, in the same process.
    case mock(MockDefinition, range: SourceRange)
    /// A child process.
    case command(Command)

    /// A child process that runs the server under test.
    public struct Command: Sendable {
        /// The program and its arguments; `${port}` is replaced with the free port of the run.
        public var arguments: [Template]
        /// Variables that are added to the environment of the process.
        public var environment: [(name: String, value: Template)]
        /// The readiness check: a request that gets a 2xx response. Nil waits until the port accepts connections.
        public var ready: (method: String, url: Template)?
        /// The maximum time until the server is ready, in nanoseconds.
        public var within: Templated<Int64>
        /// The absolute path of the log file; nil keeps the end of the output in memory.
        public var log: String?
        /// The absolute path of the working directory, which is that of the suite.
        public var directory: String
        /// The source range of the `command` value.
        public var range: SourceRange

        /// Creates a command.
        public init(
            arguments: [Template], environment: [(name: String, value: Template)] = [],
            ready: (method: String, url: Template)? = nil, within: Templated<Int64> = 30_000_000_000,
            log: String? = nil, directory: String, range: SourceRange
        ) {
            self.arguments = arguments
            self.environment = environment
            self.ready = ready
            self.within = within
            self.log = log
            self.directory = directory
            self.range = range
        }
    }
}
