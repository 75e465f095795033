import Basics
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The observed idle timeouts of servers, learned when a server closes an idle connection.
///
/// A request that cannot be repeated fails if the server closes its connection while it is in transit. Checking the
/// socket does not prevent that. Such a request is therefore sent only on a connection that has been idle for far less
/// time than the server's observed timeout. The event loops of a transport share these observations.
final class IdleTimeouts: Sendable {
    /// The maximum number of origins; when it is exceeded, all observations are discarded.
    private static let capacity = 1_000
    /// The minimum usable idle timeout in nanoseconds; servers with a shorter one may close a connection at any moment.
    static let minimum: UInt64 = 1_000_000_000

    private let lives = Mutex<[Origin: UInt64]>([:])
    /// A counter of changes, so that readers need no lock.
    private let changes = Atomic<Int>(0)

    /// A version number that changes whenever an idle timeout changes.
    var version: Int { changes.load(ordering: .acquiring) }

    /// Records that a server closed a connection that had been idle for the given number of nanoseconds.
    func note(_ time: UInt64, of origin: Origin) {
        lives.withLock { lives in
            if lives.count >= Self.capacity, lives[origin] == nil { lives = [:] }
            guard time < lives[origin] ?? .max else { return }
            lives[origin] = time
            changes.add(1, ordering: .releasing)
        }
    }

    /// Returns the shortest observed idle timeout of an origin; `UInt64.max` if none was observed.
    func life(of origin: Origin) -> UInt64 { lives.withLock { $0[origin] ?? .max } }

    /// Returns whether a connection is likely to stay open while a request is in transit.
    /// - Parameters:
    ///   - idle: The time for which the connection has been idle, in nanoseconds.
    ///   - life: The server's idle timeout in nanoseconds.
    static func isSafe(idle: UInt64, life: UInt64) -> Bool {
        life == .max || life >= minimum && idle < life / 2
    }

    /// Returns the idle timeout announced in a `Keep-Alive` field, in nanoseconds; `UInt64.max` without one.
    static func announced(_ field: String) -> UInt64 {
        for part in field.utf8.split(separator: UInt8(ascii: ",")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
            let name = String(decoding: pair.first ?? part, as: UTF8.self).filter { $0 != " " && $0 != "\t" }
            guard pair.count == 2, ASCII.equalIgnoringCase(name, "timeout") else { continue }
            let digits = pair[1].filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x22 }
            guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return .max }
            // A timeout of more than 9999 seconds is treated as unlimited.
            guard digits.count <= 4, let seconds = UInt64(String(decoding: digits, as: UTF8.self)) else { return .max }
            return seconds * 1_000_000_000
        }
        return .max
    }
}

/// A check of idle connections for unsolicited data.
///
/// Under load, a connection waits for its next request while the event loop processes responses on others, long enough
/// to require a check before its reuse. A single system call checks as many connections as were used since the last
/// check, which avoids a call per exchange.
struct IdleCheck {
    /// The maximum number of connections per system call.
    private static let maximum = 64

    /// The number of connections used since the last check without being checked.
    private var uses = 0
    private var descriptors: [pollfd] = []

    /// Records the use of a connection that was checked, or became idle, a moment ago.
    mutating func noteUse() {
        uses += 1
    }

    /// Returns whether a connection has no unsolicited data, and also marks other quiet connections as checked.
    /// - Parameters:
    ///   - connection: The connection to be used now.
    ///   - others: Idle connections; the last is used next.
    ///   - time: The current time in nanoseconds of ``MonotonicClock``.
    mutating func isQuiet(_ connection: HTTP1Connection, beside others: [HTTP1Connection], at time: UInt64) -> Bool {
        let count = min(2 * uses + 1, Self.maximum - 1, others.count)
        uses = 0
        guard let socket = connection.openSocket else { return !connection.hasUnasked }
        descriptors.removeAll(keepingCapacity: true)
        descriptors.append(Self.descriptor(socket))
        let next = others.suffix(count)
        // A connection without a socket gets an entry that `poll` ignores.
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
