/// Keys of a fragment's parameter that is a map.
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
