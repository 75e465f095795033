extension EventsSchema {
    /// The lines of a record, identified by the value of `event`.
    static let lines: [EventsSchemaObject] = [
        EventsSchemaObject(
            name: "run", description: "The start of the run. This is the first line.",
            members: [
                .always("schema", .count, "The version of the format: 1."),
                .always("version", .text, "The version of apitest."),
                .always("startTime", .number, "The start time of the run in seconds since 1970-01-01T00:00:00Z."),
                .always("seed", .count, "The seed of random values, an unsigned 64-bit integer."),
                .always("jobs", .count, "The maximum number of exchanges in flight."),
                .maybe("hostName", .text, "The host name of the machine."),
                .maybe("workingFolder", .text, "The absolute path of the directory to which suite paths are relative."),
                .maybe("shard", .text, "The shard of the tests that the run executes, such as `2/5` or `hash:2/5`."),
                .maybe("origin", .object("origin"), "The revision and CI job of the run."),
                .maybe("testCountOfShards", .count, "The total number of tests in all shards."),
                .maybe(
                    "allExchanges", .flag,
                    "Whether exchanges of passed steps are included only for the reports that need them."),
                .always("testCount", .count, "The number of tests in the run. Setups and teardowns are not tests."),
                .always(
                    "suites", .objects("suite"), "The suites in order. Other lines refer to them by index."),
            ]),
        EventsSchemaObject(
            name: "suiteStart",
            description:
                "The start of a suite. Suites are reported in order, so tests of a later suite may finish before it starts.",
            members: [.always("suite", .count, "The index of the suite, starting at 0.")] + suite),
        EventsSchemaObject(
            name: "testStart", description: "The start of a test. Tests that do not run have no such line.",
            members: reference + [.always("time", .integer, "The time in nanoseconds since the start of the run.")]),
        EventsSchemaObject(
            name: "test", description: "The result of a test. Tests are reported in the order in which they finish.",
            members: reference + outcome + [
                .maybe("cutOff", .flag, "Whether an interruption or a crash stopped the test before it finished."),
                .always("start", .integer, "The start time in nanoseconds since the start of the run."),
                .always("duration", .integer, "The duration in nanoseconds, including all attempts and waits."),
                .maybe("steps", .objects("step"), "The steps that ran or were skipped, in order."),
                .maybe("attempts", .objects("testAttempt"), "The attempts before the final one, in order."),
                .maybe(
                    "variables", .objects("variable"),
                    "The names that the test used and their values, if it did not pass."),
            ]),
        EventsSchemaObject(
            name: "notice", description: "An error, warning or note about the run or a suite.",
            members: [
                .always("severity", .words(["error", "warning", "note"]), "The severity."),
                .maybe("id", .text, "The id that `apitest explain` explains."),
                .maybe("suite", .count, "The index of the affected suite."),
                .always("message", .text, "A one-sentence description."),
                .maybe("details", .texts, "Additional lines, such as the end of a server's output."),
                .maybe("time", .integer, "The time in nanoseconds since the start of the run."),
            ]),
        EventsSchemaObject(
            name: "suiteEnd", description: "The end of a suite.",
            members: [
                .always("suite", .count, "The index of the suite, starting at 0."),
                .always("counts", .object("counts"), "The number of its tests by outcome."),
                .always("duration", .integer, "The duration in nanoseconds."),
                .maybe(
                    "notRun", .count, "The number of selected tests that did not run because the run stopped early."),
                .maybe("serverError", .flag, "Whether the suite's server exited on its own."),
            ]),
        EventsSchemaObject(
            name: "loadSecond",
            description: "The figures of a second of a load: of the requests that ended in it.",
            members: [
                .always("time", .integer, "The end of the second, in nanoseconds since the start of the load."),
                .always("duration", .integer, "The duration in nanoseconds."),
                .always("started", .count, "The number of iterations that started."),
                .always("inFlight", .count, "The number of iterations in flight at the end."),
                .maybe("warmup", .flag, "Whether the second belongs to the warm-up, which counts in no other figure."),
            ] + loadStatistics),
        EventsSchemaObject(
            name: "load",
            description:
                "The result of a load. The results of its thresholds follow as tests, except in the record of a shard.",
            members: [
                .always("suite", .count, "The index of the suite, starting at 0."),
                .always("profile", .text, "The name of the profile."),
                .always("load", .text, "The load, such as `200/s for 5m`."),
                .always("range", .object("range"), "The name of the profile in the suite, or the suite."),
                .always("startTime", .number, "The start of the load in seconds since 1970-01-01T00:00:00Z."),
                .always("duration", .integer, "The duration of the measured part in nanoseconds."),
                .always("iterations", .count, "The number of iterations."),
                .always("failedIterations", .count, "The number of iterations in which a test failed."),
            ] + loadStatistics + [
                .always(
                    "iterationDurations", .object("histogram"),
                    "The durations from the intended starts of iterations."),
                .always("lateness", .object("histogram"), "The times by which iterations started too late."),
                .always("processorTime", .integer, "The processor time of the program in nanoseconds."),
                .always("eventLoops", .count, "The number of threads that generated the load."),
                .maybe("thresholds", .objects("loadCondition"), "The thresholds of the profile."),
                .maybe("abort", .object("loadCondition"), "The condition that ends the load early."),
                .maybe("cutShort", .flag, "Whether the load ended before its time."),
                .maybe("aborted", .flag, "Whether `abort` ended the load."),
                .maybe("invalid", .objects("loadInvalidity"), "Why the figures do not describe the server."),
                .always("steps", .objects("loadStep"), "The figures of each step, in the order of the suite."),
                .always("causes", .objects("loadCause"), "The reasons for failures, the most frequent first."),
                .maybe("otherFailures", .count, "The number of failures with other reasons."),
                .always("slowest", .objects("loadRequest"), "The slowest requests, the slowest first."),
            ]),
        EventsSchemaObject(
            name: "interruption", description: "A signal that stops the run. Running tests are canceled and reported.",
            members: [.always("time", .integer, "The time in nanoseconds since the start of the run.")]),
        EventsSchemaObject(
            name: "runEnd",
            description: "The end of the run. A record without this line is truncated: the run was killed.",
            members: [
                .always("counts", .object("counts"), "The number of tests in all suites by outcome."),
                .always("exchanges", .count, "The number of exchanges."),
                .always("duration", .integer, "The duration in nanoseconds."),
                .always("interrupted", .flag, "Whether a signal stopped the run."),
                .always("serverError", .flag, "Whether a server of `serve` did not start or exited on its own."),
                .maybe("snapshotError", .flag, "Whether a snapshot file could not be written or removed."),
                .maybe(
                    "lowCoverage", .flag,
                    "Whether contract coverage was below `--coverage-threshold`."),
                .maybe("missing", .object("missing"), "What is missing from an incomplete run."),
                .maybe("contracts", .objects("coverage"), "The coverage of each OpenAPI description."),
            ]),
    ]

    /// The members of the figures of requests.
    static let loadStatistics: [EventsSchemaMember] = [
        .always("requests", .count, "The number of requests."),
        .always("failed", .count, "The number of requests without a response or with a failed expectation."),
        .always("response", .object("histogram"), "The response times, from the intended start of each request."),
        .always("service", .object("histogram"), "The service times, from the actual start of each request."),
    ]

    private static let suite: [EventsSchemaMember] = [
        .always("name", .text, "The suite's name."),
        .always("path", .text, "The path of its file, as passed by the user."),
        .maybe("documentIndex", .count, "The index of the document in its file, if it is not the first."),
        .maybe("description", .text, "The description of the suite."),
        .maybe("owner", .text, "The person or team responsible for its tests."),
        .maybe("properties", .objects("property"), "Its keys that start with `x-`."),
        .maybe("baseURL", .text, "The base URL, once it is known."),
        .maybe("environment", .text, "The environment whose values the suite uses."),
        .always("testCount", .count, "The number of its tests in the run."),
        .maybe("start", .integer, "The start time in nanoseconds since the start of the run."),
        .maybe("digest", .text, "A hexadecimal digest of the suite's files."),
    ]

    private static let reference: [EventsSchemaMember] = [
        .always("suite", .count, "The index of the test's suite."),
        .always(
            "position", .count, "The position among the suite's tests in the run, starting at 0, in file order."),
        .maybe(
            "ordinal", .integer,
            "The position among the suite's tests in all shards, if it differs from `position`."),
        .always("name", .text, "The test's name, unique in its suite."),
        .maybe("id", .text, "The test's identifier."), .maybe("tags", .texts, "The tags."),
        .maybe(
            "kind", .words(["setup", "teardown"]),
            "The kind of a setup or teardown. These are not tests, and count only if they fail."),
        .maybe("description", .text, "The description of the test."),
        .maybe("owner", .text, "The person or team responsible for it."),
        .maybe("properties", .objects("property"), "Its keys that start with `x-`."),
        .maybe("hasSteps", .flag, "Whether the test has `steps`."),
        .maybe("isVerbose", .flag, "Whether reports show all exchanges of the test."),
        .always("file", .text, "The file that contains the test."),
        .always("line", .count, "The line, starting at 1."),
        .always("column", .count, "The column in Unicode scalars, starting at 1."),
    ]

    /// The members of an outcome.
    static let outcome: [EventsSchemaMember] = [
        .always(
            "outcome", .words(["passed", "flaky", "known", "failed", "errored", "skipped", "blocked"]),
            "The outcome. `flaky`: passed only after a retry; `errored`: got no response or could not be checked; `known`: the suite expects the failure, or a baseline contains every finding."
        ),
        .maybe("reason", .text, "Why it was skipped, or why the suite expects it to fail."),
        .maybe("blockedBy", .text, "The name of the test that blocked it by not passing."),
    ]
}

