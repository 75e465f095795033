public import Diagnostics

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
