import FileSystem
import SuiteModel

/// The keys of a test.
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
                .once, .choice(["run"]),
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

extension TestKey {
    /// The corresponding step key, for a key that a test with a single exchange shares with steps.
    var ofExchange: StepKey? {
        switch self {
        case .request: .request
        case .expect: .expect
        case .assert: .assert
        case .capture: .capture
        case .websocket: .websocket
        case .until: .until
        case .delay: .delay
        case .call: .call
        case .with: .with
        case .once: .once
        case .forEach: .forEach
        case .continue: .continue
        case .name, .id, .description, .owner, .tags, .skip, .only, .if, .timeout, .needs, .lock, .cases, .matrix,
            .repeat, .variables, .steps, .retry:
            nil
        }
    }
}

/// The keys of a step.
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
                .once, .choice(["run"]),
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

/// The keys of `forEach`.
enum ForEachKey: String, CaseIterable, Sendable {
    case `in`, `as`, index

    static let schema = MapSchema<ForEachKey>(
        "forEach", title: "\"forEach\"", "The elements for each of which the step is done.",
        rows: [
            .init(
                .in, .anyOf([.list(.value), .members(.value), .template]), required: true,
                "A list, a map, or an expression that gives one."),
            .init(.as, .string, "The variable that holds the element; without it, `item`."),
            .init(.index, .string, "The variable that holds the element's index, from 0; without it, `index`."),
        ])
}

/// The keys of `cases` for a data file.
enum CasesKey: String, CaseIterable, Sendable {
    case file, format, delimiter, columns

    static let schema = MapSchema<CasesKey>(
        "cases", title: "\"cases\"", "A file of rows, and how it is read.",
        rows: [
            .init(.file, .string, required: true, "The path of the file; it resolves against the suite's folder."),
            .init(
                .format, .choice(DataFormat.allCases.map(\.rawValue)),
                "How the file is written; without it, what its name ends with says so."),
            .init(.delimiter, .string, "The character between the fields of a CSV file; without it, a comma."),
            .init(
                .columns, .list(.string),
                "The columns of a CSV file that has no header, each as in a header: `count:int`."),
        ])
}

/// The keys of `until`: expectations and polling settings.
enum UntilKey: String, CaseIterable, Sendable {
    case status, headers, cookies, json
    case jsonSchema = "schema"
    case xml, html, body, duration, size, redirects, hops, http, timings, certificate, trailers, sha256, image, assert
    case every, within, backoff, maxDelay, abort

    /// The allowed values of `until`; a status is short for a mapping with only a status.
    static let kind = ValueKind.anyOf([.status, .map("until")])
    static let text =
        "Repeats the request until the answer is as said here: what `expect` may hold, with `assert`, `every`, `within`, `backoff`, `maxDelay` and `abort`."

    /// Returns the rows of the expectations that `expect` has, too, and of `assert`.
    static func expectations<Key>(as key: (String) -> Key?) -> [MapSchema<Key>.Row] {
        ExpectKey.schema.description.entries.compactMap { entry in
            key(entry.name).map { .init($0, entry.kind, entry.documentation) }
        }
            + [
                key("assert").map {
                    .init(
                        $0, .anyOf([.list(.template), .template]), "CEL expressions that must be true of the answer.")
                }
            ].compactMap { $0 }
    }

    static let misplaced: [String: String] = [
        "events": "a stream cannot be polled", "times": "write \"within: 1m\", how long is polled",
        "timeout": "write \"within\"", "interval": "write \"every\"", "delay": "write \"every\"",
        "expect": "write what is expected directly under \"until\"",
        "capture": "it stands beside \"until\", and takes values from the last answer",
        "header": "did you mean \"headers\"?", "text": "did you mean \"body\"?", "cookie": "did you mean \"cookies\"?",
    ]

    static let schema = MapSchema<UntilKey>(
        "until", title: "until", "What is polled for: the request is repeated until all of it holds.",
        rows: expectations(as: UntilKey.init(rawValue:)) + [
            .init(.every, .duration, "The wait between an answer and the next request; without it, 1s."),
            .init(.within, .duration, "How long is polled; without it, 1m."),
            .init(
                .backoff, .choice(["constant", "exponential"]),
                "Whether each wait is as long as the first (`constant`, the default) or twice the one before."),
            .init(.maxDelay, .duration, "The longest wait; without it, 1m, or `every` if that is longer."),
            .init(
                .abort, .anyOf([.status, .map("abort")]),
                "What ends the polling as failed: an answer of which all of this holds."),
        ],
        misplaced: misplaced)
}

/// The keys of `within`.
enum WithinKey: String, CaseIterable, Sendable {
    case of, amount

    static let schema = MapSchema<WithinKey>(
        "within", title: "within", "A date-time and how far from it another may be.",
        rows: [
            .init(.of, .template, required: true, "The date-time."),
            .init(.amount, .duration, required: true, "How far from it the value may be."),
        ])
}

/// The keys of `abort` in `until`.
enum AbortKey: String, CaseIterable, Sendable {
    case status, headers, cookies, json
    case jsonSchema = "schema"
    case xml, html, body, duration, size, redirects, hops, http, timings, certificate, trailers, sha256, image, assert

    static let schema = MapSchema<AbortKey>(
        "abort", title: "abort", "What ends polling as failed: an answer of which all of it holds.",
        rows: UntilKey.expectations(as: AbortKey.init(rawValue:)), misplaced: UntilKey.misplaced)
}

/// The keys of `retry`.
enum RetryKey: String, CaseIterable, Sendable {
    case times, delay, backoff, jitter, maxDelay, on, honourRetryAfter

    static let schema = MapSchema<RetryKey>(
        "retry", title: "retry", "How often something that did not pass is tried again, and when.",
        rows: [
            .init(.times, .integer(0...100), required: true, "Retries at most."),
            .init(.delay, .duration, "The wait before the first retry; without it, none."),
            .init(
                .backoff, .choice(["constant", "exponential"]),
                "Whether each wait is as long as the first (`constant`, the default) or twice the one before."),
            .init(
                .jitter, .anyOf([.boolean, .fraction]),
                "The part of each wait that is random, from 0 to 1; true for all of it. Without it, none."),
            .init(
                .maxDelay, .duration,
                "The longest wait, that of `Retry-After` included; without it, 1m, or `delay` if that is longer."),
            .init(
                .on, .anyOf([.list(.anyOf([.integer(100...999), .string])), .integer(100...999), .string]),
                "What is retried: statuses (`429`, `5xx`, `500-504`), `timeout`, `connect`, `expect`; without it, whatever did not pass."
            ),
            .init(
                .honourRetryAfter, .boolean,
                "Whether a response's `Retry-After` makes the wait longer; without it, true."),
        ])
}

/// The format of a data file.
enum DataFormat: String, CaseIterable, Sendable {
    /// Comma-separated values with a header (RFC 4180).
    case csv
    /// A JSON array of objects.
    case json
    /// One JSON object per line.
    case ndjson
    /// A YAML sequence of mappings.
    case yaml

    /// Returns the format and the delimiter for a file name extension; nil if it is unknown.
    static func format(ofFile path: String) -> (format: DataFormat, delimiter: UInt8)? {
        let name = Path.lastComponent(of: path).lowercased()
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        switch name[name.index(after: dot)...] {
        case "csv": return (.csv, UInt8(ascii: ","))
        case "tsv", "tab": return (.csv, UInt8(ascii: "\t"))
        case "json": return (.json, 0)
        case "ndjson", "jsonl": return (.ndjson, 0)
        case "yaml", "yml": return (.yaml, 0)
        default: return nil
        }
    }
}
