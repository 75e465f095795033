public import Diagnostics

/// A named sequence of steps that tests and other fragments can call.
///
/// The requests of a fragment use the defaults of the file that defines it. Its expressions see only its parameters,
/// its variables, the captures of its steps, and the variables of its file, but no names of the caller.
public final class Fragment: Sendable {
    /// A parameter of a fragment.
    public struct Parameter: Sendable {
        /// The name of the parameter in the fragment's expressions.
        public var name: String
        /// The description for people.
        public var description: String?
        /// The default value; nil if every call must pass an argument.
        public var defaultValue: ValueTemplate?
        /// Whether the value is masked in all output.
        public var isSecret: Bool
        /// Whether anything in the fragment reads the parameter.
        public var isUsed = true
        /// The source range of the name.
        public var range: SourceRange

        /// Creates a parameter.
        public init(
            name: String, description: String? = nil, defaultValue: ValueTemplate? = nil, isSecret: Bool = false,
            range: SourceRange
        ) {
            self.name = name
            self.description = description
            self.defaultValue = defaultValue
            self.isSecret = isSecret
            self.range = range
        }
    }

    /// A value that a fragment returns to its caller.
    public struct Output: Sendable {
        /// The name of the output in the caller's expressions.
        public var name: String
        /// The value, evaluated after the last step.
        public var value: ValueTemplate
        /// The source range of the name.
        public var range: SourceRange

        /// Creates an output.
        public init(name: String, value: ValueTemplate, range: SourceRange) {
            self.name = name
            self.value = value
            self.range = range
        }
    }

    /// The file that defines a fragment, and the context that the fragment inherits from it.
    public struct Origin: Sendable {
        /// The file that defines the fragment.
        public var file: SourceFile
        /// The absolute path of the directory that the fragment's relative paths resolve against.
        public var directory: String
        /// Whether the fragment is defined in a suite, whose variables it then sees.
        public var isInSuite: Bool
        /// The variables of a fragment file; empty for a fragment that is defined in a suite.
        public var variables: [Variable]
        /// The names whose values are masked in all output.
        public var secrets: SecretNames

        /// Creates an origin.
        public init(
            file: SourceFile, directory: String, isInSuite: Bool, variables: [Variable] = [],
            secrets: SecretNames = SecretNames()
        ) {
            self.file = file
            self.directory = directory
            self.isInSuite = isInSuite
            self.variables = variables
            self.secrets = secrets
        }
    }

    /// The maximum nesting depth of calls.
    public static let maximumDepth = 32
    /// The maximum number of steps that one call can run, including those of nested calls.
    public static let maximumSteps = 10_000

    /// The name of the fragment.
    public let name: String
    /// The description for people.
    public let description: String?
    /// The file that defines the fragment.
    public let origin: Origin
    /// The parameters, in order.
    public let parameters: [Parameter]
    /// The outputs, in order.
    public let outputs: [Output]
    /// The fragment's own variables.
    public let variables: [Variable]
    /// The steps, in order.
    public let steps: [SuiteStep]
    /// The first URL, in the fragment or in one that it calls, that resolves against the caller's `baseURL`.
    public let relativeURL: String?
    /// Whether a URL, in the fragment or in one that it calls, may resolve against the caller's `baseURL`.
    ///
    /// The start of a URL that begins with an expression is known only when the request is sent.
    public let mayUseBaseURL: Bool
    /// The source range of the name.
    public let range: SourceRange
    /// The number of steps that a call runs, including those of nested calls.
    public let stepCount: Int
    /// The nesting depth of calls: 1 if the fragment calls no other fragment.
    public let depth: Int

    /// Creates a fragment.
    public init(
        name: String, description: String? = nil, origin: Origin, parameters: [Parameter] = [], outputs: [Output] = [],
        variables: [Variable] = [], steps: [SuiteStep], relativeURL: String? = nil, range: SourceRange
    ) {
        self.name = name
        self.description = description
        self.origin = origin
        self.parameters = parameters
        self.outputs = outputs
        self.variables = variables
        self.steps = steps
        self.relativeURL = relativeURL
        self.range = range
        var count = 0
        var depth = 0
        var mayUseBaseURL = relativeURL != nil
        for step in steps {
            guard case .call(let call) = step.action else {
                count += 1
                if let request = step.request, request.mayUseBaseURL { mayUseBaseURL = true }
                continue
            }
            if call.fragment.mayUseBaseURL { mayUseBaseURL = true }
            // Every fragment in the sum was capped when it was created, so this cannot overflow.
            count = min(count + call.fragment.stepCount, Self.maximumSteps + 1)
            depth = max(depth, call.fragment.depth)
        }
        stepCount = count
        self.depth = depth + 1
        self.mayUseBaseURL = mayUseBaseURL
    }
}

extension RequestSpec {
    /// Whether the URL of the request, or that of its token endpoint, may be relative.
    fileprivate var mayUseBaseURL: Bool {
        if url.mayBeRelativeURL { return true }
        guard case .oauth2(let settings)? = extras?.authentication?.method else { return false }
        return settings.tokenURL.mayBeRelativeURL
    }
}

extension Template {
    /// Whether the template may render a relative URL, because it does not start with a literal scheme.
    fileprivate var mayBeRelativeURL: Bool {
        let start: String
        switch self {
        case .constant(let text): start = text
        case .expression: return true
        case .joined(let parts):
            guard case .text(let text)? = parts.first else { return true }
            start = text
        }
        return !["http://", "https://", "ws://", "wss://"].contains { start.hasPrefix($0) }
    }
}

/// A call of a fragment by a step.
public final class FragmentCall: Sendable {
    /// An argument of a call.
    public struct Argument: Sendable {
        /// The name of the parameter.
        public var name: String
        /// The value, evaluated in the scope of the caller.
        public var value: ValueTemplate
        /// The source range of the name.
        public var range: SourceRange

        /// Creates an argument.
        public init(name: String, value: ValueTemplate, range: SourceRange) {
            self.name = name
            self.value = value
            self.range = range
        }
    }

    /// The fragment that is called.
    public let fragment: Fragment
    /// The arguments, in source order.
    public let arguments: [Argument]
    /// Whether a run makes the call once and shares its outputs with all identical calls.
    public let runsOnce: Bool
    /// The source range of the fragment's name in the call.
    public let range: SourceRange

    /// Creates a call.
    public init(fragment: Fragment, arguments: [Argument] = [], runsOnce: Bool = false, range: SourceRange) {
        self.fragment = fragment
        self.arguments = arguments
        self.runsOnce = runsOnce
        self.range = range
    }
}
