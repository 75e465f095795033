import SuiteModel

/// The keys of a load profile.
enum LoadProfileKey: String, CaseIterable, Sendable {
    case tests, rate, users, think, `for`, stages, warmup, thresholds, abort

    /// The names of the definitions of a load, which only suites have.
    static let definitions = [schema.description.name, LoadStageKey.schema.description.name]

    static let schema = MapSchema<LoadProfileKey>(
        "loadProfile", title: "a load profile", "How often the tests are repeated, and which figures are acceptable.",
        rows: [
            .init(.tests, .string, "The tests of an iteration, by a tag expression (default: all)."),
            .init(
                .rate, .rate,
                "The rate at which iterations start, whether or not earlier ones have finished: `200/s`, `30/m`."),
            .init(
                .users, .integer(1...LoadProfile.maximumUsers),
                "The number of users; each runs one iteration after another."),
            .init(.think, .fixedDuration, "The time that a user waits between two iterations (default: none)."),
            .init(.for, .fixedDuration, "The duration of a constant load."),
            .init(.stages, .list(.map("loadStage")), "The parts of a load that changes."),
            .init(.warmup, .fixedDuration, "The time at the start that counts in no figure (default: none)."),
            .init(
                .thresholds, .anyOf([.list(.string), .string]),
                "Conditions that the figures must meet, such as `p99 < duration(\"300ms\")`; each is a case of the reports."
            ),
            .init(.abort, .string, "A condition that ends the load at once, as a failure; checked every second."),
        ],
        misplaced: [
            "duration": .key("for"), "vus": .key("users"), "virtualUsers": .key("users"), "rps": .key("rate"),
            "pause": .key("think"), "thinkTime": .key("think"), "threshold": .key("thresholds"),
            "tags": .key("tests"), "ramp": .key("stages"), "rampUp": .key("stages"), "warmUp": .key("warmup"),
        ])
}

/// The keys of a stage of a load.
enum LoadStageKey: String, CaseIterable, Sendable {
    case `for`, to

    static let schema = MapSchema<LoadStageKey>(
        "loadStage", title: "a stage", "A part of a load, in which its level changes evenly or stays the same.",
        rows: [
            .init(.for, .fixedDuration, required: true, "The duration."),
            .init(
                .to, .anyOf([.rate, .integer(0...LoadProfile.maximumUsers)]),
                "The rate or the number of users at the end (default: as at the start)."),
        ],
        misplaced: ["duration": .key("for"), "target": .key("to"), "rate": .key("to"), "users": .key("to")])
}
