/// Whose responses an entry of a lock describes: those of all rows, rounds and iterations of a step.
public struct LockKey: Sendable, Hashable {
    /// The index of the suite's document in its file, from 0.
    public var document: Int
    /// The test's name as it is written; the second of a name has ` [2]` behind it.
    public var test: String
    /// The step's name, or its request as it is written, behind the calls that lead to it; nil for a test that is a single
    /// exchange.
    public var step: String?

    /// Creates a key.
    public init(document: Int = 0, test: String, step: String? = nil) {
        self.document = document
        self.test = test
        self.step = step
    }

    /// What people are shown: `order › POST /orders`.
    var title: String { step.map { "\(test) › \($0)" } ?? test }
}
