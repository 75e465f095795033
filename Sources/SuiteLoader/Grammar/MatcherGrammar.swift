import SuiteModel

/// The operators of a matcher, as keys.
typealias OperatorKey = Matcher.Operator.Keyword

extension OperatorKey {
    static let schema = MapSchema<OperatorKey>(
        "operators", title: "a matcher",
        "Operators, all of which must hold; an object to compare with goes under `equals`.",
        rows: [
            .init(.equals, .value, "The value is exactly this; numbers compare as decimals."),
            .init(.not, .matcher(.value), "The matcher does not hold."),
            .init(
                .type,
                .anyOf([
                    .choice(Matcher.ValueType.words), .null, .list(.anyOf([.choice(Matcher.ValueType.words), .null])),
                ]),
                "The value has this type, or one of these."),
            .init(.contains, .value, "Text contains this text, or a list this element."),
            .init(.startsWith, .text, "Text begins with this."),
            .init(.endsWith, .text, "Text ends with this."),
            .init(.matches, .pattern, "A regular expression (ECMAScript) matches somewhere in the text."),
            .init(.oneOf, .list(.value), "The value is one of these."),
            .init(.gt, .ordered, "The value is greater than this number, or sorts behind this text."),
            .init(.gte, .ordered, "The value is this or greater."),
            .init(.lt, .ordered, "The value is less than this number, or sorts before this text."),
            .init(.lte, .ordered, "The value is this or less."),
            .init(.between, .pair(.ordered), "The value lies between these two, both included."),
            .init(.closeTo, .map("closeTo"), "The number or date-time is near a value."),
            .init(
                .length, .matcher(.value), "What the length of text, a list or an object must be."),
            .init(.empty, .boolean, "Whether text, a list or an object is empty."),
            .init(.exists, .boolean, "Whether there is a value at all."),
            .init(.each, .matcher(.value), "Every element of the list matches."),
            .init(.any, .matcher(.value), "At least one element of the list matches."),
            .init(.none, .matcher(.value), "No element of the list matches."),
            .init(.unique, .boolean, "Whether no two elements of the list are equal."),
            .init(
                .sorted, .anyOf([.boolean, .choice(Matcher.Order.allCases.map(\.rawValue))]),
                "The list is sorted: `ascending` (or `true`) or `descending`."),
            .init(.includes, .matcher(.value), "The list has an element that matches."),
            .init(.like, .value, "The named members match, recursively; others are free."),
            .init(.strictLike, .value, "The named members match, recursively; there are no others."),
            .init(.before, .template, "The date-time is earlier than this."),
            .init(.after, .template, "The date-time is later than this."),
            .init(.within, .map("within"), "The date-time is near another one."),
            .init(
                .jsonSchema, .schema,
                "The value satisfies a JSON Schema: the path of a file, the schema itself, or `{ file, inline, format }`."
            ),
            .init(.all, .list(.matcher(.value)), "All of the matchers hold."),
            .init(.either, .list(.matcher(.value)), "At least one of the matchers holds."),
        ],
        misplaced: [
            "eq": "did you mean \"equals\"?", "ne": "write \"not\"", "regex": "did you mean \"matches\"?",
            "pattern": "did you mean \"matches\"?", "in": "did you mean \"oneOf\"?", "min": "did you mean \"gte\"?",
            "format": "write { schema: { file: …, format: assert } }", "jsonSchema": "did you mean \"schema\"?",
            "max": "did you mean \"lte\"?", "count": "did you mean \"length\"?", "size": "did you mean \"length\"?",
        ])

    /// Whether the operator applies to durations, sizes, and statuses.
    var allowsQuantity: Bool {
        switch self {
        case .equals, .not, .oneOf, .gt, .gte, .lt, .lte, .between, .closeTo, .all, .either, .exists: true
        case .type, .contains, .startsWith, .endsWith, .matches, .length, .empty, .each, .any, .none, .unique, .sorted,
            .includes, .like, .strictLike, .before, .after, .within, .jsonSchema:
            false
        }
    }
}

extension Matcher.ValueType {
    /// The words that `type` knows.
    static let words = allCases.map(\.rawValue)
}

/// The keys of `closeTo`.
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

/// The key that requires every field with a name to match, instead of any one of them.
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
