/// Durations on the command line, written as in suites.
public enum DurationOption {
    /// Why a text is no duration.
    public struct Failure: Error, Sendable {
        /// One sentence without a final full stop, with what to write instead.
        public var message: String

        /// Creates a failure.
        public init(message: String) {
            self.message = message
        }
    }

    /// The nanoseconds of a duration such as `250ms` or `1m30s`.
    ///
    /// - Throws: ``Failure`` when the text is no duration.
    public static func nanoseconds(_ text: String) throws(Failure) -> Int64 {
        do {
            return try QuantityReader.duration(text)
        } catch {
            throw Failure(message: error.message + (error.suggestion.map { "; \($0)" } ?? ""))
        }
    }
}
