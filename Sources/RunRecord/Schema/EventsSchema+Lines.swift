extension EventsSchema {
    /// The lines of a record, identified by the value of `event`.
    static let lines: [EventsSchemaObject] = [
        EventsSchemaObject(
            name: "run", description: "The run begins. This is the first line.",
            members: [
                .always("schema", .count, "The version of the format: 1."),
                .always("version", .text, "The version of apitest."),
                .always("startTime", .number, "When the run began, in seconds since 1970-01-01T00:00:00Z."),
                .always("seed", .count, "The seed of random values, an integer of up to 64 bits."),
                .always("jobs", .count, "How many exchanges are in flight at most."),
                .maybe("hostName", .text, "The name of the machine."),
                .maybe("workingFolder", .text, "The absolute path of the folder from which paths of suites go on."),
                .maybe("shard", .text, "The part of the tests that the run takes, as in `2/5`."),
                .maybe("origin", .object("origin"), "The revision and the CI job of the run."),
                .maybe("testCountOfShards", .count, "The number of tests of all shards together."),
                .maybe(
                    "allExchanges", .flag,
                    "Whether the exchanges of steps that passed are there for those reports alone that need them."),
                .always("testCount", .count, "The number of tests of the run; setup and teardown are not tests."),
                .always(
                    "suites", .objects("suite"), "The suites, in their order; other lines name them by their index."),
            ]),
        EventsSchemaObject(
            name: "suiteStart",
            description: "A suite begins. Suites come in their order, so a test of a later one may be done before.",
            members: [.always("suite", .count, "The index of the suite, from 0.")] + suite),
        EventsSchemaObject(
            name: "testStart", description: "A test begins. Tests that do not run have no such line.",
            members: reference + [.always("time", .integer, "When, in nanoseconds from the run's start.")]),
        EventsSchemaObject(
            name: "test", description: "A test is done. These lines come in the order in which tests end.",
            members: reference + outcome + [
                .maybe("cutOff", .flag, "Whether an interruption or a crash kept the test from running to its end."),
                .always("start", .integer, "When the test began, in nanoseconds from the run's start."),
                .always("duration", .integer, "Nanoseconds from its start to its end, with all attempts and waits."),
                .maybe("steps", .objects("step"), "The steps that ran or were given up, in order."),
                .maybe("attempts", .objects("testAttempt"), "The attempts before the one that counts, in order."),
                .maybe(
                    "variables", .objects("variable"), "What names stood for that the test used, when it did not pass."),
            ]),
        EventsSchemaObject(
            name: "notice", description: "Something that concerns the run and no single test.",
            members: [
                .always("severity", .words(["error", "warning", "note"]), "How grave it is."),
                .maybe("suite", .count, "The index of the suite that it concerns."),
                .always("message", .text, "What happened, as one sentence."),
                .maybe("details", .texts, "Further lines, such as the end of a server's output."),
                .maybe("time", .integer, "When, in nanoseconds from the run's start."),
            ]),
        EventsSchemaObject(
            name: "suiteEnd", description: "A suite is done.",
            members: [
                .always("suite", .count, "The index of the suite, from 0."),
                .always("counts", .object("counts"), "Its tests by outcome."),
                .always("duration", .integer, "Nanoseconds from the suite's start to its end."),
                .maybe("notRun", .count, "Tests that were to run and did not, as the run was cut off."),
                .maybe("serverError", .flag, "Whether the suite's server ended by itself."),
            ]),
        EventsSchemaObject(
            name: "interruption", description: "A signal stops the run; what runs is cancelled and reported.",
            members: [.always("time", .integer, "When, in nanoseconds from the run's start.")]),
        EventsSchemaObject(
            name: "runEnd", description: "The run is over. A record without this line breaks off: the run was killed.",
            members: [
                .always("counts", .object("counts"), "The tests of all suites by outcome."),
                .always("exchanges", .count, "How many exchanges were sent."),
                .always("duration", .integer, "Nanoseconds from the run's start to its end."),
                .always("interrupted", .flag, "Whether a signal stopped the run."),
                .always("serverError", .flag, "Whether a server of `serve` did not start, or ended by itself."),
                .maybe("snapshotError", .flag, "Whether the file of a snapshot could not be written or removed."),
                .maybe(
                    "lowCoverage", .flag,
                    "Whether less of a contract was covered than `--coverage-threshold` asks for."),
                .maybe("missing", .object("missing"), "What a run lacks that is not whole."),
                .maybe("contracts", .objects("coverage"), "What of each OpenAPI description the run has exercised."),
            ]),
    ]

    private static let suite: [EventsSchemaMember] = [
        .always("name", .text, "The suite's name."),
        .always("path", .text, "The path of its file as it was given."),
        .maybe("documentIndex", .count, "The index of the document in its file, where that is not the first."),
        .maybe("description", .text, "What the suite is about."),
        .maybe("owner", .text, "The person or team responsible for its tests."),
        .maybe("properties", .objects("property"), "Its keys that begin with `x-`."),
        .maybe("baseURL", .text, "The base URL, once it is known."),
        .maybe("environment", .text, "The environment whose values the suite has."),
        .always("testCount", .count, "How many of its tests the run takes."),
        .maybe("start", .integer, "When it began, in nanoseconds from the run's start."),
        .maybe("digest", .text, "What is the same as long as the suite's files are, in hexadecimal."),
    ]

    private static let reference: [EventsSchemaMember] = [
        .always("suite", .count, "The index of the test's suite."),
        .always(
            "position", .count, "The position among the tests that the run takes of the suite, from 0, in file order."),
        .maybe(
            "ordinal", .integer,
            "Where the test stands among those that all shards take of the suite, when that differs from `position`."),
        .always("name", .text, "The test's name, unique in its suite."),
        .maybe("id", .text, "The test's identifier."), .maybe("tags", .texts, "The tags."),
        .maybe(
            "kind", .words(["setup", "teardown"]),
            "What a setup or teardown is; these are not tests, and count only when they fail."),
        .maybe("description", .text, "What the test is about."),
        .maybe("owner", .text, "The person or team responsible for it."),
        .maybe("properties", .objects("property"), "Its keys that begin with `x-`."),
        .maybe("hasSteps", .flag, "Whether the test was written with `steps`."),
        .always("file", .text, "The file in which the test stands."),
        .always("line", .count, "Its line, from 1."),
        .always("column", .count, "Its column in Unicode scalars, from 1."),
    ]

    /// The members of an outcome.
    static let outcome: [EventsSchemaMember] = [
        .always(
            "outcome", .words(["passed", "flaky", "known", "failed", "errored", "skipped", "blocked"]),
            "The verdict; `flaky` passed only when it was tried again, `errored` got no answer or could not be checked; "
                + "of a `known` one a baseline has every finding."
        ),
        .maybe("reason", .text, "Why it was skipped."),
        .maybe("blockedBy", .text, "The name of the test that did not pass, by which it was blocked."),
    ]
}

