public import CEL
public import Diagnostics
import XML

/// The options for loading suites.
public struct LoaderOptions: Sendable {
    /// The absolute path of the directory that must contain all files that suites reference.
    public var fileRoot: String
    /// The absolute path of the directory that relative paths on the command line resolve against.
    public var workingDirectory: String
    /// Variables from the command line; their names are defined in every suite.
    public var variables: [String: String]
    /// The values of those ``variables`` that are not strings.
    public var typedVariables: [String: CELValue] = [:]
    /// The name of the selected environment, whose values override those of each suite that defines it.
    public var environment: String?
    /// The path of the OpenAPI description that suites without their own contract are validated against.
    public var contract: String?
    /// The files from the command line that replace URIs, unless a suite maps them itself. Later entries win.
    public var schemas: [(uri: String, file: String)] = []
    /// The process environment, which `dotenv` files can reference and which may contain secrets.
    public var processEnvironment: [String: String] = [:]
    /// A closure that returns whether XPath is available, which needs libxml2. Called only if a suite uses XPath.
    public var canEvaluateXPath: @Sendable () -> Bool = { XMLLibrary.isAvailable }
    /// The severity of missing XPath support; a warning is sufficient if nothing is run.
    public var missingLibrarySeverity = Severity.error

    /// Creates options.
    public init(fileRoot: String, workingDirectory: String, variables: [String: String] = [:]) {
        self.fileRoot = fileRoot
        self.workingDirectory = workingDirectory
        self.variables = variables
    }
}
