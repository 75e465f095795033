/// Keys of `contract` under `expect`.
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
