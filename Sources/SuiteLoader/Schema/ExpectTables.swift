import SuiteModel

/// Keys of `expect`.
enum ExpectKey: String, CaseIterable, Sendable {
    case status, headers, cookies, json, body, duration, size

    static let schema = MapSchema<ExpectKey>(
        "expect", title: "expect", "What a response must be; all of it is checked, and every failure is shown.",
        rows: [
            .init(
                .status, .anyOf([.status, .null]), "`200`, `2xx`, `200-204`, a list of these, or operators."),
            .init(
                .headers, .anyOf([.members(.matcher(.value)), .null]),
                "Headers by name, in any case; of a header that is sent several times one must match, or with `all` every one."
            ),
            .init(
                .cookies, .anyOf([.members(.matcher(.value)), .null]),
                "Cookies that the response sets, by name; the value must match."),
            .init(
                .json, .anyOf([.jsonPaths, .null]),
                "JSONPath (RFC 9535) to what the selected value must be; several matches give a list."),
            .init(
                .body, .matcher(.value), "The whole body: the value of a JSON body, otherwise its text."),
            .init(.duration, .anyOf([.matcher(.duration), .null]), "How long the exchange takes, as `{ lt: 2s }`."),
            .init(.size, .anyOf([.matcher(.size), .null]), "The size of the decoded body, as `{ lt: 64KB }`."),
        ],
        unsupported: [
            ("xml", "XPath to what the selected node must be."), ("html", "XPath to what the selected node must be."),
            ("schema", "A JSON Schema that the body must satisfy."),
            ("contract", "How the exchange is held against the suite's contract."),
            ("redirects", "How many redirects were followed."), ("http", "The version of HTTP."),
            ("timings", "How long each phase takes."), ("certificate", "The server's certificate."),
            ("image", "The format and dimensions of an image."), ("events", "The events of a stream."),
            ("snapshot", "A stored response to compare with."), ("trailers", "Trailer fields by name."),
            ("hops", "The redirects that were followed."), ("sha256", "The digest of the body."),
        ],
        misplaced: [
            "assert": "it stands beside \"expect\"", "capture": "it stands beside \"expect\"",
            "text": "did you mean \"body\"?", "header": "did you mean \"headers\"?",
            "time": "did you mean \"duration\"?", "cookie": "did you mean \"cookies\"?",
        ])
}

/// The operators of a matcher.
enum OperatorKey: String, CaseIterable, Sendable {
    case equals, not, type, contains, startsWith, endsWith, matches, oneOf, gt, gte, lt, lte, between, closeTo, length
    case empty, exists, each, any, none, unique, sorted, includes, like, strictLike, before, after, within, all, either

    /// The words that `type` knows.
    static let types = [
        "string", "number", "integer", "boolean", "array", "object", "null", "uuid", "date", "dateTime", "email", "uri",
        "ipv4", "ipv6",
    ]

    static let schema = MapSchema<OperatorKey>(
        "operators", title: "a matcher",
        "Operators, all of which must hold; an object to compare with goes under `equals`.",
        rows: [
            .init(.equals, .value, "The value is exactly this; numbers compare as decimals."),
            .init(.not, .matcher(.value), "The matcher does not hold."),
            .init(
                .type, .anyOf([.choice(types), .list(.choice(types))]), "The value has this type, or one of these."),
            .init(.contains, .value, "Text contains this text, or a list this element."),
            .init(.startsWith, .text, "Text begins with this."),
            .init(.endsWith, .text, "Text ends with this."),
            .init(.matches, .pattern, "A regular expression (ECMAScript) matches somewhere in the text."),
            .init(.oneOf, .list(.value), "The value is one of these."),
            .init(.gt, .number, "The value is greater than this."),
            .init(.gte, .number, "The value is this or greater."),
            .init(.lt, .number, "The value is less than this."),
            .init(.lte, .number, "The value is this or less."),
            .init(.between, .pair(.number), "The value lies between these two, both included."),
            .init(.closeTo, .map("closeTo"), "The number is near a value."),
            .init(
                .length, .matcher(.value), "What the length of text, a list or an object must be."),
            .init(.empty, .boolean, "Whether text, a list or an object is empty."),
            .init(.exists, .boolean, "Whether there is a value at all."),
            .init(.each, .matcher(.value), "Every element of the list matches."),
            .init(.any, .matcher(.value), "At least one element of the list matches."),
            .init(.none, .matcher(.value), "No element of the list matches."),
            .init(.unique, .boolean, "Whether no two elements of the list are equal."),
            .init(
                .sorted, .anyOf([.boolean, .choice(["ascending", "descending"])]),
                "The list is sorted: `ascending` (or `true`) or `descending`."),
            .init(.includes, .matcher(.value), "The list has an element that matches."),
            .init(.like, .value, "The named members match, recursively; others are free."),
            .init(.strictLike, .value, "The named members match, recursively; there are no others."),
            .init(.before, .template, "The date-time is earlier than this."),
            .init(.after, .template, "The date-time is later than this."),
            .init(.within, .map("within"), "The date-time is near another one."),
            .init(.all, .list(.matcher(.value)), "All of the matchers hold."),
            .init(.either, .list(.matcher(.value)), "At least one of the matchers holds."),
        ],
        unsupported: [("schema", "A JSON Schema that the value must satisfy.")],
        misplaced: [
            "eq": "did you mean \"equals\"?", "ne": "write \"not\"", "regex": "did you mean \"matches\"?",
            "pattern": "did you mean \"matches\"?", "in": "did you mean \"oneOf\"?", "min": "did you mean \"gte\"?",
            "max": "did you mean \"lte\"?", "count": "did you mean \"length\"?", "size": "did you mean \"length\"?",
        ])
}

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
