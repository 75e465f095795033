import Synchronization

/// A repeatable source of random numbers that several evaluations can share.
public final class CELRandomSource: Sendable {
    private let state: Mutex<UInt64>

    /// Makes a source that gives the same numbers for the same seed.
    public init(seed: UInt64) {
        state = Mutex(seed)
    }

    /// Makes a source that gives other numbers every time.
    public convenience init() {
        var generator = SystemRandomNumberGenerator()
        self.init(seed: generator.next())
    }

    /// A source that gives the same numbers as this one from now on.
    func copy() -> CELRandomSource { CELRandomSource(seed: state.withLock { $0 }) }

    /// The next 64 random bits (SplitMix64).
    public func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
    }

    /// A number below the bound, all of them being equally likely; zero for a bound of zero.
    func next(below bound: UInt64) -> UInt64 {
        guard bound > 0 else { return 0 }
        // Numbers of the incomplete last stretch are thrown away, so that none is more likely.
        let limit = UInt64.max - UInt64.max % bound
        while true {
            let bits = next()
            if bits < limit { return bits % bound }
        }
    }
}
