/// Decides whether the response to the only request under way is watched for, instead of letting the thread sleep until it
/// comes.
///
/// To put a thread to sleep and to wake it costs more than many a server near by takes to answer. So the loop looks for the
/// response for a short while, as long as that goes well often enough, and hardly ever where servers take longer.
struct ResponseWatch {
    /// How long a response is watched for, in nanoseconds.
    ///
    /// A server on the same machine that has to be woken takes 30 to 120 µs there; where machines are virtual, to sleep and be
    /// woken costs the client as much again. What a watch in vain takes is bounded by the credit.
    static let longest: UInt64 = 150_000

    /// How many failures are borne; each success earns another one.
    private static let mostCredit = 8
    /// After so many requests without a watch it is tried again.
    private static let patience = 256

    private var credit = 2
    private var skipped = 0

    /// Whether the next response is to be watched for.
    mutating func isWorthwhile() -> Bool {
        if credit > 0 { return true }
        skipped += 1
        guard skipped >= Self.patience else { return false }
        skipped = 0
        return true
    }

    /// Takes note of how a watch has ended.
    mutating func note(hasCome: Bool) {
        credit = hasCome ? min(credit + 1, Self.mostCredit) : max(credit - 1, 0)
    }
}
