public import CEL
public import Diagnostics
import XML

/// What loading needs to know besides the paths.
public struct LoaderOptions: Sendable {
    /// The folder, absolute, outside of which a suite can name no file.
    public var fileRoot: String
    /// The folder, absolute, against which relative paths on the command line resolve.
    public var workingDirectory: String
    /// Variables given on the command line; their names count as defined in every suite.
    public var variables: [String: String]
    /// The values of ``variables`` with their types, as far as they are not text.
    public var typedVariables: [String: CELValue] = [:]
    /// The environment that was chosen; its values replace those of each suite that has it.
    public var environment: String?
    /// The path of the OpenAPI description that suites without a contract of their own are held against.
    public var contract: String?
    /// The files of the command line that stand for URIs, where a suite names no others; a later one wins.
    public var schemas: [(uri: String, file: String)] = []
    /// The process's environment, which `dotenv` files may refer to and in which secrets may be.
    public var processEnvironment: [String: String] = [:]
    /// Whether XPath can be evaluated here, which needs libxml2; asked when a suite has one.
    public var canEvaluateXPath: @Sendable () -> Bool = { XMLLibrary.isAvailable }
    /// How serious it is that XPath cannot be evaluated; where nothing is run, a warning is enough.
    public var missingLibrarySeverity = Severity.error

    /// Creates options.
    public init(fileRoot: String, workingDirectory: String, variables: [String: String] = [:]) {
        self.fileRoot = fileRoot
        self.workingDirectory = workingDirectory
        self.variables = variables
    }
}
