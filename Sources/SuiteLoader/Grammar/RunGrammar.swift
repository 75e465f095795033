import SuiteModel

/// The keys of `run`.
enum RunKey: String, CaseIterable, Sendable {
    case command, shell, stdin, env, directory, timeout

    /// The allowed values of `run`; a sequence is short for a mapping with only a command.
    static let kind = ValueKind.anyOf([.list(.text), .map("run")])
    static let text =
        "Runs a program instead of sending a request: the program and its arguments, or a mapping."

    static let schema = MapSchema<RunKey>(
        "run", title: "\"run\"", "A program to run, with the permissions of apitest itself.",
        rows: [
            .init(
                .command, .anyOf([.list(.text), .text]), required: true,
                "The program, which is looked up in PATH, and its arguments; with `shell: true`, a command line."),
            .init(.shell, .boolean, "Whether `/bin/sh` interprets the command, which is then one string."),
            .init(.stdin, .text, "The text for the standard input (default: empty)."),
            .init(.env, .members(.text), "Variables to add to the environment of the program."),
            .init(.directory, .template, "The working directory, relative to that of the suite, which is the default."),
            .init(
                .timeout, .duration,
                "The time after which the program and all processes that it started are killed (default: 1m)."),
        ],
        misplaced: [
            "args": "write them after the program: \"command: [program, argument]\"",
            "arguments": "write them after the program: \"command: [program, argument]\"",
            "cwd": .key("directory"), "workdir": .key("directory"), "dir": .key("directory"),
            "environment": .key("env"), "input": .key("stdin"), "cmd": .key("command"),
            "expect": "it belongs next to \"run\"", "capture": "it belongs next to \"run\"",
            "assert": "it belongs next to \"run\"", "exit": "it belongs under \"expect\", next to \"run\"",
        ])
}

extension ExpectKey {
    /// The names of keys in other tools.
    static let foreignNames: [String: KeyHint] = [
        "statusCode": .key("status"), "status_code": .key("status"), "code": .key("status"),
        "jsonpath": .key("json"), "jsonPath": .key("json"),
    ]

    /// Additional advice on the names of the parts of a command's result.
    static let commandHints: [String: KeyHint] = [
        "exitCode": .key("exit"), "exit_code": .key("exit"), "code": .key("exit"), "statusCode": .key("exit"),
        "stdout": .key("text"), "output": .key("text"),
    ]

    /// The exchange that expectations apply to.
    enum Subject: Sendable {
        /// A response to a request.
        case response
        /// The result of a command.
        case command
    }

    /// Returns whether expectations of the given exchange can have the key.
    func applies(to subject: Subject) -> Bool {
        switch self {
        case .exit, .stderr: subject == .command
        case .text, .json, .jsonSchema, .xml, .html, .duration, .size, .sha256: true
        case .status, .headers, .cookies, .body, .redirects, .hops, .http, .timings, .certificate, .trailers, .events,
            .image, .snapshot, .contract:
            subject == .response
        }
    }
}
