import SuiteModel

/// The key by which every field of a name must match, and not one of them alone.
enum EveryFieldKey: String, CaseIterable, Sendable {
    case all

    static let schema = MapSchema<EveryFieldKey>(
        "everyField", title: "a header", "What every header of the name must be, when it is sent several times.",
        rows: [
            .init(
                .all, .matcher(.value), required: true, "What every one of them must be; a list holds several matchers."
            )
        ])
}
