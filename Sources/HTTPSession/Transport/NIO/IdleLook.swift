#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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
