/// Keys of `graphql`.
enum GraphQLKey: String, CaseIterable, Sendable {
    case query, variables, operationName

    static let schema = MapSchema<GraphQLKey>(
        "graphql", title: "graphql", "A GraphQL request, sent as a JSON object.",
        rows: [
            .init(.query, .template, required: true, "The document: queries, mutations, fragments."),
            .init(.variables, .anyOf([.members(.value), .template]), "The values of the document's variables."),
            .init(.operationName, .template, "The operation that is meant, when the document has several."),
        ])
}
