import Basics
import FileSystem
import SuiteModel

/// The keys of a test.
enum TestKey: String, CaseIterable, Sendable {
    case name, id, description, owner, tags, skip, xfail, only, needs, lock, cookieJar, cases, matrix, `repeat`
    case variables
    case request, run, expect, assert, capture, websocket, steps, retry, until, delay, forEach, timeout, call, with
    case once, save, print, verbose, finally
    case `if`, `while`
    case `continue`

    static let retryKind = ValueKind.anyOf([.count(0...100), .map("retry"), .null])

    static let cookieJarKind = ValueKind.choice(SuiteTest.CookieJarMode.allCases.map(\.rawValue))
    static let cookieJarText =
        "The cookie jar: `new` for each test (the default), `keep` for one that the tests of the suite share, `off` for none."
    static let webSocketKind = ValueKind.list(.map("webSocketElement"))
    static let webSocketText =
        "Opens a WebSocket with the request: the messages to send and to expect, in order."
    static let forEachKind = ValueKind.anyOf([.list(.value), .template, .map("forEach")])

    static let schema = MapSchema<TestKey>(
        "test", title: "a test", "A test: one exchange, or several steps.",
        rows: [
            .init(.name, .string, required: true, "The name of the test in reports."),
            .init(.id, .string, "A short name, unique in the suite, for `needs` and `tests.ID`."),
            .init(.description, .string, "A description of the test for readers; reports show it."),
            .init(
                .owner, .string,
                "The person or team responsible for the test, instead of the suite's; reports show it."),
            .init(.tags, .anyOf([.list(.string), .string]), "Tags for selecting tests."),
            .init(.skip, StepKey.skipKind, "`true`, or the reason to skip the test."),
            .init(.xfail, XfailKey.kind, XfailKey.text),
            .init(
                .only, .boolean,
                "Whether to run only this test, and others with `only`, across all suites of the run; rejected if `CI` is set."
            ),
            .init(
                .if, StepKey.conditionKind,
                "An expression, without `${` and `}`; the test is skipped unless it is true."),
            .init(
                .needs, .anyOf([.list(.string), .string]),
                "Tests, by id or name, that must pass before this test starts."),
            .init(
                .lock, .anyOf([.list(.string), .string]),
                "Resource locks: tests with a common lock never run at the same time, across the whole run."),
            .init(.cookieJar, cookieJarKind, cookieJarText),
            .init(
                .cases, .anyOf([.list(.members(.value)), .template, .map("cases")]),
                "Rows of data, each run as a separate test: a sequence of mappings, the path of a CSV, JSON or YAML file, an expression, or values generated from schemas."
            ),
            .init(
                .matrix, .members(.anyOf([.list(.value), .template])),
                "Sequences whose combinations each run as a separate test; `exclude` and `include` remove and add combinations."
            ),
            .init(
                .repeat, .integer(1...TestData.maximumCount),
                "The number of times to run the test, each as a separate test."),
            .init(.variables, .members(.value), "Variables for the expressions of this test."),
            .init(
                .request, .anyOf([.template, .map("request")]),
                "The request: `METHOD url`, or a mapping."),
            .init(.run, RunKey.kind, RunKey.text),
            .init(.call, .string, "The fragment whose steps the test runs, instead of a request of its own."),
            .init(.with, .members(.value), "The parameters of the called fragment, by name."),
            .init(
                .once, .choice(["run"]),
                "`run` executes the call once per run, and shares its outputs and cookies with all identical calls."
            ),
            .init(
                .expect, .anyOf([.status, .map("expect")]), "The expected response, or only its status."),
            .init(
                .assert, .anyOf([.list(.template), .template]),
                "CEL expressions that must be true, without `${` and `}`."),
            .init(
                .capture, .members(.anyOf([.captureSource, .map("capture")])),
                "Values to capture from the response for later requests, by name."),
            .init(.websocket, webSocketKind, webSocketText),
            .init(.save, .template, StepKey.saveText),
            .init(.print, .anyOf([.list(.template), .template]), StepKey.printText),
            .init(
                .verbose, .boolean, "Whether reports show the exchanges of the test even if it passes, as with `-v`."),
            .init(.steps, .list(.map("step")), "Several exchanges, in order, instead of one `request`."),
            .init(
                .finally, .list(.map("step")),
                "Steps that always run after the others, even if one of them fails or the test is cut off."),
            .init(
                .retry, retryKind,
                "The number of retries of the whole test if it does not pass: a number, or a mapping."),
            .init(.until, UntilKey.kind, UntilKey.summary),
            .init(.delay, .duration, StepKey.delayText),
            .init(
                .forEach, forEachKind,
                "The elements to send the request for: a sequence, a mapping, or an expression with such a value."),
            .init(.while, WhileKey.kind, WhileKey.text),
            .init(
                .timeout, .duration,
                "The timeout of the whole test, including retries and waits; the timeout of a request belongs under `request`."
            ),
            .init(.continue, .boolean, "The same as in a step; it has no effect on a single exchange."),
        ],
        allowsExtensions: true,
        misplaced: StepKey.misplaced.merging([
            "stages": .key("steps"), "dependsOn": .key("needs"), "depends_on": .key("needs"), "depends": .key("needs"),
        ]) { _, own in own })
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
        case .run: .run
        case .save: .save
        case .print: .print
        case .until: .until
        case .delay: .delay
        case .call: .call
        case .with: .with
        case .once: .once
        case .forEach: .forEach
        case .while: .while
        case .continue: .continue
        case .name, .id, .description, .owner, .tags, .skip, .xfail, .only, .if, .timeout, .needs, .lock, .cookieJar,
            .cases,
            .matrix, .repeat, .variables, .steps, .retry, .verbose, .finally:
            nil
        }
    }
}

