import JSON
import SuiteModel

/// The keys of a mock file.
enum MockKey: String, CaseIterable, Sendable {
    case name, description, schemas, defaults, collections, routes

    static let schema = MapSchema<MockKey>(
        "mock", title: "a mock file", "What the built-in mock server answers.",
        rows: [
            .init(.name, .string, "The name of the mock; without one, the file's name."),
            .init(.description, .string, "What the mock stands for, for people."),
            .init(
                .schemas, .members(.string),
                "Files that stand for the URIs of JSON Schemas, as `$ref` gives them; a URI that ends in `/` stands for a folder."
            ),
            .init(.defaults, .map("mockDefaults"), "What all answers have in common."),
            .init(
                .collections, .members(.map("collection")),
                "Stateful resources by name: items can be created, read, replaced, updated, deleted and listed."),
            .init(.routes, .list(.map("route")), "Requests and their answers; the first that matches is taken."),
        ],
        allowsExtensions: true,
        misplaced: [
            "tests": "this is a suite; give it to \"apitest\" itself", "request": "it stands under \"routes\"",
            "respond": "it stands under \"routes\"", "resources": "did you mean \"collections\"?",
        ])
}

/// The keys of the `defaults` of a mock file.
enum MockDefaultsKey: String, CaseIterable, Sendable {
    case headers, delay, schemaFormat

    static let schema = MapSchema<MockDefaultsKey>(
        "mockDefaults", title: "defaults", "What all answers of a mock have in common.",
        rows: [
            .init(
                .headers, .members(.anyOf([.text, .list(.text)])),
                "Headers of every answer; a header of the answer itself takes the place of the one of the same name."),
            .init(.delay, .duration, "How long every answer is held back."),
            .init(
                .schemaFormat, SchemaKey.formatKind,
                "Whether `format` is checked in JSON Schemas under `when`: `assert`, or `annotate` (the default)."),
        ])
}

/// The keys of a route.
enum RouteKey: String, CaseIterable, Sendable {
    case request, when, respond

    static let schema = MapSchema<RouteKey>(
        "route", title: "a route", "A request line, what the request must hold, and the answer.",
        rows: [
            .init(
                .request, .string, required: true,
                "`METHOD /path`, or `/path` for every method; `{name}` takes a segment, `*` any part of one, `**` any number of segments."
            ),
            .init(.when, .map("when"), "What a request must hold besides; all of it must match."),
            .init(
                .respond, .anyOf([.integer(200...599), .map("respond")]), required: true,
                "The answer; a status alone may stand here."),
        ],
        allowsExtensions: true,
        misplaced: [
            "method": "write \"request: METHOD /path\"", "path": "write \"request: METHOD /path\"",
            "url": "write \"request: METHOD /path\"", "response": "did you mean \"respond\"?",
            "status": "it stands under \"respond\"", "json": "it stands under \"respond\" or \"when\"",
            "headers": "it stands under \"respond\" or \"when\"", "delay": "it stands under \"respond\"",
            "query": "it stands under \"when\"",
        ])
}

/// The keys of `when`.
enum WhenKey: String, CaseIterable, Sendable {
    case query, headers, cookies, form, json, body

    static let schema = MapSchema<WhenKey>(
        "when", title: "when", "What a request must hold so that a route takes it.",
        rows: [
            .init(.query, .members(.matcher(.value)), "Query parameters by name; one value of the name must match."),
            .init(.headers, .members(.matcher(.value)), "Headers by name, in any case."),
            .init(.cookies, .members(.matcher(.value)), "Cookies that the request sends, by name."),
            .init(.form, .members(.matcher(.value)), "Fields of a form that the body is, by name."),
            .init(.json, .jsonPaths, "JSONPath (RFC 9535) to what the selected value of the body must be."),
            .init(.body, .matcher(.value), "The whole body: the value of a JSON body, otherwise its text."),
        ])
}

/// The keys of `respond`.
enum RespondKey: String, CaseIterable, Sendable {
    case status, headers, json, text, file, base64, body, delay, close, sequence, cycle

    static let schema = MapSchema<RespondKey>(
        "respond", title: "an answer", "An answer, with at most one body.",
        rows: [
            .init(.status, .anyOf([.integer(200...599), .template]), "The status code; without one, 200."),
            .init(
                .headers, .members(.anyOf([.text, .list(.text), .null])),
                "Headers by name; a list sends the header several times, null removes a default."),
            .init(.json, .value, "The body as a JSON value."),
            .init(.text, .text, "The body as text."),
            .init(.file, .string, "The body as a file's bytes; the path resolves against the mock file's folder."),
            .init(.base64, .string, "The body as bytes in base64."),
            .init(.body, .value, "The body: a string is text, anything else JSON."),
            .init(.delay, .duration, "How long the answer is held back."),
            .init(
                .close, .anyOf([.boolean, .choice(["body"])]),
                "`true` drops the connection without an answer, `body` after the first half of the body."),
            .init(
                .sequence, .list(.anyOf([.integer(200...599), .map("respond")])),
                "Answers that are given one after another; the last one is repeated."),
            .init(.cycle, .boolean, "Whether the sequence begins again after its last answer."),
        ],
        misplaced: [
            "when": "it stands beside \"respond\"", "xml": "write \"text\" and a Content-Type header",
            "html": "write \"text\" and a Content-Type header", "data": "did you mean \"body\"?",
            "contentType": "write it under \"headers\"", "sleep": "did you mean \"delay\"?",
        ])
}

/// The keys of a collection.
enum CollectionKey: String, CaseIterable, Sendable {
    case path, id, key, seed

    static let schema = MapSchema<CollectionKey>(
        "collection", title: "a collection", "A stateful resource, kept in memory for one run.",
        rows: [
            .init(.path, .string, required: true, "The path of the collection; its items are one segment below it."),
            .init(
                .id, .choice(["integer", "uuid", "string"]),
                "What identifies an item: a number that is counted (the default), a random UUID, or text."),
            .init(.key, .string, "The member that holds an item's identifier; without it, `id`."),
            .init(
                .seed, .anyOf([.list(.members(.value)), .string]),
                "The items with which every run begins, or the path of a JSON or YAML file that holds their list."),
        ],
        misplaced: ["file": "write \"seed: FILE\"", "items": "did you mean \"seed\"?"])
}
