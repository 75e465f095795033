/// Keys of a file of fragments.
enum FragmentFileKey: String, CaseIterable, Sendable {
    case description, use, variables, secrets, namespaces, schemas, defaults, fragments

    static let useKind = ValueKind.anyOf([
        .list(.anyOf([.string, .members(.string)])), .members(.string), .string,
    ])

    static let schema = MapSchema<FragmentFileKey>(
        "fragmentFile", title: "a file of fragments",
        "A file of fragments, which suites and other such files name under `use`.",
        rows: [
            .init(.description, .string, "What the file is about, for people."),
            .init(.use, useKind, "Files whose fragments the ones of this file call; paths are relative to this file."),
            .init(
                .variables, .members(.value),
                "Named values that the expressions of the file's fragments read; they may use each other."),
            .init(
                .secrets, .anyOf([.list(.string), .string]),
                "Names of variables, parameters and captures of the file whose values are masked in every output; `*` stands for any characters."
            ),
            .init(
                .namespaces, .members(.string),
                "Names of XML namespaces by the prefixes that XPaths of the file use for them."),
            .init(
                .schemas, .members(.string),
                "Files that stand for the URIs of JSON Schemas, as `$ref` gives them; a URI that ends in `/` stands for a folder."
            ),
            .init(
                .defaults, .map("defaults"), "What every request and every expectation of the file has in common."),
            .init(.fragments, .members(.map("fragment")), required: true, "The fragments by name."),
        ],
        allowsExtensions: true,
        misplaced: [
            "baseURL": "relative URLs resolve against the baseURL of the suite that calls",
            "steps": "it stands in a fragment, under \"fragments\"",
            "parameters": "it stands in a fragment, under \"fragments\"",
            "environments": "it stands in a suite", "dotenv": "it stands in a suite", "serve": "it stands in a suite",
        ])
}
