extension EventsSchema {
    /// The objects of which lines are made.
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
