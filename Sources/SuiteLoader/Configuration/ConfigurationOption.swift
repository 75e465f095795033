/// An option of the command line as a configuration file may set it.
public struct ConfigurationOption: Sendable, Hashable {
    /// What an option takes.
    public enum Kind: Sendable, Hashable {
        /// Nothing: it is there or not.
        case flag
        /// Nothing, and it may be there several times.
        case count
        /// A value.
        case value
        /// A value each time that it is there.
        case values
    }

    /// The long name, without the two hyphens.
    public var name: String
    /// What it takes.
    public var kind: Kind
    /// The words that it knows; empty when it takes others too.
    public var choices: [String]
    /// Whether its value, or what follows a `=` in it, is a path.
    public var path: PathForm
    /// What it does, in one sentence.
    public var documentation: String

    /// Where the path stands in a value.
    public enum PathForm: Sendable, Hashable {
        /// Nowhere.
        case none
        /// It is the value.
        case whole
        /// Behind the first `=`, as in `junit=report.xml`.
        case behindEquals
        /// Behind the last `=`, as in `https://example.com/?id=1=book.json`.
        case behindLastEquals
    }

    /// Creates a description.
    public init(
        name: String, kind: Kind, choices: [String] = [], path: PathForm = .none, documentation: String = ""
    ) {
        self.name = name
        self.kind = kind
        self.choices = choices
        self.path = path
        self.documentation = documentation
    }
}
