/// Keys of a mock file.
enum MockKey: String, CaseIterable, Sendable {
    case name, description, schemas, defaults, collections, routes

    static let schema = MapSchema<MockKey>(
        "mock", title: "a mock file", "What the built-in mock server answers.",
        rows: [
            .init(.name, .string, "The name of the mock; without one, the file's name."),
            .init(.description, .string, "What the mock stands for, for people."),
            .init(
                .schemas, .members(.string),
                "Files that stand for the URIs of JSON Schemas, as `$ref` gives them; a URI that ends in `/` stands for a folder."
            ),
            .init(.defaults, .map("mockDefaults"), "What all answers have in common."),
            .init(
                .collections, .members(.map("collection")),
                "Stateful resources by name: items can be created, read, replaced, updated, deleted and listed."),
            .init(.routes, .list(.map("route")), "Requests and their answers; the first that matches is taken."),
        ],
        allowsExtensions: true,
        misplaced: [
            "tests": "this is a suite; give it to \"apitest\" itself", "request": "it stands under \"routes\"",
            "respond": "it stands under \"routes\"", "resources": "did you mean \"collections\"?",
        ])
}
