import Basics
import ExchangeFormats
import Output
import RunModel
import RunRecord

/// An exchange as an entry of an HTTP Archive (HAR 1.2, "entries").
struct HAREntry {
    /// The test and attempt that an exchange belongs to.
    struct Context {
        let page: HARPage
        /// The members that all entries of the suite share (``HARSuite/member``).
        let suite: [UInt8]
        let test: String
        var step: String?
        /// The number of the attempt, starting at 1, or `nil` if there was only one.
        var attempt: Int?
        var isPoll = false
        var outcome = TestResult.Outcome.passed

        /// Moves on to the next step.
        ///
        /// The step has a name only if the test was written with `steps`.
        mutating func begin(_ step: String?, attempt: Int?) {
            self.step = step
            self.attempt = attempt
            isPoll = false
        }
    }

    let exchange: Exchange
    let sizes: BodySizes.Pair
    let clock: RunClock

    /// The header fields of the previous request and response.
    struct Fields: ~Copyable {
        var request = HARFieldList()
        var response = HARFieldList()
    }

    /// Writes the entry of the final request, after all redirects.
    func write(_ context: Context, into json: inout JSONText, time: inout TimeText, fields: inout Fields) {
        let timings = HARPhases(exchange.timings)
        json.text(upTo: HARPage.maximumLength + TimeText.count + 96, isWhole: false) { text in
            text.write("{\"pageref\":")
            context.page.write(into: &text)
            text.write(",\"startedDateTime\":\"")
            time.write(clock.milliseconds(at: exchange.start), into: &text)
            text.write("\",\"time\":")
            text.write(milliseconds: timings.total * 1_000)
            text.write(",\"request\":{")
        }
        let response = exchange.response
        let version = HARVersion(response)
        HARRequestPart(request: exchange.request, size: sizes.request, isCut: sizes.isRequestCut, version: version)
            .write(into: &json, fields: &fields.request)
        json.literal(",\"response\":{")
        HARResponsePart(
            response: response, version: version, failure: exchange.failure, size: sizes.response,
            isCut: sizes.isResponseCut, clock: clock, start: exchange.start
        ).write(into: &json, fields: &fields.response)
        timings.write(into: &json)
        if let failure = exchange.failure {
            json.member("comment", "failed: \(failure.kind.rawValue) (\(failure.phase.rawValue))")
        }
        write(context, into: &json)
        if let webSocket = exchange.details?.webSocket { write(webSocket, into: &json) }
        json.endObject()
    }

    /// Writes the entry of a redirected request.
    ///
    /// Only its URL and status are known.
    func write(_ hop: Exchange.Hop, _ context: Context, into json: inout JSONText, time: inout TimeText) {
        json.beginObject()
        json.key("pageref")
        context.page.write(into: &json)
        json.member("startedDateTime", &time, at: clock.milliseconds(at: exchange.start))
        json.member("time", 0)
        json.beginObject("request")
        json.member("method", exchange.request.method)
        json.member("url", HARRequestPart.withoutFragment(hop.url))
        json.member("httpVersion", "")
        HARFields.writeEmpty("cookies", into: &json)
        HARFields.writeEmpty("headers", into: &json)
        json.beginArray("queryString")
        HARFields.writeQuery(of: hop.url, into: &json)
        json.endArray()
        json.member("headersSize", -1)
        json.member("bodySize", -1)
        json.endObject()
        json.beginObject("response")
        json.member("status", hop.status)
        json.member("statusText", "")
        json.member("httpVersion", "")
        HARFields.writeEmpty("cookies", into: &json)
        HARFields.writeEmpty("headers", into: &json)
        json.beginObject("content")
        json.member("size", 0)
        json.member("mimeType", "")
        json.member("text", "")
        json.endObject()
        json.member("redirectURL", hop.location)
        json.member("headersSize", -1)
        json.member("bodySize", -1)
        json.endObject()
        json.beginObject("cache")
        json.endObject()
        json.beginObject("timings")
        for name in ["blocked", "dns", "connect", "ssl"] as [StaticString] { json.member(name, -1) }
        for name in ["send", "wait", "receive"] as [StaticString] { json.member(name, 0) }
        json.endObject()
        json.member(
            "comment",
            "redirected: headers, bodies and timings are not kept, and the method is that of the last request")
        write(context, into: &json)
        json.endObject()
    }

