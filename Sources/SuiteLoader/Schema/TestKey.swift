import SuiteModel

/// Keys of a test.
enum TestKey: String, CaseIterable, Sendable {
    case name, id, description, owner, tags, skip, only, needs, lock, cases, matrix, `repeat`, variables, request
    case expect, assert, capture, websocket, steps, retry, until, delay, forEach, timeout, call, with, once
    case `if`
    case `continue`

    static let retryKind = ValueKind.anyOf([.integer(0...100), .map("retry"), .null])

    static let webSocketKind = ValueKind.list(.map("webSocketElement"))
    static let webSocketText =
        "The request opens a WebSocket: what is sent over it and expected of its server, in order."
    static let forEachKind = ValueKind.anyOf([.list(.value), .template, .map("forEach")])

    static let schema = MapSchema<TestKey>(
        "test", title: "a test", "A test: one exchange, or steps that run one after another.",
        rows: [
            .init(.name, .string, required: true, "The name of the test in reports."),
            .init(.id, .string, "A short name, unique in the suite, for `needs` and `tests.ID`."),
            .init(.description, .string, "What the test is about, for people; reports show it."),
            .init(
                .owner, .string,
                "The person or team responsible for the test, in place of the suite's; reports show it."),
            .init(.tags, .anyOf([.list(.string), .string]), "Tags for selecting tests."),
            .init(.skip, .anyOf([.boolean, .string]), "`true`, or the reason why the test is not run."),
            .init(
                .only, .boolean,
                "Whether only this test, and others with `only`, are run, in all suites of the run; refused where `CI` is set."
            ),
            .init(
                .if, StepKey.conditionKind,
                "An expression, without `${` and `}`, that must be true, or the test is skipped."),
            .init(
                .needs, .anyOf([.list(.string), .string]),
                "Tests, by id or name, that must pass before this one starts."),
            .init(.lock, .string, "Tests with the same lock never run at the same time, across the whole run."),
            .init(
                .cases, .anyOf([.list(.members(.value)), .template, .map("cases")]),
                "Rows of data, each a test of its own: a list of maps, the path of a CSV, JSON or YAML file, or an expression."
            ),
            .init(
                .matrix, .members(.anyOf([.list(.value), .template])),
                "Lists that are crossed, each combination a test of its own; `exclude` and `include` name combinations."
            ),
            .init(
                .repeat, .integer(1...TestData.maximumCount), "How many times the test is run, each a test of its own."),
            .init(.variables, .members(.value), "Named values that this test's expressions read."),
            .init(
                .request, .anyOf([.template, .map("request")]),
                "The request: `METHOD url`, or a map."),
            .init(.call, .string, "The fragment whose steps the test runs, in place of a request of its own."),
            .init(.with, .members(.value), "What the called fragment's parameters are, by name."),
            .init(
                .once, TestReader.onceKind,
                "`run` makes the call once in the whole run, and shares its outputs and cookies with all the same calls."
            ),
            .init(
                .expect, .anyOf([.status, .map("expect")]), "What the response must be; a status alone may stand here."),
            .init(
                .assert, .anyOf([.list(.template), .template]),
                "CEL expressions that must be true, without `${` and `}`."),
            .init(
                .capture, .members(.anyOf([.captureSource, .map("capture")])),
                "Values that are taken from the response for later requests, by name."),
            .init(.websocket, webSocketKind, webSocketText),
            .init(.steps, .list(.map("step")), "Several exchanges, one after another, instead of one `request`."),
            .init(
                .retry, retryKind,
                "How often the test is tried again, from its first step, when it did not pass: a number, or a map."),
            .init(.until, UntilKey.kind, UntilKey.text),
            .init(.delay, .duration, StepKey.delayText),
            .init(
                .forEach, forEachKind,
                "The elements for each of which the request is sent: a list, a map, or an expression that gives one."),
            .init(
                .timeout, .duration,
                "How long the whole test may take, with all retries and waits; a request's own stands under `request`."),
            .init(.continue, .boolean, "Of a single exchange, the same as in a step; it changes nothing there."),
        ],
        allowsExtensions: true, misplaced: StepKey.misplaced)
}