/// The keys of a step.
enum StepKey: String, CaseIterable, Sendable {
    case name, variables, request, run, expect, assert, capture, websocket, retry, until, delay, forEach
    case call, with, once, save, print, steps
    case `if`, `while`, skip, xfail, timeout
    case `continue`

    static let saveText =
        "The path of a file for the body of the response, relative to the output directory (`--output-dir`)."
    static let printText = "CEL expressions whose values reports show, without `${` and `}`."
    static let skipKind = ValueKind.anyOf([.boolean, .string])
    static let conditionKind = ValueKind.anyOf([.template, .boolean])
    static let delayText = "The delay before the request."

    static let misplaced: [String: KeyHint] = [
        "url": .under("request"), "method": .under("request"),
        "query": .under("request"), "headers": .under("request", "expect"),
        "cookies": .under("request", "expect"), "json": .under("request", "expect"),
        "form": .under("request"), "text": .under("request"),
        "redirects": .under("request"), "body": .under("expect"),
        "status": .under("expect"), "size": .under("expect"),
        "duration": .under("expect"), "asserts": .key("assert"),
        "vars": .key("variables"), "response": .key("expect"), "extract": .key("capture"), "export": .key("capture"),
        "save": .key("capture"), "title": .key("name"), "xml": .under("request", "expect"), "html": .under("expect"),
        "namespaces": "it belongs at the top level of the suite", "every": .under("until"),
        "within": .under("until"), "abort": .under("until"),
        "backoff": .under("retry", "until"), "jitter": .under("retry"),
        "maxDelay": .under("retry", "until"), "when": .key("if"),
        "command": .under("run"), "exec": .key("run"), "shell": .under("run"), "exit": .under("expect"),
        "stderr": .under("expect"), "cookieJar": "it belongs next to \"steps\", for the whole test",
        "loop": "write \"forEach: [1, 2, 3]\", or \"repeat: 3\" for a whole test",
        "validate": .key("expect"), "test": .key("assert"),
        "stages": .key("steps"), "dependsOn": "it belongs next to \"steps\", as \"needs\"",
    ]

