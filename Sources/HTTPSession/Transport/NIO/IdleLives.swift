import Synchronization

/// The times that servers leave idle connections open, as far as they have shown it by closing one.
///
/// A request that may not be repeated fails when its connection is closed while it is on its way. No look at the socket
/// prevents that, so such a request is sent only where the connection is far younger than the server has let others
/// become. The event loops of a transport share what they have learned.
final class IdleLives: Sendable {
    /// The number of origins that are remembered; with more, everything is learned anew.
    private static let capacity = 1_000
    /// Servers that close connections sooner than this may close them at any moment, in nanoseconds.
    static let least: UInt64 = 1_000_000_000

    private let lives = Mutex<[Origin: UInt64]>([:])
    /// Changes with every change of the lives, so that their users need no lock.
    private let changes = Atomic<Int>(0)

    /// A number that is the same as long as no life has changed.
    var version: Int { changes.load(ordering: .acquiring) }

    /// Notes that a server has closed a connection that had been idle for so many nanoseconds.
    func note(_ time: UInt64, of origin: Origin) {
        lives.withLock { lives in
            if lives.count >= Self.capacity, lives[origin] == nil { lives = [:] }
            guard time < lives[origin] ?? .max else { return }
            lives[origin] = time
            changes.add(1, ordering: .releasing)
        }
    }

    /// Returns the shortest time after which the server has closed an idle connection; `UInt64.max` if it has closed none.
    func life(of origin: Origin) -> UInt64 { lives.withLock { $0[origin] ?? .max } }

    /// Whether a connection is likely to stay open while a request is on its way.
    /// - Parameters:
    ///   - idle: The nanoseconds that it has been idle.
    ///   - life: The nanoseconds that the server leaves idle connections open.
    static func isSafe(idle: UInt64, life: UInt64) -> Bool {
        life == .max || life >= least && idle < life / 2
    }

    /// Returns the life that a server announces in a `Keep-Alive` field, in nanoseconds; `UInt64.max` without one.
    static func announced(_ field: String) -> UInt64 {
        for part in field.utf8.split(separator: UInt8(ascii: ",")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
            let name = String(decoding: pair.first ?? part, as: UTF8.self).filter { $0 != " " && $0 != "\t" }
            guard pair.count == 2, ByteClass.equalIgnoringCase(name, "timeout") else { continue }
            let digits = pair[1].filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x22 }
            guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return .max }
            // More than an hour is as good as any time.
            guard digits.count <= 4, let seconds = UInt64(String(decoding: digits, as: UTF8.self)) else { return .max }
            return seconds * 1_000_000_000
        }
        return .max
    }
}
