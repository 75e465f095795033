extension EventsSchema {
    /// The objects of which exchanges are made.
    static let exchangeParts: [EventsSchemaObject] = [
        EventsSchemaObject(
            name: "exchange", description: "A request that was sent, and what came back.",
            members: [
                .always("start", .integer, "When it began, in nanoseconds from the run's start."),
                .always(
                    "request", .object("request"), "The request that was sent last: after redirects, the final one."),
                .maybe("response", .object("response"), "The response; with a `failure`, what had arrived of it."),
                .maybe("failure", .object("failure"), "Why there is no whole response."),
                .maybe("hops", .objects("hop"), "The redirects that were followed, in order."),
                .always("timings", .object("timings"), "How long each phase took."),
                .maybe("cookies", .objects("cookie"), "The cookies that the responses set, in order."),
                .maybe("trailers", .objects("field"), "The trailer fields, in order."),
                .maybe("certificate", .object("certificate"), "The server's certificate, where a step looks at it."),
                .maybe("image", .object("image"), "The image that the body is, where a step looks at it."),
                .maybe("events", .values, "The events of a stream, in order, as far as they take 262,144 bytes."),
                .maybe("omittedEvents", .count, "How many further events there were."),
                .maybe(
                    "streamEnd", .words(["closed", "complete", "timeout"]),
                    "Why no further event was read: the server ended the stream, all that are expected had come, or the time was up."
                ),
                .maybe("streamTimeout", .integer, "The time that was up, in nanoseconds."),
                .maybe("webSocket", .object("webSocket"), "What went over the WebSocket that the exchange has opened."),
            ]),
        EventsSchemaObject(
            name: "request", description: "A request as it was sent.",
            members: [
                .always("method", .text, "The method."), .always("url", .text, "The absolute URL."),
                .maybe("headers", .objects("field"), "The header fields, in order."),
                .maybe(
                    "streamedSize", .count, "The bytes of a body that was made while it was sent, 0 when not known."),
                .maybe("body", .object("body"), "The body, unless it is empty."),
                .maybe("curlOptions", .texts, "The options of `curl` that make the same connection."),
                .maybe(
                    "form", .objects("formPart"),
                    "The parts of the body, in order, when it is a multipart form with at most 8,192 bytes of text."),
            ]),
        EventsSchemaObject(
            name: "formPart", description: "A part of a multipart form, with either `text` or `file`.",
            members: [
                .always("name", .text, "The name of the field."), .maybe("text", .text, "The content."),
                .maybe("file", .text, "The path of the file that is the content."),
                .maybe("fileName", .text, "The file name that the server is given."),
                .maybe("contentType", .text, "The media type."),
                .maybe("headers", .objects("field"), "Further header fields, in order."),
            ]),
        EventsSchemaObject(
            name: "response", description: "A response, its content decoded.",
            members: [
                .always("status", .count, "The status code."),
                .maybe("reason", .text, "The reason phrase, unless it is empty."),
                .always("version", .text, "The version of HTTP: `1.0`, `1.1` or `2`."),
                .maybe("headers", .objects("field"), "The header fields, in order."),
                .maybe("body", .object("body"), "The body, content encodings removed, unless it is empty."),
            ]),
        EventsSchemaObject(
            name: "field", description: "A header field.",
            members: [
                .always("name", .text, "Its name as it was sent."), .always("value", .text, "Its value."),
            ]),
        EventsSchemaObject(
            name: "body", description: "The bytes of a body: as `text` where they are UTF-8, otherwise as `base64`.",
            members: [
                .always("size", .count, "The bytes of the body before secrets were masked and before it was cut."),
                .maybe(
                    "encodedSize", .count,
                    "The bytes that were transferred, where content codings are undone for the record alone."),
                .maybe("text", .text, "The body as text."), .maybe("base64", .text, "The body in base64 (RFC 4648)."),
                .maybe("isCut", .flag, "True when these are the first 262,144 bytes alone."),
            ]),
        EventsSchemaObject(
            name: "failure", description: "Why no whole response arrived.",
            members: [
                .always(
                    "phase", .text,
                    "The phase: `dns`, `connect`, `tls`, `send`, `firstByte`, `receive`, `decode`, `redirect` or `request`."
                ),
                .always("kind", .text, "A stable word, such as `timeout` or `connectionRefused`."),
                .always("message", .text, "What happened, as one sentence."),
            ]),
        EventsSchemaObject(
            name: "hop", description: "A response that redirected to the next request.",
            members: [
                .always("status", .count, "Its status."), .always("url", .text, "The URL that answered so."),
                .always("location", .text, "Where it pointed, absolute."),
            ]),
        EventsSchemaObject(
            name: "timings",
            description: "How long each phase took, in nanoseconds; a phase that did not happen is absent.",
            members: [
                .maybe("dns", .integer, "Resolving the host's name."), .maybe("connect", .integer, "Connecting."),
                .maybe("tls", .integer, "The TLS handshake."),
                .maybe("firstByte", .integer, "From the request sent to the first byte of the response."),
                .maybe("transfer", .integer, "From the first byte to the last."),
                .always("total", .integer, "The whole exchange, redirects included."),
            ]),
        EventsSchemaObject(
            name: "cookie", description: "A cookie that a response set.",
            members: [
                .always("name", .text, "Its name."), .always("value", .text, "Its value."),
                .always("field", .text, "The whole value of `Set-Cookie`."),
            ]),
        EventsSchemaObject(
            name: "certificate", description: "The certificate of a server.",
            members: [
                .always("subject", .text, "The name of whom it is for (RFC 4514)."),
                .always("issuer", .text, "The name of who signed it."),
                .maybe("names", .texts, "The host names and addresses that it is for."),
                .always("notAfter", .integer, "The last second at which it is valid, since 1970-01-01T00:00:00Z."),
            ]),
        EventsSchemaObject(
            name: "image", description: "What is known of an image.",
            members: [
                .always("format", .text, "The format, such as `png`."),
                .maybe("width", .count, "The width in pixels."), .maybe("height", .count, "The height in pixels."),
            ]),
        EventsSchemaObject(
            name: "webSocket", description: "What went over a WebSocket.",
            members: [
                .maybe("omitted", .count, "How many messages came before those that are kept."),
                .always("messages", .objects("message"), "The last messages, in order."),
            ]),
        EventsSchemaObject(
            name: "message",
            description: "A message of a WebSocket, or a frame that is none; its bytes are as those of a body.",
            members: [
                .always("side", .words(["client", "server"]), "Where it comes from."),
                .always("kind", .words(["text", "binary", "ping", "pong", "close"]), "What it is."),
                .maybe("code", .count, "The code of a close frame."), .always("size", .count, "Its bytes."),
                .maybe("text", .text, "The bytes as text."), .maybe("base64", .text, "The bytes in base64."),
                .maybe("isCut", .flag, "True when these are the first bytes alone."),
            ]),
    ]
}
