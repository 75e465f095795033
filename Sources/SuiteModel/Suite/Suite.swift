public import Diagnostics
public import OpenAPI
public import RunModel

/// One suite: a YAML document, checked and compiled, ready to be planned and run.
public struct Suite: Sendable {
    /// How the tests of a suite are ordered.
    public enum Mode: String, Sendable, CaseIterable {
        /// Tests start as soon as what they depend on is done.
        case concurrent
        /// Tests run one after another, as written.
        case serial
    }

    /// The file that holds the suite.
    public var file: SourceFile
    /// The suite's path as the user gave it.
    public var path: String
    /// The folder against which the suite's relative paths resolve, absolute.
    public var folder: String
    /// The index of the document in its file, from 0.
    public var documentIndex: Int
    /// The suite's name; the file's name without its extensions when it has none.
    public var name: String
    /// The description, the owner and the properties, when the suite has any.
    public var annotations: Annotations?
    /// What relative URLs resolve against.
    public var baseURL: Template?
    /// The suite's variables.
    public var variables: [Variable]
    /// How tests are ordered.
    public var mode: Mode
    /// What is started for the run.
    public var serve: Serve?
    /// The tests, in file order.
    public var tests: [SuiteTest]
    /// Tags that every test of the suite has.
    public var tags: [String]
    /// The place of the suite's name, or of the document's beginning.
    public var range: SourceRange
    /// The names of what every output masks.
    public var secrets = SecretNames()
    /// The values that every output masks, as far as they are known before anything runs.
    public var secretValues: [String] = []
    /// What files of `dotenv` give `env()`; the process's environment wins over it.
    public var dotenv: [String: String] = [:]
    /// The names of the suite's environments, in file order.
    public var environments: [String] = []
    /// The environment whose values the suite has.
    public var environment: String?
    /// The fragments that are written in the suite itself.
    public var fragments: [Fragment] = []
    /// The files of fragments that the suite uses, directly or through others, as absolute paths.
    public var fragmentFiles: [String] = []

    /// What every exchange is held against.
    public var contract: SuiteContract?

    /// The suite's description.
    public var description: String? { annotations?.description }

    /// Creates a suite.
    public init(
        file: SourceFile, path: String, folder: String, documentIndex: Int, name: String, description: String? = nil,
        baseURL: Template? = nil, variables: [Variable] = [], mode: Mode = .concurrent, serve: Serve? = nil,
        tests: [SuiteTest] = [], tags: [String] = [], range: SourceRange
    ) {
        self.file = file
        self.path = path
        self.folder = folder
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

/// The OpenAPI description that a suite's exchanges are held against.
public struct SuiteContract: Sendable {
    /// The description; suites that name the same one share it.
    public var contract: Contract
    /// What is looked at, and how grave it is.
    public var settings: ContractSettings
    /// Where the suite names it; nil for one of the command line.
    public var range: SourceRange?

    /// Creates a suite's contract.
    public init(contract: Contract, settings: ContractSettings = ContractSettings(), range: SourceRange? = nil) {
        self.contract = contract
        self.settings = settings
        self.range = range
    }
}

/// What a suite starts for its run and stops afterwards.
public enum Serve: Sendable {
    /// The built-in mock server, in process, from a mock file.
    case mock(MockDefinition, range: SourceRange)
    /// A child process.
    case command(Command)

    /// A child process that serves what is tested.
    public struct Command: Sendable {
        /// The program and its arguments; `${port}` is the free port chosen for the run.
        public var arguments: [Template]
        /// Variables added to the process's environment.
        public var environment: [(name: String, value: Template)]
        /// The request that answers with a 2xx status once the server is ready; nil waits for the port to accept.
        public var ready: (method: String, url: Template)?
        /// How long readiness may take, in nanoseconds.
        public var within: Int64
        /// The file (absolute path) that takes the process's output; nil keeps the end of it in memory.
        public var log: String?
        /// The working folder, absolute: the suite's.
        public var folder: String
        /// The place of the `command` key's value.
        public var range: SourceRange

        /// Creates a command.
        public init(
            arguments: [Template], environment: [(name: String, value: Template)] = [],
            ready: (method: String, url: Template)? = nil, within: Int64 = 30_000_000_000, log: String? = nil,
            folder: String, range: SourceRange
        ) {
            self.arguments = arguments
            self.environment = environment
            self.ready = ready
            self.within = within
            self.log = log
            self.folder = folder
            self.range = range
        }
    }
}
