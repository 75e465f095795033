/// Keys of a step.
enum StepKey: String, CaseIterable, Sendable {
    case name, variables, request, expect, assert, capture, websocket, retry, until, delay, forEach
    case call, with, once
    case `if`
    case `continue`

    static let conditionKind = ValueKind.anyOf([.template, .boolean])
    static let delayText = "How long to wait before the request."

    static let misplaced: [String: String] = [
        "url": "it stands under \"request\"", "method": "it stands under \"request\"",
        "query": "it stands under \"request\"", "headers": "it stands under \"request\" or \"expect\"",
        "cookies": "it stands under \"request\" or \"expect\"", "json": "it stands under \"request\" or \"expect\"",
        "form": "it stands under \"request\"", "text": "it stands under \"request\"",
        "redirects": "it stands under \"request\"", "body": "it stands under \"expect\"",
        "status": "it stands under \"expect\"", "size": "it stands under \"expect\"",
        "duration": "it stands under \"expect\"", "asserts": "did you mean \"assert\"?",
        "xml": "it stands under \"request\" or \"expect\"", "html": "it stands under \"expect\"",
        "namespaces": "it stands at the top level of the suite", "every": "it stands under \"until\"",
        "within": "it stands under \"until\"", "abort": "it stands under \"until\"",
        "backoff": "it stands under \"retry\" or \"until\"", "jitter": "it stands under \"retry\"",
        "maxDelay": "it stands under \"retry\" or \"until\"", "when": "did you mean \"if\"?",
        "timeout": "it stands under \"request\", or beside \"steps\" for the whole test",
    ]

    static let schema = MapSchema<StepKey>(
        "step", title: "a step", "A step: one exchange of a test.",
        rows: [
            .init(.name, .string, "The name of the step in reports, by which later steps read it as `steps.NAME`."),
            .init(.variables, .members(.value), "Named values that this step's expressions read."),
            .init(
                .request, .anyOf([.template, .map("request")]),
                "The request: `METHOD url`, or a map."),
            .init(.call, .string, "The fragment whose steps the step runs, in place of a request of its own."),
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
            .init(.websocket, TestKey.webSocketKind, TestKey.webSocketText),
            .init(
                .retry, TestKey.retryKind,
                "How often the step is tried again when it did not pass: a number, or a map."),
            .init(
                .if, conditionKind,
                "An expression, without `${` and `}`, that must be true, or the step is skipped."),
            .init(.until, UntilKey.kind, UntilKey.text),
            .init(.delay, .duration, delayText),
            .init(
                .forEach, TestKey.forEachKind,
                "The elements for each of which the step is done: a list, a map, or an expression that gives one."),
            .init(.continue, .boolean, "Whether the test goes on after this step has failed."),
        ],
        allowsExtensions: true, misplaced: misplaced)
}
