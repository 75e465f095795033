import Basics
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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
            guard pair.count == 2, ASCII.equalIgnoringCase(name, "timeout") else { continue }
            let digits = pair[1].filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x22 }
            guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return .max }
            // More than an hour is as good as any time.
            guard digits.count <= 4, let seconds = UInt64(String(decoding: digits, as: UTF8.self)) else { return .max }
            return seconds * 1_000_000_000
        }
        return .max
    }
}

/// Looks for what waits on idle connections that no request asked for.
///
/// Under load a connection waits for its next request while the event loop takes in the responses on the others, long
/// enough to be looked at before it is used. One call of the operating system looks at as many connections as were used
/// since the last one, so that it is not a call for each exchange.
struct IdleLook {
    /// The most connections that one call looks at.
    private static let most = 64

    /// Connections that were used since the last look without being looked at.
    private var uses = 0
    private var descriptors: [pollfd] = []

    /// Takes note that a connection was used that was looked at, or idle, a moment ago.
    mutating func noteUse() {
        uses += 1
    }

    /// Whether nothing waits on a connection; takes note of those of the others on which nothing waits either.
    /// - Parameters:
    ///   - connection: The one that is to be used now.
    ///   - others: Idle ones, of which the last will be used next.
    ///   - time: Now, in the nanoseconds of ``MonotonicClock``.
    mutating func isQuiet(_ connection: HTTP1Connection, beside others: [HTTP1Connection], at time: UInt64) -> Bool {
        let count = min(2 * uses + 1, Self.most - 1, others.count)
        uses = 0
        guard let socket = connection.openSocket else { return !connection.hasUnasked }
        descriptors.removeAll(keepingCapacity: true)
        descriptors.append(Self.descriptor(socket))
        let next = others.suffix(count)
        // What is not looked at takes a place of its own, which `poll` passes over.
        for other in next { descriptors.append(Self.descriptor(other.openSocket ?? -1)) }
        guard poll(&descriptors, nfds_t(descriptors.count), 0) >= 0 else { return !connection.hasUnasked }
        for (other, descriptor) in zip(next, descriptors.dropFirst())
        where descriptor.fd >= 0 && descriptor.revents == 0 {
            other.quietSince = time
        }
        return descriptors[0].revents == 0
    }

    private static func descriptor(_ socket: CInt) -> pollfd {
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    }
}