    static let schema = MapSchema<StepKey>(
        "step", title: "a step", "A step: one exchange of a test.",
        rows: [
            .init(.name, .string, "The name of the step in reports; later steps refer to it as `steps.NAME`."),
            .init(.variables, .members(.value), "Variables for the expressions of this step."),
            .init(
                .request, .anyOf([.template, .map("request")]),
                "The request: `METHOD url`, or a mapping."),
            .init(.run, RunKey.kind, RunKey.text),
            .init(.call, .string, "The fragment whose steps the step runs, instead of a request of its own."),
            .init(.with, .members(.value), "The parameters of the called fragment, by name."),
            .init(
                .once, .choice(["run"]),
                "`run` executes the call once per run, and shares its outputs and cookies with all identical calls."
            ),
            .init(
                .expect, .anyOf([.status, .map("expect")]), "The expected response, or only its status."),
            .init(
                .assert, .anyOf([.list(.template), .template]),
                "CEL expressions that must be true, without `${` and `}`."),
            .init(
                .capture, .members(.anyOf([.captureSource, .map("capture")])),
                "Values to capture from the response for later requests, by name."),
            .init(.websocket, TestKey.webSocketKind, TestKey.webSocketText),
            .init(.save, .template, saveText),
            .init(.print, .anyOf([.list(.template), .template]), printText),
            .init(
                .retry, TestKey.retryKind,
                "The number of retries of the step if it does not pass: a number, or a mapping."),
            .init(
                .if, conditionKind,
                "An expression, without `${` and `}`; the step is skipped unless it is true."),
            .init(.skip, skipKind, "`true`, or the reason why the step is skipped."),
            .init(.xfail, XfailKey.kind, XfailKey.text),
            .init(
                .timeout, .duration,
                "The timeout of the whole step: its requests, waits, retries, polls and iterations."),
            .init(.until, UntilKey.kind, UntilKey.summary),
            .init(.delay, .duration, delayText),
            .init(
                .forEach, TestKey.forEachKind,
                "The elements to repeat the step for: a sequence, a mapping, or an expression with such a value."),
            .init(.while, WhileKey.kind, WhileKey.text),
            .init(
                .steps, .list(.map("step")),
                "A group: steps that run in order, to which the other keys of the step apply as a whole."),
            .init(.continue, .boolean, "Whether the test continues after this step fails."),
        ],
        allowsExtensions: true, misplaced: misplaced)
}

/// The keys of `xfail`.
enum XfailKey: String, CaseIterable, Sendable {
    case reason, strict, `if`

    /// The allowed values of `xfail`; a string is short for a mapping with only a reason.
    static let kind = ValueKind.anyOf([.string, .map("xfail")])
    static let text = "The reason why this fails for now, or a mapping; to pass is then a failure."

    static let schema = MapSchema<XfailKey>(
        "xfail", title: "\"xfail\"", "An expected failure.",
        rows: [
            .init(.reason, .string, required: true, "The reason, which reports show."),
            .init(.strict, .boolean, "Whether to pass is a failure (default: true)."),
            .init(
                .if, StepKey.conditionKind,
                "An expression, without `${` and `}`; the failure is expected only if it is true, such as for some rows."
            ),
        ],
        misplaced: ["condition": .key("if"), "when": .key("if")])
}

/// The keys of `forEach`.
enum ForEachKey: String, CaseIterable, Sendable {
    case `in`, `as`, index

    static let schema = MapSchema<ForEachKey>(
        "forEach", title: "\"forEach\"", "The elements to repeat the step for.",
        rows: [
            .init(
                .in, .anyOf([.list(.value), .members(.value), .template]), required: true,
                "A sequence, a mapping, or an expression with such a value."),
            .init(.as, .string, "The variable for the element (default: `item`)."),
            .init(.index, .string, "The variable for the index of the element, from 0 (default: `index`)."),
        ])
}

