extension EventsSchema {
    /// The lines of a record, by the value of `event`.
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

    /// What a verdict is told with.
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
    /// A suite as the first line lists it.
    static let suiteObject = EventsSchemaObject(
        name: "suite", description: "A suite of the run; `baseURL` and `start` are not known yet when the run begins.",
        members: suite)
}
