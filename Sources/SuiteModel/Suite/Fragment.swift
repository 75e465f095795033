public import Diagnostics

/// A named list of steps that tests and other fragments call.
///
/// Its requests have the defaults of the file in which it is written, and its expressions see its parameters, what its
/// steps capture, its variables and those of its file, and nothing else of whoever calls it.
public final class Fragment: Sendable {
    /// What a call gives a fragment.
    public struct Parameter: Sendable {
        /// The name by which the fragment's expressions read it.
        public var name: String
        /// What the parameter is about, for people.
        public var description: String?
        /// The value where a call gives none; nil for a parameter that every call must give.
        public var defaultValue: ValueTemplate?
        /// True when the value is masked in every output.
        public var isSecret: Bool
        /// False when nothing in the fragment reads it.
        public var isUsed = true
        /// The place of the name.
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

    /// What a fragment gives whoever calls it.
    public struct Output: Sendable {
        /// The name by which the caller reads it.
        public var name: String
        /// What it is, evaluated after the last step.
        public var value: ValueTemplate
        /// The place of the name.
        public var range: SourceRange

        /// Creates an output.
        public init(name: String, value: ValueTemplate, range: SourceRange) {
            self.name = name
            self.value = value
            self.range = range
        }
    }

    /// Where a fragment is written, and what it has of its file.
    public struct Origin: Sendable {
        /// The file.
        public var file: SourceFile
        /// The folder, absolute, against which the fragment's relative paths resolve.
        public var folder: String
        /// True when it is written in a suite, whose variables it sees then.
        public var isInSuite: Bool
        /// The variables of a file of fragments; empty for a fragment that is written in a suite.
        public var variables: [Variable]
        /// The names of what every output masks.
        public var secrets: SecretNames

        /// Creates an origin.
        public init(
            file: SourceFile, folder: String, isInSuite: Bool, variables: [Variable] = [],
            secrets: SecretNames = SecretNames()
        ) {
            self.file = file
            self.folder = folder
            self.isInSuite = isInSuite
            self.variables = variables
            self.secrets = secrets
        }
    }

    /// The most calls that may be nested in one another.
    public static let maximumDepth = 32
    /// The most steps that one call may come to, those of the fragments that it calls included.
    public static let maximumSteps = 10_000

    /// The name.
    public let name: String
    /// What the fragment is about, for people.
    public let description: String?
    /// Where it is written.
    public let origin: Origin
    /// What a call gives it, in order.
    public let parameters: [Parameter]
    /// What it gives its caller, in order.
    public let outputs: [Output]
    /// The fragment's own variables.
    public let variables: [Variable]
    /// The steps, in order.
    public let steps: [SuiteStep]
    /// The first URL that resolves against the caller's `baseURL`, in it or in what it calls.
    public let relativeURL: String?
    /// Whether a URL may resolve against the caller's `baseURL`, in it or in what it calls: what an expression begins is
    /// known only when it is sent.
    public let mayUseBaseURL: Bool
    /// The place of the name.
    public let range: SourceRange
    /// The steps that a call comes to, those of the fragments that it calls included.
    public let stepCount: Int
    /// How deep calls are nested in it: 1 when it calls nothing.
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
            // Each is bounded by what was built before, far below the largest integer.
            count = min(count + call.fragment.stepCount, Self.maximumSteps + 1)
            depth = max(depth, call.fragment.depth)
        }
        stepCount = count
        self.depth = depth + 1
        self.mayUseBaseURL = mayUseBaseURL
    }
}

extension RequestSpec {
    /// Whether one of its URLs may be relative: that of the request, or that of the server which gives it a token.
    fileprivate var mayUseBaseURL: Bool {
        if url.mayBeRelativeURL { return true }
        guard case .oauth2(let settings)? = extras?.authentication?.method else { return false }
        return settings.tokenURL.mayBeRelativeURL
    }
}

extension Template {
    /// Whether it does not begin with the text of a scheme, so that its URL may be relative.
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

/// A call of a fragment, as a step makes it.
public final class FragmentCall: Sendable {
    /// What a call gives a parameter.
    public struct Argument: Sendable {
        /// The parameter's name.
        public var name: String
        /// Its value, evaluated in the caller's scope.
        public var value: ValueTemplate
        /// The place of the name.
        public var range: SourceRange

        /// Creates an argument.
        public init(name: String, value: ValueTemplate, range: SourceRange) {
            self.name = name
            self.value = value
            self.range = range
        }
    }

    /// What is called.
    public let fragment: Fragment
    /// What the call gives it, in the order of the suite.
    public let arguments: [Argument]
    /// True when a run makes the call once and shares its outputs with all that make the same one.
    public let runsOnce: Bool
    /// The place of the fragment's name in the call.
    public let range: SourceRange

    /// Creates a call.
    public init(fragment: Fragment, arguments: [Argument] = [], runsOnce: Bool = false, range: SourceRange) {
        self.fragment = fragment
        self.arguments = arguments
        self.runsOnce = runsOnce
        self.range = range
    }
}
