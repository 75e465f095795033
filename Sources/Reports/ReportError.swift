/// Why a report cannot be made or written.
public struct ReportError: Error, Sendable, Hashable {
    /// The path of the report, when it has one.
    public var path: String?
    /// What is wrong, as one sentence without a final full stop; it names the path.
    public var message: String

    /// Creates an error.
    public init(path: String? = nil, message: String) {
        self.path = path
        self.message = message
    }
}
