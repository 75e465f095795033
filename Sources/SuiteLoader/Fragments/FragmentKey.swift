/// Keys of a fragment.
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
