import NIOCore
import Synchronization

/// The open connections of a server, so that stopping it can close them at once.
final class ConnectionRegistry: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    // Connections come and go on the event loop, the server is stopped from anywhere.
    private let state = Mutex(State())

    /// Adds a connection; one that comes after ``closeAll()`` is closed.
    func add(_ channel: any Channel) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.channels[ObjectIdentifier(channel)] = channel }
            return state.isClosed
        }
        if isClosed { channel.close(promise: nil) }
    }

    /// Removes a connection that has been closed.
    func remove(_ channel: any Channel) {
        state.withLock { $0.channels[ObjectIdentifier(channel)] = nil }
    }

    /// Closes every connection, and all that are still to come.
    ///
    /// - Returns: False when that was done before.
    func closeAll() -> Bool {
        let channels: [ObjectIdentifier: any Channel]? = state.withLock { state in
            if state.isClosed { return nil }
            state.isClosed = true
            let channels = state.channels
            state.channels = [:]
            return channels
        }
        guard let channels else { return false }
        for channel in channels.values { channel.close(promise: nil) }
        return true
    }
}
