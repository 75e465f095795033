/// Keys of `closeTo`.
enum CloseToKey: String, CaseIterable, Sendable {
    case value, within

    static let schema = MapSchema<CloseToKey>(
        "closeTo", title: "closeTo", "A number or date-time, and how far from it another may be.",
        rows: [
            .init(.value, .ordered, required: true, "The number, or the date-time."),
            .init(
                .within, .ordered, required: true,
                "How far from it the value may be: a number, or of a date-time a duration."),
        ])
}
