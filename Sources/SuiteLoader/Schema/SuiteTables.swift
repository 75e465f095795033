/// Keys of a suite.
enum SuiteKey: String, CaseIterable, Sendable {
    case name, description, tags, baseURL, mode, serve, variables, defaults, tests

    static let schema = MapSchema<SuiteKey>(
        "suite", title: "a suite", "A suite of API tests: one YAML document.",
        rows: [
            .init(.name, .string, "The name of the suite in reports; without one, the file's name."),
            .init(.description, .string, "What the suite is about, for people."),
            .init(
                .tags, .anyOf([.list(.string), .string]),
                "Tags that every test of the suite has, for selecting tests."),
            .init(
                .baseURL, .template,
                "What relative URLs resolve against; with `serve`, the address of what is started unless given here."),
            .init(
                .mode, .choice(["concurrent", "serial"]),
                "How tests are ordered: `concurrent` (the default) starts each as soon as what it depends on is done, `serial` runs them as written."
            ),
            .init(
                .serve, .map("serve"), "What is started for the run and stopped afterwards."),
            .init(
                .variables, .members(.value),
                "Named values that expressions read as `${name}`; they may use each other."),
            .init(.defaults, .map("defaults"), "What every request and every expectation of the suite has in common."),
            .init(.tests, .list(.map("test")), required: true, "The tests, in the order in which they are reported."),
        ],
        unsupported: [
            ("contract", "An OpenAPI document against which every exchange is held."),
            ("environments", "Named sets of values, one of which is chosen for a run."),
            ("secrets", "Names of variables whose values are masked in every output."),
            ("dotenv", "A file that feeds `env()`."),
            ("use", "Files whose fragments the suite calls."),
            ("fragments", "Named lists of steps."),
            ("setup", "Steps that run before the tests."),
            ("teardown", "Steps that run after the tests, whatever came of them."),
        ],
        allowsExtensions: true,
        misplaced: [
            "request": "it stands under \"tests\"", "expect": "it stands under \"tests\" or \"defaults\"",
            "steps": "it stands under \"tests\"", "headers": "it stands under \"defaults\" or \"request\"",
            "timeout": "it stands under \"defaults\" or \"request\"",
            "redirects": "it stands under \"defaults\" or \"request\"",
            "url": "did you mean \"baseURL\"?", "host": "did you mean \"baseURL\"?",
            "routes": "this is a mock file; a suite names it in \"serve: { mock: … }\"",
            "collections": "this is a mock file; a suite names it in \"serve: { mock: … }\"",
        ])
}

/// Keys of a test.
enum TestKey: String, CaseIterable, Sendable {
    case name, id, description, tags, skip, needs, lock, variables, request, expect, assert, capture, steps
    case `continue`

    static let schema = MapSchema<TestKey>(
        "test", title: "a test", "A test: one exchange, or steps that run one after another.",
        rows: [
            .init(.name, .string, required: true, "The name of the test in reports."),
            .init(.id, .string, "A short name, unique in the suite, for `needs` and `tests.ID`."),
            .init(.description, .string, "What the test is about, for people."),
            .init(.tags, .anyOf([.list(.string), .string]), "Tags for selecting tests."),
            .init(.skip, .anyOf([.boolean, .string]), "`true`, or the reason why the test is not run."),
            .init(
                .needs, .anyOf([.list(.string), .string]),
                "Tests, by id or name, that must pass before this one starts."),
            .init(.lock, .string, "Tests with the same lock never run at the same time, across the whole run."),
            .init(.variables, .members(.value), "Named values that this test's expressions read."),
            .init(
                .request, .anyOf([.template, .map("request")]),
                "The request: `METHOD url`, or a map."),
            .init(
                .expect, .anyOf([.status, .map("expect")]), "What the response must be; a status alone may stand here."),
            .init(
                .assert, .anyOf([.list(.template), .template]),
                "CEL expressions that must be true, without `${` and `}`."),
            .init(
                .capture, .members(.anyOf([.captureSource, .map("capture")])),
                "Values that are taken from the response for later requests, by name."),
            .init(.steps, .list(.map("step")), "Several exchanges, one after another, instead of one `request`."),
            .init(.continue, .boolean, "Of a single exchange, the same as in a step; it changes nothing there."),
        ],
        unsupported: [
            ("only", "Runs only the tests that have it."),
            ("if", "A condition without which the test is skipped."),
            ("cases", "Rows of data, each a test of its own."),
            ("matrix", "Lists that are crossed, each combination a test of its own."),
            ("repeat", "How many times the test is run."),
            ("timeout", "How long the whole test may take."),
            ("retry", "How often a failed test is tried again."),
            ("until", "Polls until the expectations hold."),
            ("delay", "How long to wait before the request."),
            ("forEach", "Repeats the step for each element of a list."),
            ("call", "Runs a fragment."),
            ("with", "The parameters of a called fragment."),
        ],
        allowsExtensions: true, misplaced: StepKey.misplaced)
}

