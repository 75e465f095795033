import JSON

/// The keys of a fragment file.
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

/// The keys of a fragment.
enum FragmentKey: String, CaseIterable, Sendable {
    case description, parameters, outputs, variables, steps

    static let schema = MapSchema<FragmentKey>(
        "fragment", title: "a fragment", "A fragment: a named list of steps that tests and other fragments call.",
        rows: [
            .init(.description, .string, "What the fragment does, for people."),
            .init(
                .parameters,
                .anyOf([.list(.string), .members(.anyOf([.map("parameter"), .null, .text, .list(.value)]))]),
                "What a call gives under `with`: names, or a map from each name to its default or its description, default and secrecy; one without a default must be given."
            ),
            .init(
                .outputs, .anyOf([.list(.string), .members(.value)]),
                "What the caller gets: names of captures, or a map from each name to its value."),
            .init(.variables, .members(.value), "Named values that the fragment's expressions read."),
            .init(.steps, .list(.map("step")), required: true, "The steps, one after another."),
        ],
        allowsExtensions: true,
        misplaced: [
            "request": "it stands in a step, under \"steps\"", "call": "it stands in a step, under \"steps\"",
            "capture": "it stands in a step, under \"steps\"", "expect": "it stands in a step, under \"steps\"",
            "name": "the name of a fragment is its key", "with": "did you mean \"parameters\"?",
        ])
}

/// The keys of a fragment parameter that is a mapping.
enum ParameterKey: String, CaseIterable, Sendable {
    case description, `default`, secret

    static let schema = MapSchema<ParameterKey>(
        "parameter", title: "a parameter", "What a call gives a fragment.",
        rows: [
            .init(.description, .string, "What the parameter is, for people."),
            .init(.default, .value, "The value where a call gives none; without one, every call must give it."),
            .init(.secret, .boolean, "Whether the value is masked in every output."),
        ],
        misplaced: ["required": "a parameter without a \"default\" is required"])
}
