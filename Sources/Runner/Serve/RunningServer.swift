/// A server that was started for a suite.
public protocol RunningServer: Sendable {
    /// Where it answers, such as `http://127.0.0.1:49152`.
    var baseURL: String { get }

    /// The port on which it listens.
    var port: Int { get }

    /// Stops it and returns once nothing of it is left, whatever state the calling task is in.
    ///
    /// - Returns: a sentence when it had ended by itself before, and further lines such as the end of its output.
    func stop() async -> RunningServerReport?
}

/// What is to be said of a server that ended before it was stopped.
public struct RunningServerReport: Sendable {
    /// What happened, as one sentence without a final full stop.
    public var message: String
    /// Further lines, such as the end of its output.
    public var details: [String]

    /// Creates a report.
    public init(message: String, details: [String] = []) {
        self.message = message
        self.details = details
    }
}
