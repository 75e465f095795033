/// The session's own number of a request, unique within the session.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
    /// The number, from 1.
    public let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The number with a mark, as in `#7`.
    public var description: String { "#\(rawValue)" }
}
