import HTTPTypes
import HummingbirdCore
import NIOCore
import SuiteModel

/// Carries requests from a connection to the responder, and its answers back.
struct ConnectionHandler: Sendable {
    /// Ends the loop that reads requests from a connection which has been dropped on purpose.
    private struct Dropped: Error {}

    let responder: MockResponder
    let options: MockServerOptions

    /// Answers one request.
    func respond(to request: Request, writer: consuming ResponseWriter, channel: any Channel) async throws {
        let head = request.head
        let method = head.method.rawValue
        if let expectation = head.headerFields[.expect], expectation.lowercased() == "100-continue" {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: options.maximumBodySize)
        } catch is NIOTooManyBytesError {
            let reply = Reply.problem(
                413, "the request's body is longer than the \(options.maximumBodySize) bytes that the mock server takes"
            )
            report(method, head.path ?? "/", reply.status, nil)
            return try await send(reply, to: method, writer: writer, channel: channel, closes: true)
        }
        var answer = responder.answer(
            MockRequest(method: method, target: head.path ?? "/", fields: Self.fields(head), body: body))
        if answer.delay > 0 { try await options.sleep(.nanoseconds(answer.delay)) }
        if answer.drop == .beforeResponse {
            report(method, head.path ?? "/", nil, answer.route)
            channel.close(promise: nil)
            throw Dropped()
        }
        DateHeader.add(to: &answer.reply.fields)
        report(method, head.path ?? "/", answer.reply.status, answer.route)
        if answer.drop == .withinBody {
            return try await sendHalf(answer.reply, writer: writer, channel: channel)
        }
        try await send(
            answer.reply, to: method, writer: writer, channel: channel, closes: ConnectionHandler.asksToClose(head))
    }

    private func send(
        _ reply: Reply, to method: String, writer: consuming ResponseWriter, channel: any Channel, closes: Bool
    ) async throws {
        var fields = reply.fields
        if closes { fields[.connection] = "close" }
        let hasBody = !(reply.status == 204 || reply.status == 304)
        if hasBody, fields[.contentLength] == nil, fields[.transferEncoding] == nil {
            fields[.contentLength] = String(reply.body.readableBytes)
        }
        let head = HTTPResponse(status: reply.httpStatus, headerFields: fields)
        if !hasBody || method == "HEAD" || reply.body.readableBytes == 0 {
            try await writer.writeResponse(head)
        } else {
            try await writer.write(response: head, body: ResponseBody(byteBuffer: reply.body))
        }
        if closes {
            // Half-closing lets the client read the answer to its end.
            try? await channel.close(mode: .output)
        }
    }

    private func sendHalf(_ reply: Reply, writer: consuming ResponseWriter, channel: any Channel) async throws {
        var fields = reply.fields
        fields[.contentLength] = String(reply.body.readableBytes)
        var bodyWriter = try await writer.writeHead(HTTPResponse(status: reply.httpStatus, headerFields: fields))
        if let half = reply.body.getSlice(at: reply.body.readerIndex, length: reply.body.readableBytes / 2) {
            try await bodyWriter.write(half)
        }
        channel.close(promise: nil)
        throw Dropped()
    }

    private func report(_ method: String, _ target: String, _ status: Int?, _ route: String?) {
        options.log?(MockLogEntry(method: method, target: target, status: status, route: route))
    }

    /// Whether the client wants the connection to be closed after the answer (RFC 9112, section 9.6).
    /// The header as it was sent: HTTPTypes keeps `Host` apart, as HTTP/2 does.
    private static func fields(_ head: HTTPRequest) -> HTTPFields {
        var fields = head.headerFields
        if let host = head.authority, let name = HTTPField.Name("Host") { fields[name] = host }
        return fields
    }

    private static func asksToClose(_ head: HTTPRequest) -> Bool {
        guard let value = head.headerFields[.connection] else { return false }
        return value.lowercased().split(separator: ",").contains { $0.trimmingSpaces() == "close" }
    }
}
