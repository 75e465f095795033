import OpenAPI

/// The keys of `contract`.
enum ContractKey: String, CaseIterable, Sendable {
    case file, request, ignore, severity, stop, format, basePath

    /// The allowed values of `contract`.
    static let kind = ValueKind.anyOf([.string, .map("contract"), .boolean])

    private static let rules = ValueKind.choice(ContractRule.allCases.map(\.rawValue))
    static let ignoreKind = ValueKind.anyOf([.list(rules), rules])
    static let ignoreText = "Ids of checks that are not made."
    static let severityKind = ValueKind.members(.choice(ContractSettings.Severity.allCases.map(\.rawValue)))
    static let severityText = "How grave a difference is, by the check's id: `error`, `warning` or `off`."

    static let schema = MapSchema<ContractKey>(
        "contract", title: "a contract", "The OpenAPI description that every exchange is held against.",
        rows: [
            .init(.file, .string, required: true, "The path of the description's main file, in YAML or JSON."),
            .init(
                .request, .boolean,
                "Whether requests are held against it too, as they are without this; false checks the responses of documented operations alone."
            ),
            .init(.ignore, ignoreKind, ignoreText),
            .init(.severity, severityKind, severityText),
            .init(
                .stop, .boolean,
                "Whether a test ends with the first step that differs; without this its other steps run, and it fails at its end."
            ),
            .init(
                .format, SchemaKey.formatKind,
                "Whether `format` is checked in its schemas: `assert`, or `annotate` (the default)."),
            .init(
                .basePath, .string,
                "What precedes the documented paths in requests, in the place of the paths of the description's servers."
            ),
        ],
        misplaced: [
            "path": "did you mean \"file\"?", "requests": "did you mean \"request\"?",
            "operation": "it stands under \"expect: { contract: … }\" of a step",
            "servers": "write the path of the servers as \"basePath\"",
        ])
}

/// The keys of `contract` under `expect`.
enum ExpectedContractKey: String, CaseIterable, Sendable {
    case operation, request, ignore, severity

    static let schema = MapSchema<ExpectedContractKey>(
        "expectedContract", title: "a contract under \"expect\"",
        "How the exchange is held against the suite's contract.",
        rows: [
            .init(
                .operation, .template,
                "The operation that the exchange is for: its `operationId`, or a method and a path as they are documented."
            ),
            .init(
                .request, .anyOf([.boolean, .template]),
                "Whether the request is held against the contract; false for one that is wrong on purpose. It may be an expression, such as `${valid}`."
            ),
            .init(.ignore, ContractKey.ignoreKind, ContractKey.ignoreText),
            .init(.severity, ContractKey.severityKind, ContractKey.severityText),
        ],
        misplaced: ["file": "it stands under \"contract\" at the top level of the suite"])
}
