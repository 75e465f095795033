/// Keys of a capture that is a map.
enum CaptureKey: String, CaseIterable, Sendable {
    case json, xpath, header, cookie, regex, status, body, `default`, secret, `as`

    static let schema = MapSchema<CaptureKey>(
        "capture", title: "a capture", "Where a captured value comes from, and what becomes of it.",
        rows: [
            .init(.json, .captureSource, "The JSONPath of the value in the body."),
            .init(
                .xpath, .string, "The XPath 1.0 of the value in a body that is HTML by its content type, otherwise XML."
            ),
            .init(.header, .string, "The name of the header."),
            .init(.cookie, .string, "The name of the cookie."),
            .init(.regex, .pattern, "A regular expression on the body's text; its first group is the value."),
            .init(.status, .boolean, "`true` takes the status."),
            .init(.body, .boolean, "`true` takes the whole body."),
            .init(.default, .value, "The value when nothing is found; without one, finding nothing fails the step."),
            .init(.secret, .boolean, "Whether the value is masked in every output."),
            .init(
                .as, .choice(["integer", "number", "string", "boolean"]), "What the value is turned into."),
        ],
        misplaced: ["namespaces": "it stands at the top level of the suite"])
}
