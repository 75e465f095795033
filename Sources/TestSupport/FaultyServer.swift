import Glibc
import Synchronization

/// A loopback server that follows a script byte for byte, for testing how clients handle faulty servers.
///
/// Each connection follows its own script. The last script applies to all further connections.
public final class FaultyServer: Sendable {
    /// An action of the server on a connection.
    public enum Step: Sendable {
        /// Reads one request: its header, and a body delimited by Content-Length or chunks.
        case receive
        /// Reads only the header of a request.
        case receiveHeader
        /// Reads one frame from a WebSocket client.
        case receiveFrame
        /// Sends bytes.
        case send([UInt8])
        /// Sends each part separately, followed by a pause in milliseconds.
        case drip([[UInt8]], milliseconds: Int)
        /// Waits for a gate to open.
        case wait(Gate)
        /// Opens a gate, for a test that waits for the preceding steps.
        case open(Gate)
        /// Waits until the client closes the connection, and reads what it sends.
        case waitForClose
        /// Closes the sending direction of the connection, and continues.
        case endSending
        /// Closes the connection normally.
        case close
        /// Resets the connection, and continues.
        case reset

        /// Sends a string in UTF-8.
        public static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    /// The address family on which the server listens.
    public enum Family: Sendable {
        /// 127.0.0.1.
        case version4
        /// ::1.
        case version6
    }