extension EventsSchema {
    /// A suite as listed in the first line.
    static let suiteObject = EventsSchemaObject(
        name: "suite", description: "A suite of the run. `baseURL` and `start` are not yet known when the run starts.",
        members: suite)
}

extension EventsSchema {
    /// The objects used in lines.
    static let parts: [EventsSchemaObject] =
        [
            suiteObject,
            EventsSchemaObject(
                name: "origin", description: "The revision and CI job of a run.",
                members: [
                    .maybe("system", .text, "The name of the CI system."),
                    .maybe("build", .integer, "The build number in that system."),
                    .maybe("revision", .object("link"), "The revision of the system under test."),
                    .maybe("branch", .object("link"), "The branch or tag."),
                    .maybe("job", .object("link"), "The job or build."),
                ]),
            EventsSchemaObject(
                name: "link", description: "A name and a link.",
                members: [
                    .always("name", .text, "The name."), .maybe("url", .text, "The URL of its web page."),
                ]),
            EventsSchemaObject(
                name: "counts", description: "The number of tests by outcome.",
                members: ["passed", "flaky", "failed", "errored", "skipped", "blocked"].map {
                    .always($0, .count, "The number of `\($0)` tests.")
                } + [.maybe("known", .count, "The number of `known` tests, absent if there are none.")]),
            EventsSchemaObject(
                name: "missing",
                description: "What is missing from a run that was interrupted or truncated, or that lacks a shard.",
                members: [
                    .always(
                        "notRun", .count, "The number of tests that were planned but did not run, as far as known."),
                    .always("planned", .count, "The number of tests that were planned, as far as known."),
                    .maybe("reasons", .texts, "Reasons why the run is incomplete, such as `no record of shard 2/3`."),
                ]),
            EventsSchemaObject(
                name: "property", description: "A name and a value for test management tools.",
                members: [.always("name", .text, "The name."), .always("value", .text, "The value.")]),
            EventsSchemaObject(
                name: "coverage", description: "The coverage of an OpenAPI description.",
                members: [
                    .always("description", .text, "The path of the description."),
                    .always("items", .objects("coverageItem"), "Its items, in the order of the description."),
                    .maybe("undocumented", .texts, "Undocumented parts that appeared in exchanges."),
                ]),
            EventsSchemaObject(
                name: "coverageItem", description: "An item of an OpenAPI description.",
                members: [
                    .always(
                        "kind", .words(["operation", "parameter", "request", "response", "response-content"]),
                        "The kind of item. `request` and `response-content` are media types."),
                    .always("operation", .text, "The method and path of the operation."),
                    .maybe(
                        "name", .text, "The part of the operation, such as `query limit` or `200 application/json`."),
                    .always("covered", .flag, "Whether an exchange covered it."),
                ]),
            EventsSchemaObject(
                name: "step",
                description: "The result of a step. A test without `steps` is one step with the test's name.",
                members: [
                    .always(
                        "name", .text, "Its name or else its request line; the test's name for a test without `steps`.")
                ] + outcome + [
                    .always("start", .integer, "The start time in nanoseconds since the start of the run."),
                    .always("duration", .integer, "The duration in nanoseconds, including all attempts and waits."),
                    .maybe("file", .text, "The file that contains the step, if it is not the test's file."),
                    .always("line", .count, "The line, starting at 1."),
                    .always("column", .count, "The column in Unicode scalars, starting at 1."),
                    .maybe(
                        "calls", .objects("place"), "The calls that led to a step of a fragment, innermost first."),
                    .maybe("printed", .objects("variable"), "The expressions that the suite prints, and their values."),
                    .maybe("polls", .count, "The number of requests that a polling step sent."),
                    .maybe("findings", .objects("finding"), "The findings, in the order of the suite."),
                    .maybe(
                        "exchange", .object("exchange"),
                        "The exchange of a step that did not pass. With `-v` or `json:exchanges`, every step has one."),
                    .maybe(
                        "sent", .object("outline"),
                        "The request line and status of a step whose exchange is not in the record."),
                    .maybe("attempts", .objects("stepAttempt"), "The attempts before the final one, in order."),
                ]),
            EventsSchemaObject(
                name: "outline", description: "The request line of an exchange and the status of its response.",
                members: [
                    .always("method", .text, "The method."),
                    .always("url", .text, "The absolute URL, after redirects."),
                    .maybe("status", .count, "The status code, absent if there was no response."),
                ]),
            EventsSchemaObject(
                name: "loadStep", description: "The figures of a step of a load.",
                members: [
                    .always("test", .text, "The name of the test."),
                    .maybe("step", .text, "The name of the step, absent for a test that is a single exchange."),
                ] + loadStatistics),
            EventsSchemaObject(
                name: "loadCause", description: "Requests of a load that failed for the same reason.",
                members: [
                    .always("step", .text, "The name of the step."),
                    .always("count", .count, "The number of requests."),
                    .always("findings", .objects("finding"), "The first finding of the first of these requests."),
                    .maybe("exchange", .object("exchange"), "The exchange of the first of these requests."),
                ]),
            EventsSchemaObject(
                name: "loadRequest", description: "One of the slowest requests of a load.",
                members: [
                    .always("step", .text, "The name of the step."),
                    .always("response", .integer, "The response time in nanoseconds."),
                    .always("time", .integer, "The end of the response, in nanoseconds since the start of the load."),
                    .always("exchange", .object("exchange"), "The exchange."),
                ]),
            EventsSchemaObject(
                name: "loadCondition", description: "A condition for the figures of a load.",
                members: [
                    .always("source", .text, "The CEL expression."),
                    .always("range", .object("range"), "The expression in the suite."),
                ]),
            EventsSchemaObject(
                name: "loadInvalidity", description: "A reason why the figures of a load do not describe the server.",
                members: [
                    .always(
                        "reason", .words(["late", "busy", "empty"]),
                        "The reason: iterations started late, the program had too little processor time, or no request finished."
                    ),
                    .maybe("lateness", .integer, "The 99th percentile of the lateness in nanoseconds, if `late`."),
                    .maybe(
                        "response", .integer, "The 99th percentile of the response times in nanoseconds, if `late`."),
                    .maybe("share", .number, "The used part of the processor time, if `busy`."),
                ]),
            EventsSchemaObject(
                name: "histogram", description: "The distribution of times in nanoseconds.",
                members: [
                    .always("histogram", .text, "The counts: HdrHistogram's compressed V2 encoding, in Base64."),
                    .maybe("min", .integer, "The exact minimum, absent without values."),
                    .maybe("max", .integer, "The exact maximum, absent without values."),
                    .maybe("sum", .integer, "The exact sum, absent without values."),
                ]),
            EventsSchemaObject(
                name: "testAttempt", description: "An attempt of a whole test that was followed by a retry.",
                members: outcome + [
                    .always("duration", .integer, "The duration in nanoseconds."),
                    .always("steps", .objects("step"), "Its steps."),
                ]),
            EventsSchemaObject(
                name: "stepAttempt", description: "An attempt of a step that was followed by a retry or another poll.",
                members: outcome + [
                    .always("duration", .integer, "The duration in nanoseconds."),
                    .maybe("findings", .objects("finding"), "The findings."),
                    .maybe("exchange", .object("exchange"), "The exchange."),
                ]),
            EventsSchemaObject(
                name: "variable", description: "A name that a test used, and its value.",
                members: [
                    .always("name", .text, "The name of a variable, a capture or a column of a row."),
                    .always("value", .value, "The value."),
                    .maybe(
                        "isCut", .flag, "True if the value is a string with the first 65,536 bytes of its JSON text."),
                ]),
            EventsSchemaObject(
                name: "finding", description: "An expectation that is not met, or an error.",
                members: [
                    .always(
                        "kind", .words(["failure", "error"]),
                        "The kind of finding: `failure` if a check failed, `error` if it could not be made."),
                    .always("subject", .text, "The subject of the check, such as `status` or `json $.title`."),
                    .always("type", .text, "The matcher or the kind of error, as a stable identifier."),
                    .always("message", .text, "A one-sentence description."),
                    .maybe("expected", .value, "The expected value, if there is one."),
                    .maybe("actual", .value, "The actual value, if there is one."),
                    .maybe(
                        "isCut", .flag,
                        "True if one of these is a string with the first 65,536 bytes of its JSON text."),
                    .maybe("range", .object("range"), "The part of the suite that contains the expectation."),
                    .maybe("details", .texts, "Additional lines, such as a structural difference."),
                    .maybe(
                        "isKnown", .flag, "True if the suite expects the failure, or a baseline contains the finding."),
                ]),
            EventsSchemaObject(
                name: "range", description: "A part of a file.",
                members: [
                    .always("file", .text, "The file's path."),
                    .always("start", .object("position"), "The start."),
                    .always("end", .object("position"), "The end, after the last character."),
                    .maybe(
                        "text", .text,
                        "The text of the line on which it starts. A long line is truncated after the range."),
                ]),
            EventsSchemaObject(
                name: "position", description: "A position in a file.",
                members: [
                    .always("line", .count, "The line, starting at 1."),
                    .always("column", .count, "The column in Unicode scalars, starting at 1."),
                ]),
            EventsSchemaObject(
                name: "place", description: "A location in a file.",
                members: [
                    .always("file", .text, "The file's path."), .always("line", .count, "The line, starting at 1."),
                    .always("column", .count, "The column in Unicode scalars, starting at 1."),
                ]),
        ] + exchangeParts
}

