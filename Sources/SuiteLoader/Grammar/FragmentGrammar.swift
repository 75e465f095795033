import JSON

/// The keys of a fragment file.
enum FragmentFileKey: String, CaseIterable, Sendable {
    case description, use, variables, secrets, namespaces, schemas, defaults, fragments

    static let useKind = ValueKind.anyOf([
        .list(.anyOf([.string, .members(.string)])), .members(.string), .string,
    ])

    static let schema = MapSchema<FragmentFileKey>(
        "fragmentFile", title: "a fragment file",
        "A fragment file, which suites and other fragment files include with `use`.",
        rows: [
            .init(.description, .string, "A description of the file for readers."),
            .init(.use, useKind, "Fragment files whose fragments this file calls; paths are relative to this file."),
            .init(
                .variables, .members(.value),
                "Variables for the fragments of this file; they can refer to each other."),
            .init(
                .secrets, .anyOf([.list(.string), .string]),
                "Names of variables, parameters and captures of this file whose values are masked in every output; `*` matches any characters, `!` excludes a name."
            ),
            .init(
                .namespaces, .members(.string),
                "XML namespaces for the XPaths of this file, by prefix."),
            .init(
                .schemas, .members(.string),
                "Local files for the URIs in `$ref` of JSON Schemas; a URI that ends in `/` maps to a directory."
            ),
            .init(
                .defaults, .map("defaults"), "Defaults for every request and expectation of the file."),
            .init(.fragments, .members(.map("fragment")), required: true, "The fragments by name."),
        ],
        allowsExtensions: true,
        misplaced: [
            "baseURL": "relative URLs are resolved against the baseURL of the calling suite",
            "steps": "it belongs in a fragment, under \"fragments\"",
            "parameters": "it belongs in a fragment, under \"fragments\"",
            "environments": "it belongs in a suite", "dotenv": "it belongs in a suite",
            "serve": "it belongs in a suite",
        ])
}

/// The keys of a fragment.
enum FragmentKey: String, CaseIterable, Sendable {
    case description, parameters, outputs, variables, steps

    static let schema = MapSchema<FragmentKey>(
        "fragment", title: "a fragment", "A fragment: a named sequence of steps that tests and other fragments call.",
        rows: [
            .init(.description, .string, "A description of the fragment for readers."),
            .init(
                .parameters,
                .anyOf([.list(.string), .members(.anyOf([.map("parameter"), .null, .text, .list(.value)]))]),
                "The parameters that a call sets under `with`: names, or a mapping of names to defaults or to description, default and secrecy. A parameter without a default is required."
            ),
            .init(
                .outputs, .anyOf([.list(.string), .members(.value)]),
                "The outputs of the fragment: names of captures, or a mapping of names to values."),
            .init(.variables, .members(.value), "Variables for the expressions of the fragment."),
            .init(.steps, .list(.map("step")), required: true, "The steps, in order."),
        ],
        allowsExtensions: true,
        misplaced: [
            "request": "it belongs in a step, under \"steps\"", "call": "it belongs in a step, under \"steps\"",
            "capture": "it belongs in a step, under \"steps\"", "expect": "it belongs in a step, under \"steps\"",
            "name": "the key of a fragment is its name", "with": .key("parameters"),
        ])
}

/// The keys of a fragment parameter that is a mapping.
enum ParameterKey: String, CaseIterable, Sendable {
    case description, `default`, secret

    static let schema = MapSchema<ParameterKey>(
        "parameter", title: "a parameter", "A parameter of a fragment.",
        rows: [
            .init(.description, .string, "A description of the parameter for readers."),
            .init(
                .default, .value,
                "The value if a call does not set the parameter; without a default, every call must set it."),
            .init(.secret, .boolean, "Whether the value is masked in every output."),
        ],
        misplaced: ["required": "a parameter without a \"default\" is required"])
}
