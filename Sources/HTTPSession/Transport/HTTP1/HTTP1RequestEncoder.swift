import NIOCore

/// Writes requests as HTTP/1.1 puts them on the wire (RFC 9112 section 3).
enum HTTP1RequestEncoder {
    /// What is known of a body before it is sent.
    enum BodyLength {
        /// There is no body.
        case none
        /// There is one of so many bytes, possibly zero.
        case known(Int)
        /// There is one, and its end is seen when it is there.
        case unknown

        init(_ length: Int?) {
            self = length.map { .known($0) } ?? .unknown
        }
    }

    /// How a body is delimited.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
    }

    /// What the connection decides about a request's line and header.
    struct Form {
        /// Whether the target is the whole URL, as for a proxy that forwards the request (RFC 9112 section 3.2.2).
        var isAbsolute = false
        /// The value of `Proxy-Authorization`, for such a proxy; a field that the request has is left as it is.
        var proxyAuthorization: String?
        /// Whether the request says HTTP/1.0.
        var isVersion10 = false
        /// Whether the server's consent to the body is asked for (RFC 9110 section 10.1.1).
        var expectsContinue = false
    }

    /// A request is contradictory: the message says how.
    struct Contradiction: Error {
        var message: String
    }

    /// Bodies up to this length are written with the header in one buffer.
    static let inlineBodyBytes = 64 << 10

    /// Decides how the body is delimited, from the header if that says, and checks that both agree.
    /// - Parameters:
    ///   - request: The request.
    ///   - length: What is known of the body's length.
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
                throw Contradiction(message: "HTTP/1.0 cannot send a body whose length is not known before")
            }
        }
        if request.allowMalformed {
            if case .none = length { return .none }
            return codings.last == "chunked" ? .chunked : .none
        }
        if !codings.isEmpty {
            guard codings == ["chunked"], announced.isEmpty else {
                throw Contradiction(
                    message: "the header's Transfer-Encoding must be \"chunked\" alone, without Content-Length")
            }
            guard request.connection.version != .http10 else {
                throw Contradiction(message: "HTTP/1.0 has no Transfer-Encoding")
            }
            return .chunked
        }
        let actual: Int
        switch length {
        case .none: actual = 0
        case .known(let length): actual = length
        case .unknown:
            // The body is held to what the caller has announced while it is sent.
            if announced.count == 1, let value = announced.first.flatMap({ Int($0) }), value >= 0 { return .none }
            throw Contradiction(message: "the header's Content-Length is \(announced.joined(separator: ", "))")
        }
        guard announced.count == 1, announced.first == String(actual) else {
            throw Contradiction(
                message: "the header's Content-Length is \(announced.joined(separator: ", ")),"
                    + " but the body has \(actual) bytes")
        }
        return .none
    }

    /// Writes the request line and header into a buffer, in place of what it has, with room for a body.
    /// - Parameters:
    ///   - request: The request.
    ///   - form: How it is written.
    ///   - framing: How its body is delimited.
    ///   - bodyLength: The number of bytes that are to be written after it.
    ///   - authority: The value of the `Host` field, if the request has none.
    ///   - lines: The request's fields and the `Host` field as they are written; nil where they are not known.
    ///   - buffer: What it is written to; its memory is used again if nobody else has it.
    static func writeHead(
        of request: TransportRequest, form: Form = .init(), framing: Framing, bodyLength: Int, authority: String,
        lines: [UInt8]? = nil, into buffer: inout ByteBuffer
    ) {
        let method = request.method.rawValue
        let target = form.isAbsolute ? absoluteForm(of: request.url) : request.url.target
        let credentials = form.proxyAuthorization.flatMap { request.headers.contains("Proxy-Authorization") ? nil : $0 }
        // 128 bytes are more than all parts that are always the same.
        var size = method.utf8.count + target.utf8.count + authority.utf8.count + 128 + bodyLength
        if let lines {
            size += lines.count
        } else {
            for field in request.headers.fields { size += field.name.utf8.count + field.value.utf8.count + 4 }
        }
        if let credentials { size += credentials.utf8.count + 32 }
        buffer.clear(minimumCapacity: size)
        // One access to the buffer: each costs more than what is written with it.
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { bytes in
            var writer = Writer(bytes: bytes)
            writer.put(method)
            writer.put(" ")
            writer.put(target)
            writer.put(form.isVersion10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n")
            if let lines {
                lines.withUnsafeBytes { writer.copy($0) }
            } else {
                if !request.headers.contains("Host") { writer.putField("Host", authority) }
                for field in request.headers.fields { writer.putField(field.name, field.value) }
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

    /// The lines of a header's fields, with a `Host` field if it has none.
    static func lines(of headers: HTTPHeaders, authority: String) -> [UInt8] {
        var lines: [UInt8] = []
        func put(_ name: String, _ value: String) {
            for part in [name, ": ", value, "\r\n"] { lines.append(contentsOf: part.utf8) }
        }
        if !headers.contains("Host") { put("Host", authority) }
        for field in headers.fields { put(field.name, field.value) }
        return lines
    }

    /// Puts texts one after the other into memory; what does not fit is left out.
    private struct Writer {
        let bytes: UnsafeMutableRawBufferPointer
        private(set) var count = 0

        init(bytes: UnsafeMutableRawBufferPointer) {
            self.bytes = bytes
        }

        mutating func putField(_ name: String, _ value: String) {
            put(name)
            put(": ")
            put(value)
            put("\r\n")
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

    /// The URL without user and fragment.
    private static func absoluteForm(of url: HTTPURL) -> String {
        url.scheme + "://" + url.authority + url.target
    }

    /// The line before a chunk of the given length.
    static func chunkStart(_ length: Int) -> String { String(length, radix: 16) + "\r\n" }
}
