/// Keys of `serve`.
enum ServeKey: String, CaseIterable, Sendable {
    case mock, command, env, ready, within, log

    static let schema = MapSchema<ServeKey>(
        "serve", title: "serve", "What is started for the run: the built-in mock server, or a command.",
        rows: [
            .init(
                .mock, .string,
                "The mock file, or the OpenAPI description, that the built-in server serves, in process."),
            .init(
                .command, .list(.text),
                "A program and its arguments; `${port}` is a free port that is chosen for the run."),
            .init(.env, .members(.text), "Variables that are added to the command's environment."),
            .init(
                .ready, .template,
                "The request, `METHOD url`, that is answered with 2xx once the command is ready; without it, its port must accept."
            ),
            .init(.within, .duration, "How long the command may take to be ready; without it, 30s."),
            .init(.log, .string, "The file that takes the command's output."),
        ])
}