/// Keys of a step.
enum StepKey: String, CaseIterable, Sendable {
    case name, variables, request, expect, assert, capture
    case `continue`

    static let misplaced: [String: String] = [
        "url": "it stands under \"request\"", "method": "it stands under \"request\"",
        "query": "it stands under \"request\"", "headers": "it stands under \"request\" or \"expect\"",
        "cookies": "it stands under \"request\" or \"expect\"", "json": "it stands under \"request\" or \"expect\"",
        "form": "it stands under \"request\"", "text": "it stands under \"request\"",
        "redirects": "it stands under \"request\"", "body": "it stands under \"expect\"",
        "status": "it stands under \"expect\"", "size": "it stands under \"expect\"",
        "duration": "it stands under \"expect\"", "asserts": "did you mean \"assert\"?",
    ]

    static let schema = MapSchema<StepKey>(
        "step", title: "a step", "A step: one exchange of a test.",
        rows: [
            .init(.name, .string, "The name of the step in reports, by which later steps read it as `steps.NAME`."),
            .init(.variables, .members(.value), "Named values that this step's expressions read."),
            .init(
                .request, .anyOf([.template, .map("request")]), required: true,
                "The request: `METHOD url`, or a map."),
            .init(
                .expect, .anyOf([.status, .map("expect")]), "What the response must be; a status alone may stand here."),
            .init(
                .assert, .anyOf([.list(.template), .template]),
                "CEL expressions that must be true, without `${` and `}`."),
            .init(
                .capture, .members(.anyOf([.captureSource, .map("capture")])),
                "Values that are taken from the response for later requests, by name."),
            .init(.continue, .boolean, "Whether the test goes on after this step has failed."),
        ],
        unsupported: [
            ("until", "Polls until the expectations hold."),
            ("retry", "How often a failed step is tried again."),
            ("delay", "How long to wait before the request."),
            ("if", "A condition without which the step is skipped."),
            ("forEach", "Repeats the step for each element of a list."),
            ("call", "Runs a fragment."),
            ("with", "The parameters of a called fragment."),
        ],
        allowsExtensions: true, misplaced: misplaced)
}

/// Keys of `defaults`.
enum DefaultsKey: String, CaseIterable, Sendable {
    case headers, query, queryStyle, cookies, timeout, redirects, maxBodySize, expect

    static let schema = MapSchema<DefaultsKey>(
        "defaults", title: "defaults", "What every request and every expectation of a suite has in common.",
        rows: [
            .init(
                .headers, .members(.anyOf([.text, .list(.text)])),
                "Headers of every request; a request's own header replaces the one of the same name, null removes it."),
            .init(.query, .members(.value), "What is added to the query of every URL."),
            .init(
                .queryStyle, .choice(["brackets", "repeat", "comma", "indices"]),
                "How nested values under `query` are spelled."),
            .init(.cookies, .members(.text), "Cookies of every request."),
            .init(
                .timeout, .anyOf([.duration, .map("timeout")]),
                "How long an exchange may take, or each part of it."),
            .init(
                .redirects, .anyOf([.boolean, .integer(0...100)]),
                "How many redirects are followed; false follows none. Without it, 10."),
            .init(.maxBodySize, .size, "The most that a response's body may have."),
            .init(
                .expect, .anyOf([.status, .map("expect")]),
                "Expectations of every exchange, merged key by key; a step's own key replaces the default's, null removes it."
            ),
        ],
        unsupported: [
            ("auth", "How requests prove who sends them."),
            ("tls", "Certificates and versions of TLS."),
            ("proxy", "The proxy through which requests go."),
            ("http", "The version of HTTP."),
            ("retry", "How often a failed exchange is tried again."),
            ("compress", "How request bodies are compressed."),
            ("unixSocket", "The socket to connect to."),
            ("resolve", "Addresses of host names."),
        ],
        misplaced: ["baseURL": "it stands beside \"defaults\"", "variables": "it stands beside \"defaults\""])
}
