/// How far a body has been transferred.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes so far.
    public var completed: Int
    /// All bytes, where that is known.
    public var total: Int?

    /// Creates a progress.
    public init(completed: Int, total: Int?) {
        self.completed = completed
        self.total = total
    }

    /// The part that is done, from 0 to 1, where the total is known.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
    }
}