/// The keys of `while`.
enum WhileKey: String, CaseIterable, Sendable {
    case condition, times

    /// The allowed values of `while`; a condition is short for a mapping with only a condition.
    static let kind = ValueKind.anyOf([.template, .boolean, .map("while")])
    static let text =
        "Repeats the step as long as an expression is true after it: the expression, or a mapping."

    static let schema = MapSchema<WhileKey>(
        "while", title: "\"while\"", "The condition for another iteration, and the maximum number of iterations.",
        rows: [
            .init(
                .condition, StepKey.conditionKind, required: true,
                "An expression, without `${` and `}`; it sees the captures of the step."),
            .init(
                .times, .count(1...WhileRule.maximumTimes),
                "The maximum number of iterations (default: 100); the step fails if the condition still holds then."),
        ])
}

/// The keys of `cases` for a data file or generated rows.
enum CasesKey: String, CaseIterable, Sendable {
    case file, format, delimiter, columns, generate, count, seed

    /// The number of generated rows, unless `count` states another.
    static let defaultCount = 100
    /// The allowed values of `count`.
    static let counts = 1...10_000
    /// The allowed values of `seed`.
    static let seeds = 0...Int(UInt32.max)

    static let schema = MapSchema<CasesKey>(
        "cases", title: "\"cases\"", "A data file, and its format, or values generated from schemas.",
        rows: [
            .init(.file, .string, "The path of the file, relative to the directory of the suite."),
            .init(
                .format, .choice(DataFormat.allCases.map(\.rawValue)),
                "The format of the file (default: by its file extension)."),
            .init(.delimiter, .string, "The field delimiter of a CSV file (default: a comma)."),
            .init(
                .columns, .list(.string),
                "The columns of a CSV file without a header, each as in a header: `count:int`."),
            .init(.generate, .members(.map("generate")), "The generated columns, by name, each with its schema."),
            .init(.count, .count(counts), "The maximum number of generated rows (default: \(defaultCount))."),
            .init(.seed, .count(seeds), "The seed of the generated values, for other random values (default: 0)."),
        ],
        choice: .init(
            keys: [.file, .generate], conflict: "rows are either in a file or generated",
            first: "the other one is here"),
        misplaced: ["schema": .under("generate")])
}

/// The keys of a generated column.
enum GenerateKey: String, CaseIterable, Sendable {
    case jsonSchema = "schema"
    case invalid

    static let schema = MapSchema<GenerateKey>(
        "generate", title: "a generated column", "A column whose values are generated from a schema.",
        rows: [
            .init(.jsonSchema, .schema, required: true, "The JSON Schema of the values, or the path of one."),
            .init(.invalid, .boolean, "Whether all values violate the schema (default: false)."),
        ])
}

/// The keys of `until`: expectations and polling settings.
enum UntilKey: String, CaseIterable, Sendable {
    case status, headers, cookies, exit, text, json
    case jsonSchema = "schema"
    case xml, html, body, stderr, duration, size, redirects, hops, http, timings, certificate, trailers, sha256, image,
        assert
    case every, within, times, backoff, maxDelay, abort

    /// The allowed values of `until`; a status is short for a mapping with only a status.
    static let kind = ValueKind.anyOf([.status, .map("until")])
    static let summary =
        "Repeats the request until the response matches: the keys of `expect`, plus `assert`, `every`, `within`, `times`, `backoff`, `maxDelay` and `abort`."

    /// Returns the rows of the expectations that `expect` has, too, and of `assert`.
    static func expectations<Key>(as key: (String) -> Key?) -> [MapSchema<Key>.Row] {
        ExpectKey.schema.description.entries.compactMap { entry in
            key(entry.name).map { .init($0, entry.kind, entry.documentation) }
        }
            + [
                key("assert").map {
                    .init(
                        $0, .anyOf([.list(.template), .template]), "CEL expressions on the response that must be true.")
                }
            ].compactMap { $0 }
    }

