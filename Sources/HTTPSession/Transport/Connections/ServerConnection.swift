import Basics
import NIOCore
import NIOPosix

/// A connection to a server that carries exchanges; used on its event loop only.
protocol ServerConnection: AnyObject {
    /// The channel; nil before the connection is added to one.
    var channel: (any Channel)? { get }
    /// The socket of the channel, valid while the channel is active.
    var socket: NIOBSDSocket.Handle? { get }
    /// The server's address and port.
    var remoteAddress: String? { get }
    /// The details of the TLS session; nil over plain TCP.
    var tls: TLSDetails? { get }
    /// The time at which the last exchange ended; 0 before the first.
    var idleSince: UInt64 { get }

    /// The idle timeout that the server announces; `UInt64.max` if it announces none.
    var announcedLife: UInt64 { get }

    /// Sends a request and completes the exchange with its response or failure.
    func run(_ exchange: TransportExchange)

    /// Abandons an exchange that has ended before its response was complete.
    func abandon(_ exchange: TransportExchange)

    /// Resumes a response after ``TransportExchange/receivedBody(_:)`` has returned false.
    func resumeReading(for exchange: TransportExchange)

    /// Closes the connection; its exchanges must have been ended before.
    func close()

    /// Returns the server-side reason why an exchange cannot continue, for the message of a timeout; nil if none is
    /// known.
    func obstacle(for exchange: TransportExchange) -> MessageText?
}

extension ServerConnection {
    var announcedLife: UInt64 { .max }

    func obstacle(for exchange: TransportExchange) -> MessageText? { nil }
}

extension Channel {
    /// Returns the socket of a channel, if it has one; this takes microseconds.
    func findSocket() -> NIOBSDSocket.Handle? {
        let socket = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
        return socket ?? nil
    }
}
