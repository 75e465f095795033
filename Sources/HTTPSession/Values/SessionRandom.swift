/// The random numbers that a session uses for jitter, nonces and boundaries: tests put their own in its place.
public struct SessionRandom: Sendable {
    /// Gives the next number, each of its 64 bits evenly distributed.
    public var next: @Sendable () -> UInt64

    /// Creates a source of a function.
    public init(next: @escaping @Sendable () -> UInt64) {
        self.next = next
    }

    /// The system's secure source.
    public static let system = SessionRandom {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// A number from 0 up to, but not including, 1.
    public func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Bytes.
    public func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(0, count))
        var number: UInt64 = 0
        for index in 0..<max(0, count) {
            if index % 8 == 0 { number = next() }
            bytes.append(UInt8(truncatingIfNeeded: number))
            number >>= 8
        }
        return bytes
    }
}