    private struct State {
        var connections = 0
        var requests: [[UInt8]] = []
        var closedByClient = 0
        var waiters: [(requests: Int, closed: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// The port on which the server listens.
    public let port: Int
    private let listener: CInt
    private let scripts: [[Step]]
    private let stop = Gate()
    private let state = Mutex(State())

    /// Starts a server, or returns `nil` if it cannot listen, for example without IPv6.
    ///
    /// - Parameters:
    ///   - family: The address family.
    ///   - scripts: The scripts of the first, second, and further connections. The end of a script closes its
    ///     connection.
    public init?(family: Family = .version4, _ scripts: [Step]...) {
        guard let (descriptor, port) = FaultyServer.listen(family, backlog: 128) else { return nil }
        listener = descriptor
        self.port = port
        self.scripts = scripts
        let server = Unmanaged.passRetained(self).toOpaque()
        FaultyServer.detach(server) { argument in
            guard let argument else { return nil }
            Unmanaged<FaultyServer>.fromOpaque(argument).takeRetainedValue().acceptAll()
            return nil
        }
    }

    /// Shuts down the server and its connections.
    public func shutDown() {
        stop.open()
    }

    /// The URL of the server root.
    public var url: String { "http://127.0.0.1:\(port)/" }

    /// The number of accepted connections.
    public var connections: Int { state.withLock { $0.connections } }

    /// The bytes of the requests received on all connections, in order.
    public var requests: [[UInt8]] { state.withLock { $0.requests } }

    /// The requests as strings.
    public var requestTexts: [String] { requests.map { String(decoding: $0, as: UTF8.self) } }

    /// Waits until a number of requests has been received.
    public func waitForRequests(_ count: Int) async {
        await waitUntil(requests: count, closed: 0)
    }

    /// Waits until the client has closed a number of connections whose scripts wait for that.
    public func waitForClosedConnections(_ count: Int) async {
        await waitUntil(requests: 0, closed: count)
    }

    /// Waits until both numbers are reached or two minutes have passed.
    ///
    /// The test then fails on its own expectations.
    private func waitUntil(requests: Int, closed: Int) async {
        let patience = Task {
            try await Task.sleep(for: .seconds(120))
            let given = state.withLock { state in
                defer { state.waiters = [] }
                return state.waiters.map(\.continuation)
            }
            for continuation in given { continuation.resume() }
        }
        defer { patience.cancel() }
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.requests.count >= requests, state.closedByClient >= closed { return true }
                state.waiters.append((requests, closed, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            body(&state)
            let (count, closed) = (state.requests.count, state.closedByClient)
            let ready = state.waiters.filter { count >= $0.requests && closed >= $0.closed }
            state.waiters.removeAll { count >= $0.requests && closed >= $0.closed }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    // MARK: Threads

    /// Starts a detached thread.
    static func detach(
        _ argument: UnsafeMutableRawPointer,
        _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    ) {
        var thread = pthread_t()
        if pthread_create(&thread, nil, body, argument) == 0 { pthread_detach(thread) }
    }

    private final class Connection: Sendable {
        let server: FaultyServer
        let descriptor: CInt
        let script: [Step]

        init(server: FaultyServer, descriptor: CInt, script: [Step]) {
            self.server = server
            self.descriptor = descriptor
            self.script = script
        }
    }

    private func acceptAll() {
        while Self.isReadable(listener, stop: stop) {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { continue }
            var script: [Step] = []
            change { state in
                script = state.connections < scripts.count ? scripts[state.connections] : scripts.last ?? []
                state.connections += 1
            }
            let connection = Connection(server: self, descriptor: descriptor, script: script)
            Self.detach(Unmanaged.passRetained(connection).toOpaque()) { argument in
                guard let argument else { return nil }
                let connection = Unmanaged<Connection>.fromOpaque(argument).takeRetainedValue()
                connection.server.follow(connection.script, on: connection.descriptor)
                return nil
            }
        }
        close(listener)
    }

    /// Waits until a descriptor is readable.
    ///
    /// Returns `false` if the server is being shut down.
    private static func isReadable(_ descriptor: CInt, stop: Gate) -> Bool {
        var polled = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&polled, 2, -1) < 0, errno == EINTR {}
        return polled[1].revents == 0
    }

    // MARK: Scripts

    private func follow(_ script: [Step], on descriptor: CInt) {
        defer { close(descriptor) }
        var unread: [UInt8] = []
        for step in script {
            switch step {
            case .receive:
                guard let request = read(descriptor, &unread, withBody: true) else { return }
                change { $0.requests.append(request) }
            case .receiveHeader:
                guard let request = read(descriptor, &unread, withBody: false) else { return }
                change { $0.requests.append(request) }
            case .receiveFrame:
                guard let frame = readFrame(descriptor, &unread) else { return }
                change { $0.requests.append(frame) }
            case .send(let bytes):
                guard Self.send(descriptor, bytes) else { return }
            case .drip(let parts, let milliseconds):
                for part in parts {
                    guard Self.send(descriptor, part) else { return }
                    var polled = pollfd(fd: stop.readEnd, events: Int16(POLLIN), revents: 0)
                    if poll(&polled, 1, CInt(milliseconds)) > 0 { return }
                }
            case .wait(let gate):
                guard Self.isReadable(gate.readEnd, stop: stop) else { return }
            case .open(let gate): gate.open()
            case .waitForClose:
                while receive(descriptor, &unread) {}
                change { $0.closedByClient += 1 }
                return
            case .endSending: shutdown(descriptor, CInt(SHUT_WR))
            case .close:
                return
            case .reset:
                // Dissolving the association of a connected socket resets the connection immediately.
                var address = sockaddr()
                address.sa_family = sa_family_t(AF_UNSPEC)
                connect(descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
            }
        }
    }

    private static func send(_ descriptor: CInt, _ bytes: [UInt8]) -> Bool {
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(descriptor, buffer.baseAddress?.advanced(by: start), bytes.count - start, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            start += count
        }
        return true
    }

    private func receive(_ descriptor: CInt, _ unread: inout [UInt8]) -> Bool {
        guard Self.isReadable(descriptor, stop: stop) else { return false }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        unread.append(contentsOf: buffer[..<count])
        return true
    }

    /// Reads one request, or returns `nil` if the client closes the connection before its end.
    private func read(_ descriptor: CInt, _ unread: inout [UInt8], withBody: Bool) -> [UInt8]? {
        var headerEnd = Self.endOfHeader(unread)
        while headerEnd == nil {
            guard receive(descriptor, &unread) else { return nil }
            headerEnd = Self.endOfHeader(unread)
        }
        guard var end = headerEnd else { return nil }
        if withBody {
            let header = String(decoding: unread[..<end], as: UTF8.self).lowercased()
            if header.contains("\r\ntransfer-encoding: chunked") {
                while !unread[..<unread.count].ends(with: Array("0\r\n\r\n".utf8)) {
                    guard receive(descriptor, &unread) else { return nil }
                }
                end = unread.count
            } else if let line = header.split(separator: "\r\n").first(where: { $0.hasPrefix("content-length:") }),
                let length = Int(line.dropFirst(15).drop { $0 == " " })
            {
                end += length
                while unread.count < end { guard receive(descriptor, &unread) else { return nil } }
            }
        }
        let request = Array(unread[..<end])
        unread.removeFirst(end)
        return request
    }

    /// Reads one masked frame (RFC 6455, section 5.2), or returns `nil` if the client closes the connection before its
    /// end.
    private func readFrame(_ descriptor: CInt, _ unread: inout [UInt8]) -> [UInt8]? {
        while true {
            if unread.count >= 2 {
                let short = Int(unread[1] & 0x7F)
                let extra = short < 126 ? 0 : short == 126 ? 2 : 8
                if unread.count >= 2 + extra {
                    let length = extra == 0 ? short : unread[2..<(2 + extra)].reduce(0) { $0 << 8 | Int($1) }
                    let end = 2 + extra + 4 + length
                    if unread.count >= end {
                        defer { unread.removeFirst(end) }
                        return Array(unread[..<end])
                    }
                }
            }
            guard receive(descriptor, &unread) else { return nil }
        }
    }

    private static func endOfHeader(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 0...(bytes.count - 4)
        where bytes[index] == 13 && bytes[index + 1] == 10 && bytes[index + 2] == 13 && bytes[index + 3] == 10 {
            return index + 4
        }
        return nil
    }

    // MARK: Listening

    /// Returns a listening socket on a free port.
    static func listen(_ family: Family, backlog: CInt) -> (descriptor: CInt, port: Int)? {
        guard let (descriptor, port) = bind(family) else { return nil }
        guard Glibc.listen(descriptor, backlog) == 0 else { return failed(descriptor) }
        return (descriptor, port)
    }

    /// Returns a socket bound to a port, which is a free one by default.
    static func bind(_ family: Family, port wanted: Int = 0) -> (descriptor: CInt, port: Int)? {
        let domain = family == .version4 ? AF_INET : AF_INET6
        let descriptor = socket(domain, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var port = 0
        switch family {
        case .version4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(clamping: wanted).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            guard bound(descriptor, &address) else { return failed(descriptor) }
            port = Int(UInt16(bigEndian: address.sin_port))
        case .version6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = UInt16(clamping: wanted).bigEndian
            address.sin6_addr = in6addr_loopback
            guard bound(descriptor, &address) else { return failed(descriptor) }
            port = Int(UInt16(bigEndian: address.sin6_port))
        }
        return (descriptor, port)
    }

    private static func failed(_ descriptor: CInt) -> (descriptor: CInt, port: Int)? {
        close(descriptor)
        return nil
    }

    private static func bound<Address>(_ descriptor: CInt, _ address: inout Address) -> Bool {
        withUnsafeMutableBytes(of: &address) { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            var length = socklen_t(bytes.count)
            return Glibc.bind(descriptor, base, length) == 0 && getsockname(descriptor, base, &length) == 0
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with suffix: [UInt8]) -> Bool { self.suffix(suffix.count).elementsEqual(suffix) }
}
