/// A problem in a text, with its place and what to do about it.
public struct Diagnostic: Sendable, Hashable {
    /// The stable name of the kind of problem, in lower case with hyphens, such as `unknown-key`.
    public var id: String
    /// How bad the problem is.
    public var severity: Severity
    /// What is wrong, in one sentence without a full stop.
    public var message: String
    /// The place of the problem, if it has one.
    public var range: SourceRange?
    /// A few words beside the underlined place; may be empty.
    public var label: String
    /// Other places, and further facts, that help to understand the problem.
    public var related: [Related]
    /// What to do, such as `write "url"`.
    public var suggestion: String?

    /// Creates a diagnostic.
    public init(
        id: String, severity: Severity = .error, message: String, range: SourceRange? = nil, label: String = "",
        related: [Related] = [], suggestion: String? = nil
    ) {
        self.id = id
        self.severity = severity
        self.message = message
        self.range = range
        self.label = label
        self.related = related
        self.suggestion = suggestion
    }
}