extension EventsSchema {
    /// The objects used in exchanges.
    static let exchangeParts: [EventsSchemaObject] = [
        EventsSchemaObject(
            name: "exchange", description: "A request and its response.",
            members: [
                .always("start", .integer, "The start time in nanoseconds since the start of the run."),
                .maybe("traceId", .text, "The trace ID in the `traceparent` header of the request."),
                .always(
                    "request", .object("request"), "The request, after redirects the final one."),
                .maybe("response", .object("response"), "The response. With a `failure`, the part that had arrived."),
                .maybe("failure", .object("failure"), "The reason why there is no complete response."),
                .maybe("hops", .objects("hop"), "The redirects that were followed, in order."),
                .always("timings", .object("timings"), "The duration of each phase."),
                .maybe("cookies", .objects("cookie"), "The cookies that the responses set, in order."),
                .maybe("trailers", .objects("field"), "The trailer fields, in order."),
                .maybe("certificate", .object("certificate"), "The server's certificate, if a step checks it."),
                .maybe("image", .object("image"), "The image in the body, if a step checks it."),
                .maybe("events", .values, "The events of a stream, in order, up to 262,144 bytes."),
                .maybe("omittedEvents", .count, "The number of further events."),
                .maybe(
                    "streamEnd", .words(["closed", "complete", "timeout"]),
                    "Why reading stopped: the server closed the stream, all expected events had arrived, or the time limit was reached."
                ),
                .maybe("streamTimeout", .integer, "The time limit in nanoseconds."),
                .maybe("webSocket", .object("webSocket"), "The messages of the WebSocket that the exchange opened."),
                .maybe(
                    "command", .object("command"),
                    "The program that ran instead of a request. Its input is the body of the request; its output and exit status are those of the response."
                ),
            ]),
        EventsSchemaObject(
            name: "request", description: "A request as it was sent.",
            members: [
                .always("method", .text, "The method."), .always("url", .text, "The absolute URL."),
                .maybe("headers", .objects("field"), "The header fields, in order."),
                .maybe(
                    "streamedSize", .count, "The size in bytes of a streamed body, 0 if unknown."),
                .maybe("body", .object("body"), "The body, unless it is empty."),
                .maybe("curlOptions", .texts, "The `curl` options that make the same connection."),
                .maybe(
                    "form", .objects("formPart"),
                    "The parts of the body, in order, if it is a multipart form with at most 8,192 bytes of text."),
            ]),
        EventsSchemaObject(
            name: "formPart", description: "A part of a multipart form, with either `text` or `file`.",
            members: [
                .always("name", .text, "The name of the field."), .maybe("text", .text, "The content."),
                .maybe("file", .text, "The path of the file with the content."),
                .maybe("fileName", .text, "The file name that is sent to the server."),
                .maybe("contentType", .text, "The media type."),
                .maybe("headers", .objects("field"), "Additional header fields, in order."),
            ]),
        EventsSchemaObject(
            name: "response", description: "A response with decoded content.",
            members: [
                .always("status", .count, "The status code."),
                .maybe("reason", .text, "The reason phrase, unless it is empty."),
                .always("version", .text, "The HTTP version: `1.0`, `1.1` or `2`."),
                .maybe("headers", .objects("field"), "The header fields, in order."),
                .maybe("body", .object("body"), "The body without content codings, unless it is empty."),
            ]),
        EventsSchemaObject(
            name: "field", description: "A header field.",
            members: [
                .always("name", .text, "The name as it was sent."), .always("value", .text, "The value."),
            ]),
        EventsSchemaObject(
            name: "body", description: "The bytes of a body: as `text` if they are UTF-8, otherwise as `base64`.",
            members: [
                .always("size", .count, "The size in bytes before secrets were masked and the body was truncated."),
                .maybe(
                    "encodedSize", .count,
                    "The number of bytes transferred, if content codings were removed only for the record."),
                .maybe("text", .text, "The body as text."), .maybe("base64", .text, "The body in Base64 (RFC 4648)."),
                .maybe("isCut", .flag, "True if these are only the first 262,144 bytes."),
            ]),
        EventsSchemaObject(
            name: "failure", description: "The reason why no complete response arrived.",
            members: [
                .always(
                    "phase", .text,
                    "The phase: `dns`, `connect`, `tls`, `send`, `firstByte`, `receive`, `decode`, `redirect`, `request` or `run`."
                ),
                .always("kind", .text, "A stable identifier, such as `timeout` or `connectionRefused`."),
                .always("message", .text, "A one-sentence description."),
            ]),
        EventsSchemaObject(
            name: "hop", description: "A response that redirected to the next request.",
            members: [
                .always("status", .count, "The status code."), .always("url", .text, "The URL that sent the redirect."),
                .always("location", .text, "The absolute URL of the target."),
            ]),
        EventsSchemaObject(
            name: "timings",
            description: "The duration of each phase in nanoseconds. Phases that did not occur are absent.",
            members: [
                .maybe("dns", .integer, "The DNS lookup."), .maybe("connect", .integer, "The connection setup."),
                .maybe("tls", .integer, "The TLS handshake."),
                .maybe("firstByte", .integer, "From the end of the request to the first byte of the response."),
                .maybe("transfer", .integer, "From the first byte of the response to the last."),
                .always("total", .integer, "The whole exchange, including redirects."),
            ]),
        EventsSchemaObject(
            name: "cookie", description: "A cookie that a response set.",
            members: [
                .always("name", .text, "The name."), .always("value", .text, "The value."),
                .always("field", .text, "The whole value of `Set-Cookie`."),
            ]),
        EventsSchemaObject(
            name: "certificate", description: "The certificate of a server.",
            members: [
                .always("subject", .text, "The subject's distinguished name (RFC 4514)."),
                .always("issuer", .text, "The issuer's distinguished name."),
                .maybe("names", .texts, "The host names and addresses for which it is valid."),
                .always("notAfter", .integer, "The time at which it expires, in seconds since 1970-01-01T00:00:00Z."),
            ]),
        EventsSchemaObject(
            name: "image", description: "The properties of an image.",
            members: [
                .always("format", .text, "The format, such as `png`."),
                .maybe("width", .count, "The width in pixels."), .maybe("height", .count, "The height in pixels."),
            ]),
        EventsSchemaObject(
            name: "webSocket", description: "The messages of a WebSocket.",
            members: [
                .maybe("omitted", .count, "The number of earlier messages that were not kept."),
                .always("messages", .objects("message"), "The last messages, in order."),
            ]),
        EventsSchemaObject(
            name: "command", description: "The execution of a program.",
            members: [
                .always("arguments", .texts, "The program and its arguments; for a shell, the command line."),
                .maybe("usesShell", .flag, "True if a shell interprets the command line."),
                .maybe("exit", .count, "The exit status, if the program exited."),
                .maybe("signal", .count, "The signal that terminated the program, if one did."),
                .maybe("stderr", .object("body"), "The standard error, unless it is empty."),
            ]),
        EventsSchemaObject(
            name: "message",
            description: "A WebSocket message or control frame. Its bytes are given like those of a body.",
            members: [
                .always("side", .words(["client", "server"]), "The side that sent it."),
                .always("kind", .words(["text", "binary", "ping", "pong", "close"]), "The kind of message or frame."),
                .maybe("code", .count, "The status code of a close frame."),
                .always("size", .count, "The size in bytes."),
                .maybe("text", .text, "The content as text."), .maybe("base64", .text, "The content in Base64."),
                .maybe("isCut", .flag, "True if these are only the first bytes."),
            ]),
    ]
}
