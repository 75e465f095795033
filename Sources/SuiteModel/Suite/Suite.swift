public import Diagnostics

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
