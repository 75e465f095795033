/// Keys of `forEach`.
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
