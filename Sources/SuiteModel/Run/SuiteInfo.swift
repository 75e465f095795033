/// What reports need to know of a suite.
public struct SuiteInfo: Sendable {
    /// The suite's index in the run, from 0.
    public var index: Int
    /// The suite's name.
    public var name: String
    /// The description, the owner and the properties, when the suite has any.
    public var annotations: Annotations?
    /// The suite's path as the user gave it.
    public var path: String
    /// The index of the document in its file, from 0.
    public var documentIndex: Int
    /// The base URL, once it is known.
    public var baseURL: String?
    /// The environment whose values the suite has.
    public var environment: String?
    /// Selected tests.
    public var testCount: Int
    /// Nanoseconds from the run's start to the suite's; 0 before it has started.
    public var start: Int64

    /// What is the same as long as the suite's files are: hexadecimal; nil when no report asks for it.
    public var digest: String?

    /// Creates the information.
    public init(
        index: Int, name: String, path: String, documentIndex: Int = 0, baseURL: String? = nil,
        environment: String? = nil, testCount: Int, start: Int64 = 0
    ) {
        self.index = index
        self.name = name
        self.path = path
        self.documentIndex = documentIndex
        self.baseURL = baseURL
        self.environment = environment
        self.testCount = testCount
        self.start = start
    }
}
