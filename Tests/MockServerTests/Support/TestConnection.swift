import JSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A blocking HTTP/1.1 connection, which tests the server through a real socket instead of its own stack.
final class TestConnection {
    /// The reason why nothing more can be read.
    enum Failure: Error {
        case refused
        case closed(received: String)
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to a port of 127.0.0.1.
    init(port: Int) throws {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        // After full initialization, the deinitializer closes the descriptor, even if the initializer throws.
        guard result == 0 else { throw Failure.refused }
    }

    deinit {
        close(descriptor)
    }

    /// Sends a request and reads its response.
    func send(
        _ method: String, _ target: String, headers: [(String, String)] = [], body: String? = nil
    ) throws -> TestResponse {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        write(text + "\r\n" + (body ?? ""))
        return try readResponse(to: method)
    }

    /// Sends a request with a JSON body and reads its response.
    func send(
        _ method: String, _ target: String, json: String, headers: [(String, String)] = []
    ) throws -> TestResponse {
        try send(method, target, headers: [("Content-Type", "application/json")] + headers, body: json)
    }

    /// Sends text unchanged.
    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { sendQuietly(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Reads one response.
    func readResponse(to method: String) throws -> TestResponse {
        let end = Array("\r\n\r\n".utf8)
        var headEnd: Int?
        while headEnd == nil {
            headEnd = buffer.indices.first { buffer[$0...].starts(with: end) }
            if headEnd == nil { try receive() }
        }
        let head = String(decoding: buffer[..<(headEnd ?? 0)], as: UTF8.self)
        buffer.removeFirst((headEnd ?? 0) + 4)
        let lines = head.split(separator: "\r\n")
        var response = TestResponse(status: Int(lines[0].split(separator: " ")[1]) ?? 0)
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            response.headers.append(
                (String(line[..<colon]).lowercased(), String(line[line.index(colon, offsetBy: 2)...])))
        }
        let isBodyless = method == "HEAD" || response.status == 204 || response.status == 304 || response.status < 200
        let length = isBodyless ? 0 : Int(response.header("content-length") ?? "0") ?? 0
        while buffer.count < length { try receive() }
        response.body = String(decoding: buffer.prefix(length), as: UTF8.self)
        buffer.removeFirst(length)
        return response
    }

    /// Reads until the server closes the connection.
    func readToEnd() -> String {
        while (try? receive()) != nil {}
        return String(decoding: buffer, as: UTF8.self)
    }

    private func receive() throws {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { throw Failure.closed(received: String(decoding: buffer, as: UTF8.self)) }
        buffer.append(contentsOf: chunk.prefix(count))
    }
}

/// Sends bytes without causing SIGPIPE on a closed connection.
private func sendQuietly(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
    send(descriptor, bytes, count, 0)
    #else
    send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    #endif
}
