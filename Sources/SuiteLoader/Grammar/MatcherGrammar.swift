import SuiteModel

/// The key of an operator in a matcher.
typealias OperatorKey = Matcher.Operator.Keyword

extension OperatorKey {
    static let schema = MapSchema<OperatorKey>(
        "operators", title: "a matcher",
        "Operators, which must all match. To compare with an object, use `equals`.",
        rows: [
            .init(.equals, .value, "The value equals this; numbers are compared as decimals."),
            .init(.not, .matcher(.value), "The matcher must not match."),
            .init(
                .type,
                .anyOf([
                    .choice(Matcher.ValueType.words), .null, .list(.anyOf([.choice(Matcher.ValueType.words), .null])),
                ]),
                "The value has this type, or one of these types."),
            .init(.contains, .value, "The string contains this string, or the array contains this element."),
            .init(.startsWith, .text, "The string starts with this."),
            .init(.endsWith, .text, "The string ends with this."),
            .init(.matches, .pattern, "The regular expression (ECMAScript) matches anywhere in the string."),
            .init(.oneOf, .list(.value), "The value is one of these."),
            .init(.gt, .ordered, "The value is greater than this number, or sorts after this string."),
            .init(.gte, .ordered, "The value is greater than or equal to this."),
            .init(.lt, .ordered, "The value is less than this number, or sorts before this string."),
            .init(.lte, .ordered, "The value is less than or equal to this."),
            .init(.between, .pair(.ordered), "The value is between these two, inclusive."),
            .init(.closeTo, .map("closeTo"), "The number or date-time is close to a value."),
            .init(
                .length, .matcher(.value), "The expected length of a string, array or object."),
            .init(.empty, .boolean, "Whether the string, array or object is empty."),
            .init(.exists, .boolean, "Whether the value exists."),
            .init(.each, .matcher(.value), "Every element of the array matches."),
            .init(.any, .matcher(.value), "At least one element of the array matches."),
            .init(.none, .matcher(.value), "No element of the array matches."),
            .init(.unique, .boolean, "Whether all elements of the array are distinct."),
            .init(
                .sorted, .anyOf([.boolean, .choice(Matcher.Order.allCases.map(\.rawValue))]),
                "The array is sorted: `ascending` (or `true`) or `descending`."),
            .init(.includes, .matcher(.value), "The array has an element that matches."),
            .init(
                .like, .partialValue,
                "The given members match, recursively; other members are allowed. `{ $match: … }` holds a matcher."),
            .init(
                .strictLike, .partialValue,
                "The given members match, recursively; no other members are allowed. `{ $match: … }` holds a matcher."
            ),
            .init(.before, .template, "The date-time is before this."),
            .init(.after, .template, "The date-time is after this."),
            .init(.within, .map("within"), "The date-time is close to another one."),
            .init(
                .jsonSchema, .schema,
                "The value satisfies a JSON Schema: the path of a file, the schema itself, or `{ file, inline, format }`."
            ),
            .init(.all, .list(.matcher(.value)), "All of the matchers match."),
            .init(.either, .list(.matcher(.value)), "At least one of the matchers matches."),
            .init(
                .regex, .pattern,
                "The regular expression (ECMAScript) matches in the string, and the other operators apply to its first group, or to the whole match."
            ),
            .init(
                .as, .choice(Capture.Conversion.allCases.map(\.rawValue)),
                "The other operators apply to the value converted to this type."),
        ],
        misplaced: [
            "eq": .key("equals"), "ne": "write \"not\"",
            "$match": "write its operators here, without \"$match\", which is only for members under \"like\"",
            "pattern": .key("matches"), "in": .key("oneOf"), "min": .key("gte"),
            "format": "write { schema: { file: …, format: assert } }", "jsonSchema": .key("schema"),
            "max": .key("lte"), "count": .key("length"), "size": .key("length"),
        ])

    /// Whether the operator applies to durations, sizes, and statuses.
    var allowsQuantity: Bool {
        switch self {
        case .equals, .not, .oneOf, .gt, .gte, .lt, .lte, .between, .closeTo, .all, .either, .exists: true
        case .type, .contains, .startsWith, .endsWith, .matches, .length, .empty, .each, .any, .none, .unique, .sorted,
            .includes, .like, .strictLike, .before, .after, .within, .jsonSchema, .regex, .as:
            false
        }
    }
}

extension Matcher.ValueType {
    /// The type names that `type` accepts.
    static let words = allCases.map(\.rawValue)
}

/// The keys of `closeTo`.
enum CloseToKey: String, CaseIterable, Sendable {
    case value, within

    static let schema = MapSchema<CloseToKey>(
        "closeTo", title: "\"closeTo\"", "A number or date-time, and the maximum distance from it.",
        rows: [
            .init(.value, .ordered, required: true, "The number or date-time."),
            .init(
                .within, .ordered, required: true,
                "The maximum distance: a number, or a duration for a date-time."),
        ])
}

/// The keys of a matcher for all fields with a name.
extension OperatorKey {
    static let everyField = MapSchema<OperatorKey>(
        "everyField", title: "a header with \"all\"", "The expectations of a header field that occurs several times.",
        rows: [
            .init(
                .all, .matcher(.value), required: true,
                "What every field must match; a sequence contains several matchers."
            ),
            .init(.length, .matcher(.value), "The expected number of fields."),
            .init(.not, .matcher(.value), "No field matches."),
            .init(.any, .matcher(.value), "At least one field matches."),
            .init(.none, .matcher(.value), "No field matches."),
            .init(.includes, .matcher(.value), "At least one field matches."),
            .init(.unique, .boolean, "Whether the values of all fields are distinct."),
            .init(
                .sorted, .anyOf([.boolean, .choice(Matcher.Order.allCases.map(\.rawValue))]),
                "The values of the fields are sorted: `ascending` (or `true`) or `descending`."),
        ])
}