extension EventsSchema {
    /// A suite as listed in the first line.
    static let suiteObject = EventsSchemaObject(
        name: "suite", description: "A suite of the run; `baseURL` and `start` are not known yet when the run begins.",
        members: suite)
}

extension EventsSchema {
    /// The objects used in lines.
    static let parts: [EventsSchemaObject] =
        [
            suiteObject,
            EventsSchemaObject(
                name: "origin", description: "The revision and the CI job of a run.",
                members: [
                    .maybe("system", .text, "The name of the CI system."),
                    .maybe("build", .integer, "The number of the build, as the system counts them."),
                    .maybe("revision", .object("link"), "The revision of the system under test."),
                    .maybe("branch", .object("link"), "The branch, or the tag."),
                    .maybe("job", .object("link"), "The job or build."),
                ]),
            EventsSchemaObject(
                name: "link", description: "A name with the page that shows it.",
                members: [
                    .always("name", .text, "The name."), .maybe("url", .text, "The URL of the page."),
                ]),
            EventsSchemaObject(
                name: "counts", description: "Tests by outcome.",
                members: ["passed", "flaky", "failed", "errored", "skipped", "blocked"].map {
                    .always($0, .count, "How many are `\($0)`.")
                } + [.maybe("known", .count, "How many are `known`; absent when none is.")]),
            EventsSchemaObject(
                name: "missing",
                description: "What a run lacks that was interrupted or broke off, or of which a shard is missing.",
                members: [
                    .always("notRun", .count, "Tests that were to run and did not, as far as that is known."),
                    .always("planned", .count, "The tests that the run was to have, as far as that is known."),
                    .maybe("reasons", .texts, "What is missing beside them, such as `no record of shard 2/3`."),
                ]),
            EventsSchemaObject(
                name: "property", description: "A name and a value that tools for test management read.",
                members: [.always("name", .text, "The name."), .always("value", .text, "The value.")]),
            EventsSchemaObject(
                name: "coverage", description: "What of an OpenAPI description the run has exercised.",
                members: [
                    .always("description", .text, "The path of the description."),
                    .always("items", .objects("coverageItem"), "Its parts, in the order of the description."),
                    .maybe("undocumented", .texts, "What exchanges had that is not documented."),
                ]),
            EventsSchemaObject(
                name: "coverageItem", description: "A part of an OpenAPI description.",
                members: [
                    .always(
                        "kind", .words(["operation", "parameter", "request", "response", "response-content"]),
                        "What it is; `request` and `response-content` are media types."),
                    .always("operation", .text, "The operation: its method and path."),
                    .maybe("name", .text, "Which part of it, such as `query limit` or `200 application/json`."),
                    .always("covered", .flag, "Whether an exchange was an instance of it."),
                ]),
            EventsSchemaObject(
                name: "step", description: "What became of a step; a test without `steps` is one step of its own name.",
                members: [
                    .always(
                        "name", .text, "Its name, otherwise its request line; the test's for a test without `steps`.")
                ] + outcome + [
                    .always("start", .integer, "When it began, in nanoseconds from the run's start."),
                    .always("duration", .integer, "Nanoseconds, with all attempts and waits."),
                    .maybe("file", .text, "The file in which the step stands, when that is not the test's."),
                    .always("line", .count, "Its line, from 1."), .always("column", .count, "Its column, from 1."),
                    .maybe(
                        "calls", .objects("place"), "The calls that led to a step of a fragment, the innermost first."),
                    .maybe("polls", .count, "How often a step that polls has sent its request."),
                    .maybe("findings", .objects("finding"), "What is wrong, in the order of the suite."),
                    .maybe(
                        "exchange", .object("exchange"),
                        "The exchange: of steps that did not pass, with `-v` or `json:exchanges` of every step."),
                    .maybe("sent", .object("outline"), "What was sent by a step whose exchange is not in the record."),
                    .maybe("attempts", .objects("stepAttempt"), "The attempts before the one that counts, in order."),
                ]),
            EventsSchemaObject(
                name: "outline", description: "The request line of an exchange, and the status of its response.",
                members: [
                    .always("method", .text, "The method."),
                    .always("url", .text, "The absolute URL: after redirects, the final one."),
                    .maybe("status", .count, "The status code; absent when no response came."),
                ]),
            EventsSchemaObject(
                name: "testAttempt", description: "An attempt of a whole test that was followed by another one.",
                members: outcome + [
                    .always("duration", .integer, "Nanoseconds."), .always("steps", .objects("step"), "Its steps."),
                ]),
            EventsSchemaObject(
                name: "stepAttempt", description: "An attempt of a step that was followed by another one.",
                members: outcome + [
                    .always("duration", .integer, "Nanoseconds."),
                    .maybe("findings", .objects("finding"), "What was wrong."),
                    .maybe("exchange", .object("exchange"), "The exchange."),
                ]),
            EventsSchemaObject(
                name: "variable", description: "A name that a test used, and what it stood for.",
                members: [
                    .always("name", .text, "The name: of a variable, a capture or a column of a row."),
                    .always("value", .value, "The value."),
                    .maybe(
                        "isCut", .flag, "True when the value is the first 65,536 bytes of its JSON text, as a text."),
                ]),
            EventsSchemaObject(
                name: "finding", description: "An expectation that does not hold, or an error.",
                members: [
                    .always("kind", .words(["failure", "error"]), "Whether something could be checked at all."),
                    .always("subject", .text, "What was looked at, such as `status` or `json $.title`."),
                    .always("type", .text, "The matcher or the kind of error, a stable word."),
                    .always("message", .text, "What is wrong, as one sentence."),
                    .maybe("expected", .value, "What was expected, when it is a value."),
                    .maybe("actual", .value, "What was found, when it is a value."),
                    .maybe(
                        "isCut", .flag,
                        "True when one of these is the first 65,536 bytes of its JSON text, as a text."),
                    .maybe("range", .object("range"), "The part of the suite that asked for it."),
                    .maybe("details", .texts, "Further lines, such as a structural difference."),
                    .maybe("isKnown", .flag, "True when a baseline has the finding."),
                ]),
            EventsSchemaObject(
                name: "range", description: "A part of a file.",
                members: [
                    .always("file", .text, "The file's path."),
                    .always("start", .object("position"), "Where it begins."),
                    .always("end", .object("position"), "Where it ends: behind its last character."),
                    .maybe("text", .text, "The text of the line on which it begins; a long line is cut behind it."),
                ]),
            EventsSchemaObject(
                name: "position", description: "A place in a text.",
                members: [
                    .always("line", .count, "The line, from 1."),
                    .always("column", .count, "The column in Unicode scalars, from 1."),
                ]),
            EventsSchemaObject(
                name: "place", description: "A place in a file.",
                members: [
                    .always("file", .text, "The file's path."), .always("line", .count, "The line, from 1."),
                    .always("column", .count, "The column in Unicode scalars, from 1."),
                ]),
        ] + exchangeParts
}

extension EventsSchema {
    /// The objects used in exchanges.
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
