/// How much an evaluation may do before it ends in an error.
public struct CELBudget: Sendable, Hashable {
    /// The number of operations; long texts and lists count as many.
    public var maximumSteps: Int
    /// The size of the text and of the lists that the evaluation makes, in bytes.
    public var maximumMemory: Int

    /// Makes a budget; the defaults allow about a second's work and 64 MiB.
    public init(maximumSteps: Int = 10_000_000, maximumMemory: Int = 64 << 20) {
        self.maximumSteps = maximumSteps
        self.maximumMemory = maximumMemory
    }
}
