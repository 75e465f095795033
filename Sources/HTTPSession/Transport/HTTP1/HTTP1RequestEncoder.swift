import NIOCore

/// Writes requests as HTTP/1.1 puts them on the wire (RFC 9112 section 3).
enum HTTP1RequestEncoder {
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
    ///   - length: The body's length, nil if there is none.
    static func framing(of request: TransportRequest, length: Int?) throws(Contradiction) -> Framing {
        let codings = request.headers.tokens("Transfer-Encoding")
        let announced = request.headers.values("Content-Length")
        if codings.isEmpty && announced.isEmpty {
            if let length { return .length(length) }
            return request.method.anticipatesBody ? .length(0) : .none
        }
        if request.allowMalformed { return codings.last == "chunked" && length != nil ? .chunked : .none }
        if !codings.isEmpty {
            guard codings == ["chunked"], announced.isEmpty else {
                throw Contradiction(
                    message: "the header's Transfer-Encoding must be \"chunked\" alone, without Content-Length")
            }
            return length == nil ? .none : .chunked
        }
        guard announced.count == 1, announced.first == String(length ?? 0) else {
            throw Contradiction(
                message: "the header's Content-Length is \(announced.joined(separator: ", ")),"
                    + " but the body has \(length ?? 0) bytes")
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
            // The caller's own Transfer-Encoding field is in the header already.
            break
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
