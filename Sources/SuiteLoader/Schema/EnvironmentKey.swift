/// Keys of an environment.
enum EnvironmentKey: String, CaseIterable, Sendable {
    case baseURL, variables, secrets, dotenv

    static let schema = MapSchema<EnvironmentKey>(
        "environment", title: "an environment", "Values that replace those of the suite when it is chosen.",
        rows: [
            .init(
                .baseURL, .template,
                "What relative URLs resolve against; unless it uses `${port}`, nothing of `serve` is started then."),
            .init(.variables, .members(.value), "Variables that come before those of the suite."),
            .init(
                .secrets, .anyOf([.list(.string), .string]),
                "Names of what is masked in every output, besides those of the suite."),
            .init(
                .dotenv, .anyOf([.list(.string), .string]),
                "Files of `NAME=value` lines that feed `env()`, read after those of the suite."),
        ],
        misplaced: [
            "url": "did you mean \"baseURL\"?", "host": "did you mean \"baseURL\"?",
            "serve": "it stands at the top level of the suite", "defaults": "it stands at the top level of the suite",
            "headers": "it stands under \"defaults\"",
        ])
}
