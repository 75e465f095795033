/// Values that live until the program ends, so that no time is spent on giving back memory of which the end takes care.
enum KeptUntilExit {
    /// Holds a value in memory.
    private final class Holder {
        let value: any Sendable

        init(_ value: any Sendable) {
            self.value = value
        }
    }

    /// Keeps a value; only for a command that ends the program.
    static func keep(_ value: some Sendable) {
        _ = Unmanaged.passRetained(Holder(value))
    }
}
