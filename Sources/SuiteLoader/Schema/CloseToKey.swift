/// Keys of `closeTo`.
enum CloseToKey: String, CaseIterable, Sendable {
    case value, within

    static let schema = MapSchema<CloseToKey>(
        "closeTo", title: "closeTo", "A number and how far from it another may be.",
        rows: [
            .init(.value, .number, required: true, "The number."),
            .init(.within, .number, required: true, "How far from it the value may be."),
        ])
}
