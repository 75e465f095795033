import OpenAPI

/// The keys of `contract`.
enum ContractKey: String, CaseIterable, Sendable {
    case file, request, ignore, severity, stop, format, basePath

    /// The allowed values of `contract`.
    static let kind = ValueKind.anyOf([.string, .map("contract"), .boolean])

    private static let rules = ValueKind.choice(ContractRule.allCases.map(\.rawValue))
    static let ignoreKind = ValueKind.anyOf([.list(rules), rules])
    static let ignoreText = "The ids of checks to skip."
    static let severityKind = ValueKind.members(.choice(ContractSettings.Severity.allCases.map(\.rawValue)))
    static let severityText = "The severity of a difference, by the id of its check: `error`, `warning` or `off`."

    static let schema = MapSchema<ContractKey>(
        "contract", title: "a contract", "The OpenAPI description that every exchange is validated against.",
        rows: [
            .init(.file, .string, required: true, "The path of the main file of the description, in YAML or JSON."),
            .init(
                .request, .boolean,
                "Whether requests are validated too (default: true); with false, only the responses of documented operations are validated."
            ),
            .init(.ignore, ignoreKind, ignoreText),
            .init(.severity, severityKind, severityText),
            .init(
                .stop, .boolean,
                "Whether a test stops at the first step that differs (default: false, it runs the remaining steps and then fails)."
            ),
            .init(
                .format, SchemaKey.formatKind,
                "Whether `format` is checked in its schemas: `assert`, or `annotate` (the default)."),
            .init(
                .basePath, .string,
                "The prefix of the documented paths in requests; it replaces the paths of the description's servers."
            ),
        ],
        misplaced: [
            "path": .key("file"), "requests": .key("request"),
            "operation": "it belongs under \"expect: { contract: … }\" of a step",
            "servers": "write the path of the servers as \"basePath\"",
        ])
}

/// The keys of `contract` under `expect`.
enum ExpectedContractKey: String, CaseIterable, Sendable {
    case operation, request, ignore, severity

    static let schema = MapSchema<ExpectedContractKey>(
        "expectedContract", title: "a contract under \"expect\"",
        "How the exchange is validated against the suite's contract.",
        rows: [
            .init(
                .operation, .template,
                "The operation of the exchange: its `operationId`, or a method and path as documented."
            ),
            .init(
                .request, .anyOf([.boolean, .template]),
                "Whether the request is validated; use false for requests that are invalid on purpose. It can be an expression, such as `${valid}`."
            ),
            .init(.ignore, ContractKey.ignoreKind, ContractKey.ignoreText),
            .init(.severity, ContractKey.severityKind, ContractKey.severityText),
        ],
        misplaced: ["file": "it belongs under \"contract\" at the top level of the suite"])
}
