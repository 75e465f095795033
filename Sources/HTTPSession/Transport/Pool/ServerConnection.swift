import NIOCore
import NIOPosix

/// A connection to a server that carries exchanges; used on its event loop only.
protocol ServerConnection: AnyObject {
    /// The channel, nil before the connection is in one.
    var channel: (any Channel)? { get }
    /// The channel's socket, to be looked at while the channel is active.
    var socket: NIOBSDSocket.Handle? { get }
    /// The server's address and port.
    var remoteAddress: String? { get }
    /// What is known of the TLS session; nil over plain TCP.
    var tls: TLSDetails? { get }
    /// When the last exchange ended; 0 before there was one.
    var idleSince: UInt64 { get }

    /// The time that the server says it leaves the connection open without a request; `UInt64.max` if it does not.
    var announcedLife: UInt64 { get }

    /// Sends a request and gives the exchange its response, or its failure.
    func run(_ exchange: TransportExchange)

    /// Leaves an exchange that has ended before its response was complete.
    func abandon(_ exchange: TransportExchange)

    /// Goes on with a response after ``TransportExchange/receivedBody(_:)`` has told to wait.
    func resumeReading(for exchange: TransportExchange)

    /// Closes the connection; the exchanges on it must have been ended.
    func close()

    /// What the server lacks for an exchange to go on, for the words of a timeout; nil for nothing that is known.
    func obstacle(for exchange: TransportExchange) -> String?
}

extension ServerConnection {
    var announcedLife: UInt64 { .max }

    func obstacle(for exchange: TransportExchange) -> String? { nil }
}

extension Channel {
    /// The socket of a channel over one; to find it takes microseconds.
    func findSocket() -> NIOBSDSocket.Handle? {
        let socket = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
        return socket ?? nil
    }
}