    private func write(_ context: Context, into json: inout JSONText) {
        json.buffer.append(context.suite)
        json.beginElement()
        json.string(context.test, limit: FailureSummary.maximumMessageLength)
        if let step = context.step { json.member("_step", step, limit: FailureSummary.maximumMessageLength) }
        if let attempt = context.attempt { json.member("_attempt", attempt) }
        if context.isPoll { json.member("_poll", true) }
        if context.outcome == .passed {
            json.literal(whole: ",\"_outcome\":\"passed\"")
        } else {
            json.member("_outcome", OutcomeWord.text(context.outcome))
        }
    }

    /// Writes WebSocket messages in the format of browser developer tools.
    private func write(_ webSocket: WebSocketTranscript, into json: inout JSONText) {
        json.member("_resourceType", "websocket")
        json.beginArray("_webSocketMessages")
        for message in webSocket.messages {
            json.beginObject()
            json.member("type", message.side == .client ? "send" : "receive")
            // The opcodes of RFC 6455, section 11.8.
            switch message.kind {
            case .text: json.member("opcode", 1)
            case .binary: json.member("opcode", 2)
            case .close(let code):
                json.member("opcode", 8)
                json.member("_code", code)
            case .ping: json.member("opcode", 9)
            case .pong: json.member("opcode", 10)
            }
            if message.kind == .binary {
                json.member("data", Base64.encode(message.bytes))
            } else {
                json.member("data", String(decoding: message.bytes, as: UTF8.self))
            }
            if message.isCut { json.member("_size", message.size) }
            json.endObject()
        }
        json.endArray()
        if webSocket.omitted > 0 { json.member("_webSocketMessagesOmitted", webSocket.omitted) }
    }
}

/// The page identifier of a test in an HTTP Archive, such as `test_1_2`.
struct HARPage {
    /// The number of the suite, starting at 1.
    let suite: Int
    /// The number of the test in its suite, starting at 1.
    let test: Int

    /// The maximum number of bytes of the identifier as a string.
    static let maximumLength = 48

    /// Appends the identifier as a string.
    func write(into json: inout JSONText) {
        json.raw { output in output.append(upTo: Self.maximumLength) { write(into: &$0) } }
    }

    /// Writes the identifier as a string.
    @inline(__always)
    func write(into text: inout ByteWriter) {
        text.write("\"test_")
        text.write(suite)
        text.write("_")
        text.write(test)
        text.write("\"")
    }
}

extension HARPhases {
    /// Creates the phases of an exchange.
    init(_ timings: Exchange.Timings) {
        // The time spent on redirects counts as waiting.
        self.init(
            dns: timings.dns, connect: timings.connect, tls: timings.tls, wait: timings.firstByte ?? 0,
            receive: timings.transfer ?? 0, total: timings.total)
    }

    /// Appends an empty `cache` member and the `timings` member, each with a leading comma.
    func write(into json: inout JSONText) {
        json.text(upTo: 320, isWhole: true) { text in
            text.write(",\"cache\":{},\"timings\":{\"blocked\":")
            text.write(milliseconds: blocked * 1_000)
            if dns == nil, connect == nil {
                // Most exchanges reuse a connection.
                text.write(",\"dns\":-1,\"connect\":-1")
            } else {
                text.write(",\"dns\":")
                Self.write(dns, into: &text)
                text.write(",\"connect\":")
                Self.write(connect, into: &text)
            }
            text.write(",\"send\":0,\"wait\":")
            text.write(milliseconds: wait * 1_000)
            text.write(",\"receive\":")
            text.write(milliseconds: receive * 1_000)
            text.write(",\"ssl\":")
            Self.write(ssl, into: &text)
            text.write("}")
        }
    }

    private static func write(_ time: Int64?, into text: inout ByteWriter) {
        if let time { text.write(milliseconds: time * 1_000) } else { text.write("-1") }
    }
}

/// The HTTP version of an exchange, such as `HTTP/1.1` or `HTTP/2`, or an empty string without a response.
struct HARVersion {
    private let number: String?

    init(_ response: Exchange.Response?) {
        number = response?.version
    }

    /// The number of bytes of the version.
    var count: Int { number.map { 5 + $0.utf8.count } ?? 0 }

    /// Appends the `httpVersion` member and opens the `cookies` array, each with a leading comma.
    func write(into json: inout JSONText) {
        guard let number else { return json.literal(",\"httpVersion\":\"\",\"cookies\":[") }
        if number == "1.1" { return json.literal(",\"httpVersion\":\"HTTP/1.1\",\"cookies\":[") }
        json.literal(",\"httpVersion\":")
        json.string("HTTP/" + number)
        json.literal(",\"cookies\":[")
    }
}
