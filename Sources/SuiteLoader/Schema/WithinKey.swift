/// Keys of `within`.
enum WithinKey: String, CaseIterable, Sendable {
    case of, amount

    static let schema = MapSchema<WithinKey>(
        "within", title: "within", "A date-time and how far from it another may be.",
        rows: [
            .init(.of, .template, required: true, "The date-time."),
            .init(.amount, .duration, required: true, "How far from it the value may be."),
        ])
}
