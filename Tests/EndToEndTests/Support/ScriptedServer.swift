import Glibc
import Synchronization
import TestSupport

/// A server that follows a script, on a free port of the loopback interface. Each connection has its own thread.
final class ScriptedServer: Sendable {
    private struct State {
        var sockets: Set<Int32> = []
        var requests: [String] = []
        var isStopped = false
    }

    /// The port.
    let port: Int
    private let script: ServerScript
    private let listener: Int32
    private let state = Mutex(State())

    /// Starts a server.
    init(_ script: ServerScript) throws {
        self.script = script
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let backlog: Int32 = script.listening == .full ? 0 : 512
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
                    && listen(listener, backlog) == 0
            }
        }
        guard isListening else {
            throw ServerScript.Failure(description: "no port: \(String(cString: strerror(errno)))")
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        if script.listening == .full {
            fill()
        } else {
            Background.start { [self] in accept() }
        }
    }

    /// The URL of the server.
    var url: String { "http://127.0.0.1:\(port)" }

    /// The request lines that were read so far.
    var requests: [String] { state.withLock { $0.requests } }

    /// The number of open connections.
    var connections: Int { state.withLock { $0.sockets.count } }

    /// Closes all connections.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        state.withLock { state in
            state.isStopped = true
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
        close(listener)
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(clamping: port).bigEndian
        return address
    }

    /// Fills the queue of a listener that accepts nothing, so that further connections wait.
    private func fill() {
        for _ in 0..<4 {
            let socket = Glibc.socket(
                AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            var address = Self.loopback(port: port)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    connect(socket, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            state.withLock { _ = $0.sockets.insert(socket) }
        }
    }

    private func accept() {
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            guard socket >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            let isWanted = state.withLock { state in
                if !state.isStopped { state.sockets.insert(socket) }
                return !state.isStopped
            }
            guard isWanted else {
                close(socket)
                return
            }
            Background.start { [self] in
                serve(socket)
                state.withLock { _ = $0.sockets.remove(socket) }
                close(socket)
            }
        }
    }

    private func serve(_ socket: Int32) {
        var rest: [UInt8] = []
        if script.listening == .silent { return wait(socket) }
        if script.listening == .plain {
            var byte: UInt8 = 0
            if recv(socket, &byte, 1, 0) > 0 { _ = send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), to: socket) }
            // Closing with unread bytes would cause a reset, which may overtake the response.
            return wait(socket)
        }
        if script.listening == .http2 { return serveHTTP2(socket) }
        if script.listening == .raw {
            // All received bytes are read, because closing with unread bytes would cause a reset.
            var buffer = [UInt8](repeating: 0, count: 65_536)
            if recv(socket, &buffer, buffer.count, 0) > 0 { _ = follow(script.actions(for: "*"), on: socket) }
            return
        }
        while let line = request(from: socket, &rest) {
            state.withLock { $0.requests.append(line) }
            guard follow(script.actions(for: line), on: socket) else { return }
        }
    }

    /// Serves HTTP/2: acknowledges settings and pings, and follows the script after each request's header.
    private func serveHTTP2(_ socket: Int32) {
        guard follow(script.start, on: socket) else { return }
        var reader = HTTP2RequestReader()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            for event in reader.read(buffer[..<count]) {
                switch event {
                case .reply(let bytes):
                    guard send(bytes, to: socket) else { return }
                case .request(let line, let stream):
                    state.withLock { $0.requests.append(line) }
                    guard follow(script.actions(for: line), on: socket, stream: stream) else { return }
                }
            }
        }
    }

    /// Performs the actions of a script.
    ///
    /// - Returns: Whether the connection remains open.
    private func follow(_ actions: [ServerScript.Action], on socket: Int32, stream: UInt32 = 0) -> Bool {
        for action in actions {
            switch action {
            case .send(let bytes, let times):
                guard send(bytes, times: times, to: socket) else { return false }
            case .drip(let bytes, let milliseconds, let times):
                for _ in 0..<times {
                    for byte in bytes {
                        guard send([byte], to: socket) else { return false }
                        usleep(UInt32(clamping: milliseconds * 1_000))
                    }
                }
            case .frame(let type, let flags, let number, let payload, let times):
                let frame = HTTP2RequestReader.frame(
                    type: type, flags: flags, stream: number ?? stream, payload: payload)
                guard send(frame, times: times, to: socket) else { return false }
            case .barrier(let count):
                guard isReached(count) else { return false }
            case .halfClose: shutdown(socket, Int32(SHUT_WR))
            case .hang:
                wait(socket)
                return false
            case .close: return false
            case .reset:
                var option = linger(l_onoff: 1, l_linger: 0)
                setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
                return false
            }
        }
        return true
    }

    /// Waits for a limited time until the given number of requests has been received.
    private func isReached(_ count: Int) -> Bool {
        for _ in 0..<10_000 {
            if state.withLock({ $0.isStopped }) { return false }
            if requests.count >= count { return true }
            usleep(1_000)
        }
        return false
    }

    /// Reads until the peer or the test closes the connection.
    private func wait(_ socket: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count > 0 || (count < 0 && errno == EINTR) { continue }
            return
        }
    }

    /// Sends bytes repeatedly, combined into large writes.
    private func send(_ bytes: [UInt8], times: Int, to socket: Int32) -> Bool {
        let atOnce = max(1, min(times, 16_384 / max(1, bytes.count)))
        let batch = Array(repeatElement(bytes, count: atOnce).joined())
        for _ in 0..<(times / atOnce) where !send(batch, to: socket) { return false }
        return send(Array(batch.prefix(bytes.count * (times % atOnce))), to: socket)
    }

    private func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads a request with its body, if it has a `Content-Length`.
    ///
    /// - Returns: The method and target, or nil at the end of the connection.
    private func request(from socket: Int32, _ bytes: inout [UInt8]) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(ofText: "\r\n\r\n") {
                let head = text[..<end]
                let lines = head.split(separator: "\r\n")
                let length =
                    lines.first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
                let size = head.utf8.count + 4 + length
                if bytes.count >= size {
                    bytes.removeFirst(size)
                    return lines.first?.split(separator: " ").prefix(2).joined(separator: " ")
                }
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }
}

extension String {
    /// Returns the index of a text.
    fileprivate func range(ofText text: String) -> Index? {
        ranges(of: text).first?.lowerBound
    }
}
