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
        let codings = request.headers.tokens("Transfer-Encoding")
        let announced = request.headers.values("Content-Length")
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

    /// The request line and header, with room for a body of `bodyLength` bytes.
    static func head(
        of request: TransportRequest, form: Form = .init(), framing: Framing, bodyLength: Int,
        allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        let method = request.method.rawValue
        let target = form.isAbsolute ? absoluteForm(of: request.url) : request.url.target
        let needsHost = !request.headers.contains("Host")
        let authority = needsHost ? request.url.authority : ""
        var size = method.utf8.count + target.utf8.count + authority.utf8.count + 64 + bodyLength
        for field in request.headers.fields { size += field.name.utf8.count + field.value.utf8.count + 4 }
        var buffer = allocator.buffer(capacity: size)
        buffer.writeString(method)
        buffer.writeInteger(UInt8(32))
        buffer.writeString(target)
        buffer.writeStaticString(form.isVersion10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n")
        if needsHost {
            buffer.writeStaticString("Host: ")
            buffer.writeString(authority)
            buffer.writeStaticString("\r\n")
        }
        for field in request.headers.fields {
            buffer.writeString(field.name)
            buffer.writeStaticString(": ")
            buffer.writeString(field.value)
            buffer.writeStaticString("\r\n")
        }
        if let credentials = form.proxyAuthorization, !request.headers.contains("Proxy-Authorization") {
            buffer.writeStaticString("Proxy-Authorization: ")
            buffer.writeString(credentials)
            buffer.writeStaticString("\r\n")
        }
        switch framing {
        case .none: break
        case .length(let length):
            buffer.writeStaticString("Content-Length: ")
            buffer.writeString(String(length))
            buffer.writeStaticString("\r\n")
        case .chunked:
            if !request.headers.contains("Transfer-Encoding") {
                buffer.writeStaticString("Transfer-Encoding: chunked\r\n")
            }
        }
        if form.expectsContinue, !request.headers.contains("Expect") {
            buffer.writeStaticString("Expect: 100-continue\r\n")
        }
        buffer.writeStaticString("\r\n")
        return buffer
    }

    /// The URL without user and fragment.
    private static func absoluteForm(of url: HTTPURL) -> String {
        url.scheme + "://" + url.authority + url.target
    }

    /// The line before a chunk of the given length.
    static func chunkStart(_ length: Int) -> String { String(length, radix: 16) + "\r\n" }
}
