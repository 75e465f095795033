import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension ConnectionPool {
    /// With one processor, watching would keep a server on the same machine from answering.
    static let hasProcessorsToSpare = System.coreCount > 1

    /// Watches for the response to a request that was just sent and is the only one, once the loop has nothing else to do.
    func watch(_ exchange: TransportExchange) {
        guard Self.hasProcessorsToSpare, exchange.isRequestSent, isAlone(exchange), responseWatch.isWorthwhile() else {
            return
        }
        let waiting = NIOLoopBound((self, exchange), eventLoop: eventLoop)
        eventLoop.execute {
            let (pool, exchange) = waiting.value
            guard pool.isAlone(exchange), exchange.step == .waiting, let connection = exchange.connection,
                connection.channel?.isActive == true, let socket = connection.socket
            else { return }
            let hasCome = Self.waitForInput(from: socket, nanoseconds: ResponseWatch.longest)
            pool.responseWatch.note(hasCome: hasCome)
        }
    }

    /// Looks at a socket again and again until there is something to be read from it, or the time is over.
    private static func waitForInput(from socket: CInt, nanoseconds: UInt64) -> Bool {
        let end = MonotonicClock.now() + nanoseconds
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        repeat {
            if poll(&descriptor, 1, 0) != 0 { return true }
        } while MonotonicClock.now() < end
        return false
    }
}
