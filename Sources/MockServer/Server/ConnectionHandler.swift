import Basics
import HTTPTypes
import NIOCore
import NIOHTTP1
import SuiteModel

/// A connection as its HTTP messages.
typealias HTTPConnection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

/// Carries requests from a connection to the responder, and its answers back.
struct ConnectionHandler: Sendable {
    /// Ends the loop that reads requests from a connection which has been dropped on purpose.
    private struct Dropped: Error {}

    /// A request's body is longer than the server takes.
    private struct BodyTooLong: Error {}

    private typealias Parts = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private typealias Writer = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    let responder: MockResponder
    let options: MockServerOptions

    /// Adds to a channel what reads requests and writes responses.
    static func connection(on channel: any Channel) throws -> HTTPConnection {
        // One request is answered after the other, and values of fields were checked when they were made.
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false)
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    /// Answers the requests of a connection, one after the other, until it is closed.
    func serve(_ connection: HTTPConnection) async {
        let channel = connection.channel
        // What cannot be read or written any more is the client's end of the connection.
        try? await withTaskCancellationHandler {
            try await connection.executeThenClose { inbound, outbound in
                var parts = inbound.makeAsyncIterator()
                do {
                    while let part = try await parts.next() {
                        // What is left of a body that was not read to its end is passed over.
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

    /// Answers one request.
    ///
    /// - Returns: Whether another may follow on the connection.
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
                413, "the request's body is longer than the \(options.maximumBodySize) bytes that the mock server takes"
            )
            report(method, head.uri, reply.status, nil)
            try await send(reply, to: method, writer: writer, channel: channel, closes: true)
            // Closed while the client still sends, the connection would be reset before it has read the response.
            while let part = try await parts.next() { if case .end = part { break } }
            return false
        }
        var answer = responder.answer(
            MockRequest(method: method, target: head.uri, fields: Self.fields(head), body: body))
        if answer.delay > 0 { try await options.sleep(.nanoseconds(answer.delay)) }
        if answer.drop == .beforeResponse {
            report(method, head.uri, nil, answer.route)
            channel.close(promise: nil)
            throw Dropped()
        }
        DateHeader.add(to: &answer.reply.fields)
        report(method, head.uri, answer.reply.status, answer.route)
        if answer.drop == .withinBody {
            try await sendHalf(answer.reply, writer: writer, channel: channel)
        }
        // RFC 9112, section 9.3: also HTTP/1.0 without "keep-alive".
        let closes = !head.isKeepAlive
        try await send(answer.reply, to: method, writer: writer, channel: channel, closes: closes)
        return !closes
    }

    /// Reads the body of a request to its end.
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
            fields[.contentLength] = String(reply.body.readableBytes)
        }
        let head = HTTPServerResponsePart.head(Self.head(reply, fields))
        if !hasBody || method == "HEAD" || reply.body.readableBytes == 0 {
            try await writer.write(contentsOf: [head, .end(nil)])
        } else {
            try await writer.write(contentsOf: [head, .body(.byteBuffer(reply.body)), .end(nil)])
        }
        if closes {
            // Half-closing lets the client read the answer to its end.
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

/// The Date header (RFC 9110, section 6.6.1).
enum DateHeader {
    /// Adds the header unless it is there.
    static func add(to fields: inout HTTPFields) {
        guard fields[.date] == nil else { return }
        fields[.date] = text(secondsSince1970: Int(WallClock.secondsSince1970()))
    }

    /// The instant as an IMF-fixdate (RFC 9110, section 5.6.7), for instants from 1970 on.
    static func text(secondsSince1970 seconds: Int) -> String {
        let (day, second) = max(0, seconds).quotientAndRemainder(dividingBy: 86_400)
        let date = CalendarDate(daysSince1970: day)
        let time = [second / 3_600, second / 60 % 60, second % 60].map { ASCII.padded($0, 2) }.joined(separator: ":")
        return "\(CalendarDate.weekdayNames[date.weekday]), \(ASCII.padded(date.day, 2)) "
            + "\(CalendarDate.monthNames[date.month - 1]) \(date.year) \(time) GMT"
    }
}
