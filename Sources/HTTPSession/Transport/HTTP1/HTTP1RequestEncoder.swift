import Basics
import NIOCore

/// The encoder of HTTP/1.1 requests (RFC 9112, section 3).
enum HTTP1RequestEncoder {
    /// The length of a body, as far as it is known before sending.
    enum BodyLength {
        /// No body.
        case none
        /// A body of a known, possibly zero length.
        case known(Int)
        /// A body of unknown length.
        case unknown

        init(_ length: Int?) {
            self = length.map { .known($0) } ?? .unknown
        }
    }

    /// The framing of a body.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
    }

    /// The parts of the request line and header that depend on the connection.
    struct Form {
        /// Whether the request target is the absolute URL, as for a forwarding proxy (RFC 9112, section 3.2.2).
        var isAbsolute = false
        /// The value of `Proxy-Authorization` for such a proxy, unless the request already has the field.
        var proxyAuthorization: String?
        /// Whether the request is HTTP/1.0.
        var isVersion10 = false
        /// Whether the request asks for `100 Continue` before its body (RFC 9110, section 10.1.1).
        var expectsContinue = false
    }

    /// A contradiction between header and body.
    struct Contradiction: Error {
        var message: MessageText
    }

    /// The maximum length of a body that is written with the header in one buffer.
    static let inlineBodyBytes = 64 << 10

    /// Determines the framing of the body, from the header if possible, and checks that both agree.
    /// - Parameters:
    ///   - request: The request.
    ///   - length: The length of the body.
    static func framing(of request: TransportRequest, length: BodyLength) throws(Contradiction) -> Framing {
        let hasFraming = request.headers.hasFraming
        let codings = hasFraming ? request.headers.tokens("Transfer-Encoding") : []
        let announced = hasFraming ? request.headers.values("Content-Length") : []
        if codings.isEmpty && announced.isEmpty {
            switch length {
            case .known(let length): return .length(length)
            case .none: return request.method.anticipatesBody ? .length(0) : .none
            case .unknown:
                guard request.connection.version == .http10 else { return .chunked }
                throw Contradiction(message: "HTTP/1.0 cannot send a body of unknown length")
            }
        }
        if request.allowMalformed {
            if case .none = length { return .none }
            return codings.last == "chunked" ? .chunked : .none
        }
        if !codings.isEmpty {
            guard codings == ["chunked"], announced.isEmpty else {
                throw Contradiction(
                    message: "Transfer-Encoding must be only \"chunked\", without Content-Length")
            }
            guard request.connection.version != .http10 else {
                throw Contradiction(message: "HTTP/1.0 does not support Transfer-Encoding")
            }
            return .chunked
        }
        let actual: Int
        switch length {
        case .none: actual = 0
        case .known(let length): actual = length
        case .unknown:
            // While the body is sent, it is checked against the announced length.
            if announced.count == 1, let value = announced.first.flatMap({ Int($0) }), value >= 0 { return .none }
            throw Contradiction(message: "invalid Content-Length: \(announced.joined(separator: ", "))")
        }
        guard announced.count == 1, announced.first == String(actual) else {
            throw Contradiction(
                message: "the Content-Length is \(announced.joined(separator: ", ")),"
                    + " but the body has \(actual) bytes")
        }
        return .none
    }

    /// Replaces the contents of a buffer with the request line and header, and reserves room for a body.
    /// - Parameters:
    ///   - request: The request.
    ///   - form: The parts that depend on the connection.
    ///   - framing: The framing of the body.
    ///   - bodyLength: The number of bytes that will follow the header.
    ///   - authority: The value of the `Host` field, if the request has none.
    ///   - buffer: The buffer to write to. Its memory is reused if nothing else references it.
    static func writeHead(
        of request: TransportRequest, form: Form = .init(), framing: Framing, bodyLength: Int, authority: String,
        into buffer: inout ByteBuffer
    ) {
        let method = request.method.rawValue
        let target = form.isAbsolute ? absoluteForm(of: request.url) : request.url.target
        let credentials = form.proxyAuthorization.flatMap { request.headers.contains("Proxy-Authorization") ? nil : $0 }
        // 128 bytes exceed the size of all constant parts.
        var size = method.utf8.count + target.utf8.count + authority.utf8.count + 128 + bodyLength
        // Without copies of the fields, because a copy changes the reference counts of two strings.
        request.headers.fields.withUnsafeBufferPointer { fields in
            for index in fields.indices { size += fields[index].name.utf8.count + fields[index].value.utf8.count + 4 }
        }
        if let credentials { size += credentials.utf8.count + 32 }
        buffer.clear(minimumCapacity: size)
        // Access the buffer once: each access costs more than the writes themselves.
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { bytes in
            var writer = Writer(bytes: bytes)
            writer.put(method)
            writer.put(" ")
            writer.put(target)
            writer.put(form.isVersion10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n")
            if !request.headers.contains("Host") { writer.putField("Host", authority) }
            request.headers.fields.withUnsafeBufferPointer { fields in
                for index in fields.indices { writer.putField(fields[index].name, fields[index].value) }
            }
            if let credentials { writer.putField("Proxy-Authorization", credentials) }
            switch framing {
            case .none: break
            case .length(let length): writer.putField("Content-Length", String(length))
            case .chunked:
                if !request.headers.contains("Transfer-Encoding") { writer.putField("Transfer-Encoding", "chunked") }
            }
            if form.expectsContinue, !request.headers.contains("Expect") { writer.putField("Expect", "100-continue") }
            writer.put("\r\n")
            return writer.count
        }
    }

    /// A writer of strings to memory; it drops bytes that do not fit.
    private struct Writer {
        let bytes: UnsafeMutableRawBufferPointer
        private(set) var count = 0

        init(bytes: UnsafeMutableRawBufferPointer) {
            self.bytes = bytes
        }

        mutating func putField(_ name: String, _ value: String) {
            put(name)
            put(UInt8(ascii: ":"), UInt8(ascii: " "))
            put(value)
            put(UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        }

        @inline(__always)
        private mutating func put(_ first: UInt8, _ second: UInt8) {
            guard bytes.count - count >= 2 else { return }
            bytes[count] = first
            bytes[count + 1] = second
            count += 2
        }

        @inline(__always)
        mutating func put(_ text: String) {
            if text.utf8.withContiguousStorageIfAvailable({ copy(UnsafeRawBufferPointer($0)) }) == nil {
                Array(text.utf8).withUnsafeBytes { copy($0) }
            }
        }

        @inline(__always)
        mutating func copy(_ part: UnsafeRawBufferPointer) {
            guard part.count <= bytes.count - count else { return }
            UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: part)
            count += part.count
        }
    }

    /// Returns the URL without user information and fragment.
    private static func absoluteForm(of url: HTTPURL) -> String {
        url.scheme + "://" + url.authority + url.target
    }

    /// Returns the line before a chunk of the given length.
    static func chunkStart(_ length: Int) -> String { String(length, radix: 16) + "\r\n" }
}
