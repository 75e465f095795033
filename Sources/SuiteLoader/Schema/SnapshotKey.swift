/// Keys of `snapshot`.
enum SnapshotKey: String, CaseIterable, Sendable {
    case name, ignore, redact, keep

    private static let paths = ValueKind.anyOf([.string, .list(.string)])

    static let schema = MapSchema<SnapshotKey>(
        "snapshot", title: "snapshot",
        "The response is compared with the one that is stored in a file beside the suite.",
        rows: [
            .init(
                .name, .string, "The name of the file; without it, it follows from the names of the test and the step."),
            .init(.ignore, paths, "JSONPaths of what is left out of the body."),
            .init(
                .redact, .jsonPaths,
                "JSONPath to what the selected values must be; the file holds only their type, as in `<integer>`."),
            .init(
                .keep, paths,
                "JSONPaths of what is compared as it is, though it looks like a UUID, a date with a time or a token."),
        ],
        misplaced: [
            "path": "the files are in __snapshots__ beside the suite", "file": "did you mean \"name\"?",
            "update": "write it with the option --update-snapshots", "mask": "did you mean \"redact\"?",
            "exclude": "did you mean \"ignore\"?",
        ])
}