    static let misplaced: [String: KeyHint] = [
        "events": "a stream cannot be polled",
        "timeout": "write \"within\"", "interval": "write \"every\"", "delay": "write \"every\"",
        "expect": "write the expectations directly under \"until\"",
        "capture": "it belongs next to \"until\", and captures from the last response",
        "header": .key("headers"), "cookie": .key("cookies"),
    ].merging(ExpectKey.foreignNames) { first, _ in first }

    static let schema = MapSchema<UntilKey>(
        "until", title: "\"until\"", "The condition to poll for: the request is repeated until all of it matches.",
        rows: expectations(as: UntilKey.init(rawValue:)) + [
            .init(.every, .duration, "The delay between a response and the next request (default: 1s)."),
            .init(.within, .duration, "The maximum duration of polling (default: 1m, or no limit with `times`)."),
            .init(
                .times, .count(1...UntilRule.maximumTimes),
                "The maximum number of requests (default: no limit); polling ends at the first limit reached."),
            .init(
                .backoff, .choice(["constant", "exponential"]),
                "Whether every delay equals the first (`constant`, the default) or doubles the previous one."),
            .init(.maxDelay, .duration, "The maximum delay (default: 1m, or `every` if that is longer)."),
            .init(
                .abort, .anyOf([.status, .map("abort")]),
                "The condition to stop polling and fail: a response that matches all of this."),
        ],
        misplaced: misplaced)
}

/// The keys of `within`.
enum WithinKey: String, CaseIterable, Sendable {
    case of, amount

    static let schema = MapSchema<WithinKey>(
        "within", title: "\"within\"", "A date-time and the maximum distance from it.",
        rows: [
            .init(.of, .template, required: true, "The date-time."),
            .init(.amount, .duration, required: true, "The maximum distance from it."),
        ])
}

/// The keys of `abort` in `until`.
enum AbortKey: String, CaseIterable, Sendable {
    case status, headers, cookies, exit, text, json
    case jsonSchema = "schema"
    case xml, html, body, stderr, duration, size, redirects, hops, http, timings, certificate, trailers, sha256, image,
        assert

    static let schema = MapSchema<AbortKey>(
        "abort", title: "\"abort\"", "The condition to stop polling and fail: a response that matches all of it.",
        rows: UntilKey.expectations(as: AbortKey.init(rawValue:)), misplaced: UntilKey.misplaced)
}

/// The keys of `retry`.
enum RetryKey: String, CaseIterable, Sendable {
    case times, delay, backoff, jitter, maxDelay, on, honourRetryAfter

    static let schema = MapSchema<RetryKey>(
        "retry", title: "\"retry\"", "The number and timing of retries.",
        rows: [
            .init(.times, .count(0...100), required: true, "The maximum number of retries."),
            .init(.delay, .duration, "The delay before the first retry (default: none)."),
            .init(
                .backoff, .choice(["constant", "exponential"]),
                "Whether every delay equals the first (`constant`, the default) or doubles the previous one."),
            .init(
                .jitter, .anyOf([.boolean, .fraction]),
                "The random part of each delay, from 0 to 1; true means all of it (default: none)."),
            .init(
                .maxDelay, .duration,
                "The maximum delay, including `Retry-After` (default: 1m, or `delay` if that is longer)."),
            .init(
                .on, .anyOf([.list(.anyOf([.integer(100...999), .string])), .integer(100...999), .string]),
                "The failures to retry: statuses (`429`, `5xx`, `500-504`), `timeout`, `connect`, `expect` (default: any failure)."
            ),
            .init(
                .honourRetryAfter, .boolean,
                "Whether the `Retry-After` header of a response extends the delay (default: true)."),
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
