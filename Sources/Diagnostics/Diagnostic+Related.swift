extension Diagnostic {
    /// A further fact about a problem, with its place if it has one.
    public struct Related: Sendable, Hashable {
        /// The fact, in a few words without a full stop.
        public var message: String
        /// The place that the fact is about.
        public var range: SourceRange?

        /// Creates a further fact.
        public init(message: String, range: SourceRange? = nil) {
            self.message = message
            self.range = range
        }
    }
}
