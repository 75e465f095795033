import Basics
import HTTPTypes
import NIOCore
import NIOHTTP1
import SuiteModel

/// An HTTP/1.1 connection as a sequence of HTTP messages.
typealias HTTPConnection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

/// A handler that passes requests from a connection to the responder and writes its responses.
struct ConnectionHandler: Sendable {
    /// An error that ends the request loop of a deliberately dropped connection.
    private struct Dropped: Error {}

    /// An error that reports a request body over the maximum size.
    private struct BodyTooLong: Error {}

    private typealias Parts = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private typealias Writer = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    let responder: any Responder
    let options: MockServerOptions

    /// Adds the HTTP handlers to a channel and wraps it.
    static func connection(on channel: any Channel) throws -> HTTPConnection {
        // Requests are served one at a time, and header values were validated when they were created.
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false)
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    /// Serves the requests of a connection one at a time until it is closed.
    func serve(_ connection: HTTPConnection) async {
        let channel = connection.channel
        // A read or write error means that the client closed the connection.
        try? await withTaskCancellationHandler {
            try await connection.executeThenClose { inbound, outbound in
                var parts = inbound.makeAsyncIterator()
                do {
                    while let part = try await parts.next() {
                        // This skips the remainder of a body that was not read completely.
                        guard case .head(let head) = part else { continue }
                        guard try await respond(to: head, &parts, writer: outbound, channel: channel) else { break }
                    }
                } catch is HTTPParserError {
                    let fields: HTTPHeaders = ["Connection": "close", "Content-Length": "0"]
                    try await outbound.write(.head(.init(version: .http1_1, status: .badRequest, headers: fields)))
                    try await outbound.write(.end(nil))
                }
                outbound.finish()
                try await channel.closeFuture.get()
            }
        } onCancel: {
            channel.close(mode: .input, promise: nil)
        }
    }

    /// Responds to one request.
    ///
    /// - Returns: Whether the connection can serve another request.
    private func respond(
        to head: HTTPRequestHead, _ parts: inout Parts, writer: Writer, channel: any Channel
    ) async throws -> Bool {
        let method = head.method.rawValue
        if head.headers.first(name: "Expect")?.lowercased() == "100-continue" {
            try await writer.write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
        }
        let body: ByteBuffer
        do {
            body = try await self.body(&parts)
        } catch is BodyTooLong {
            let reply = Reply.problem(
                413, "the request body is larger than the maximum of \(options.maximumBodySize) bytes"
            )
            report(method, head.uri, reply.status, nil)
            try await send(reply, to: method, writer: writer, channel: channel, closes: true)
            // Closing the connection while the client still sends would reset it before the client reads the response.
            while let part = try await parts.next() { if case .end = part { break } }
            return false
        }
        var answer = await responder.answer(
            MockRequest(method: method, target: head.uri, fields: Self.fields(head), body: body))
        if answer.delay > 0 { try await options.sleep(.nanoseconds(answer.delay)) }
        if answer.drop == .beforeResponse {
            report(method, head.uri, nil, answer.route)
            channel.close(promise: nil)
            throw Dropped()
        }
        DateHeader.add(to: &answer.reply.fields)
        report(method, head.uri, answer.reply.status, answer.route)
        if let upgrade = answer.upgrade {
            try await upgrade.prepare(channel)
            try await writer.write(.head(Self.head(answer.reply, answer.reply.fields)))
            try await upgrade.run(channel)
            channel.close(promise: nil)
            return false
        }
        if answer.drop == .withinBody {
            try await sendHalf(answer.reply, writer: writer, channel: channel)
        }
        // RFC 9112, section 9.3. This includes HTTP/1.0 without "keep-alive".
        let closes = !head.isKeepAlive
        try await send(answer.reply, to: method, writer: writer, channel: channel, closes: closes)
        return !closes
    }

    /// Reads the complete body of a request.
    private func body(_ parts: inout Parts) async throws -> ByteBuffer {
        var body = ByteBuffer()
        while let part = try await parts.next() {
            guard case .body(var piece) = part else { break }
            guard piece.readableBytes <= options.maximumBodySize - body.readableBytes else { throw BodyTooLong() }
            if body.readableBytes == 0 { body = piece } else { body.writeBuffer(&piece) }
        }
        return body
    }

    private func send(
        _ reply: Reply, to method: String, writer: Writer, channel: any Channel, closes: Bool
    ) async throws {
        var fields = reply.fields
        if closes { fields[.connection] = "close" }
        let hasBody = !(reply.status == 204 || reply.status == 304)
        if hasBody, fields[.contentLength] == nil, fields[.transferEncoding] == nil {
            // RFC 9112, section 7.1: the length of a body that is not complete is unknown.
            if reply.nextPiece != nil {
                fields[.transferEncoding] = "chunked"
            } else {
                fields[.contentLength] = String(reply.body.readableBytes)
            }
        }
        let head = HTTPServerResponsePart.head(Self.head(reply, fields))
        if hasBody, method != "HEAD", let nextPiece = reply.nextPiece {
            try await writer.write(head)
            do {
                while let piece = try await nextPiece() { try await writer.write(.body(.byteBuffer(piece))) }
            } catch {
                channel.close(promise: nil)
                throw Dropped()
            }
            try await writer.write(.end(nil))
        } else if !hasBody || method == "HEAD" || reply.body.readableBytes == 0 {
            try await writer.write(contentsOf: [head, .end(nil)])
        } else {
            try await writer.write(contentsOf: [head, .body(.byteBuffer(reply.body)), .end(nil)])
        }
        if closes {
            // Closing only the output lets the client read the complete response.
            try? await channel.close(mode: .output)
        }
    }

    private func sendHalf(_ reply: Reply, writer: Writer, channel: any Channel) async throws -> Never {
        var fields = reply.fields
        fields[.contentLength] = String(reply.body.readableBytes)
        try await writer.write(.head(Self.head(reply, fields)))
        if let half = reply.body.getSlice(at: reply.body.readerIndex, length: reply.body.readableBytes / 2) {
            try await writer.write(.body(.byteBuffer(half)))
        }
        channel.close(promise: nil)
        throw Dropped()
    }

    private func report(_ method: String, _ target: String, _ status: Int?, _ route: String?) {
        options.log?(MockLogEntry(method: method, target: target, status: status, route: route))
    }

    private static func head(_ reply: Reply, _ fields: HTTPFields) -> HTTPResponseHead {
        HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: reply.status),
            headers: HTTPHeaders(fields.map { ($0.name.rawName, $0.value) }))
    }

    private static func fields(_ head: HTTPRequestHead) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in head.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }
}

/// The `Date` header (RFC 9110, section 6.6.1).
enum DateHeader {
    /// Adds the header if it is missing.
    static func add(to fields: inout HTTPFields) {
        guard fields[.date] == nil else { return }
        fields[.date] = text(secondsSince1970: Int(WallClock.secondsSince1970()))
    }

    /// Formats an instant as an IMF-fixdate (RFC 9110, section 5.6.7). Instants before 1970 are clamped.
    static func text(secondsSince1970 seconds: Int) -> String {
        let (day, second) = max(0, seconds).quotientAndRemainder(dividingBy: 86_400)
        let date = CalendarDate(daysSince1970: day)
        let time = [second / 3_600, second / 60 % 60, second % 60].map { ASCII.padded($0, 2) }.joined(separator: ":")
        return "\(CalendarDate.weekdayNames[date.weekday]), \(ASCII.padded(date.day, 2)) "
            + "\(CalendarDate.monthNames[date.month - 1]) \(date.year) \(time) GMT"
    }
}
