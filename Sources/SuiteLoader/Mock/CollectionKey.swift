/// Keys of a collection.
enum CollectionKey: String, CaseIterable, Sendable {
    case path, id, key, seed

    static let schema = MapSchema<CollectionKey>(
        "collection", title: "a collection", "A stateful resource, kept in memory for one run.",
        rows: [
            .init(.path, .string, required: true, "The path of the collection; its items are one segment below it."),
            .init(
                .id, .choice(["integer", "uuid", "string"]),
                "What identifies an item: a number that is counted (the default), a random UUID, or text."),
            .init(.key, .string, "The member that holds an item's identifier; without it, `id`."),
            .init(
                .seed, .anyOf([.list(.members(.value)), .string]),
                "The items with which every run begins, or the path of a JSON or YAML file that holds their list."),
        ],
        misplaced: ["file": "write \"seed: FILE\"", "items": "did you mean \"seed\"?"])
}
