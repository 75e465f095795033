import JSON
import SuiteModel

/// The keys of a mock file.
enum MockKey: String, CaseIterable, Sendable {
    case name, description, schemas, defaults, collections, routes

    static let schema = MapSchema<MockKey>(
        "mock", title: "a mock file", "The responses of the built-in mock server.",
        rows: [
            .init(.name, .string, "The name of the mock (default: the name of the file)."),
            .init(.description, .string, "A description of the mock for readers."),
            .init(
                .schemas, .members(.string),
                "Local files for the URIs in `$ref` of JSON Schemas; a URI that ends in `/` maps to a directory."
            ),
            .init(.defaults, .map("mockDefaults"), "Defaults for all responses."),
            .init(
                .collections, .members(.map("collection")),
                "Stateful resources by name: their items can be created, read, replaced, updated, deleted and listed."),
            .init(.routes, .list(.map("route")), "Requests and their responses; the first match is used."),
        ],
        allowsExtensions: true,
        misplaced: [
            "tests": .otherFile("this is a suite: pass it to \"apitest\" itself"), "request": .under("routes"),
            "respond": .under("routes"), "resources": .key("collections"),
        ])
}

/// The keys of the `defaults` of a mock file.
enum MockDefaultsKey: String, CaseIterable, Sendable {
    case headers, delay, schemaFormat

    static let schema = MapSchema<MockDefaultsKey>(
        "mockDefaults", title: "\"defaults\"", "Defaults for all responses of a mock.",
        rows: [
            .init(
                .headers, .members(.anyOf([.text, .list(.text)])),
                "Headers of every response; a header of the response itself overrides the one of the same name."),
            .init(.delay, .duration, "The delay before every response."),
            .init(
                .schemaFormat, SchemaKey.formatKind,
                "Whether `format` is checked in JSON Schemas under `when`: `assert`, or `annotate` (the default)."),
        ])
}

/// The keys of a route.
enum RouteKey: String, CaseIterable, Sendable {
    case request, when, respond

    static let schema = MapSchema<RouteKey>(
        "route", title: "a route", "A request line, conditions on the request, and the response.",
        rows: [
            .init(
                .request, .string, required: true,
                "`METHOD /path`, or `/path` for every method; `{name}` matches a segment, `*` any part of a segment, `**` any number of segments."
            ),
            .init(.when, .map("when"), "Additional conditions on the request; all of them must match."),
            .init(
                .respond, .anyOf([.integer(200...599), .map("respond")]), required: true,
                "The response, or only its status."),
        ],
        allowsExtensions: true,
        misplaced: [
            "method": .write("request", as: "request: METHOD /path"),
            "path": .write("request", as: "request: METHOD /path"),
            "url": .write("request", as: "request: METHOD /path"), "response": .key("respond"),
            "status": .under("respond"), "json": .under("respond", "when"),
            "headers": .under("respond", "when"), "delay": .under("respond"),
            "query": .under("when"),
        ])
}

/// The keys of `when`.
enum WhenKey: String, CaseIterable, Sendable {
    case query, headers, cookies, form, json, body

    static let schema = MapSchema<WhenKey>(
        "when", title: "\"when\"", "The conditions that a request must meet to match a route.",
        rows: [
            .init(.query, .members(.matcher(.value)), "Query parameters by name; one value of the name must match."),
            .init(.headers, .members(.matcher(.value)), "Headers by case-insensitive name."),
            .init(.cookies, .members(.matcher(.value)), "Cookies of the request, by name."),
            .init(.form, .members(.matcher(.value)), "Fields of a form body, by name."),
            .init(.json, .jsonPaths, "JSONPath (RFC 9535) to the expected value in the body."),
            .init(.body, .matcher(.value), "The whole body: the value of a JSON body, otherwise its text."),
        ])
}

/// The keys of `respond`.
enum RespondKey: String, CaseIterable, Sendable {
    case status, headers, json, text, file, base64, body, delay, close, sequence, cycle

    static let schema = MapSchema<RespondKey>(
        "respond", title: "a response", "A response, with at most one body.",
        rows: [
            .init(.status, .anyOf([.integer(200...599), .template]), "The status code (default: 200)."),
            .init(
                .headers, .members(.anyOf([.text, .list(.text), .null])),
                "Headers by name; a sequence sends the header several times, null removes a default."),
            .init(.json, .value, "The body as a JSON value."),
            .init(.text, .text, "The body as text."),
            .init(
                .file, .string,
                "The body as the bytes of a file; the path is relative to the directory of the mock file."),
            .init(.base64, .string, "The body as base64-encoded bytes."),
            .init(.body, .value, "The body: a string is sent as text, anything else as JSON."),
            .init(.delay, .duration, "The delay before the response."),
            .init(
                .close, .anyOf([.boolean, .choice(["body"])]),
                "`true` closes the connection without a response, `body` after the first half of the body."),
            .init(
                .sequence, .list(.anyOf([.integer(200...599), .map("respond")])),
                "Responses that are sent one after another; the last one repeats."),
            .init(.cycle, .boolean, "Whether the sequence restarts after its last response."),
        ],
        misplaced: [
            "when": "it belongs next to \"respond\"", "xml": "write \"text\" and a Content-Type header",
            "html": "write \"text\" and a Content-Type header", "data": .key("body"),
            "contentType": "write it under \"headers\"", "sleep": .key("delay"),
        ])
}

/// The keys of a collection.
enum CollectionKey: String, CaseIterable, Sendable {
    case path, id, key, seed

    static let schema = MapSchema<CollectionKey>(
        "collection", title: "a collection", "A stateful resource, kept in memory during a run.",
        rows: [
            .init(.path, .string, required: true, "The path of the collection; its items are one segment below it."),
            .init(
                .id, .choice(["integer", "uuid", "string"]),
                "The kind of identifiers of items: a counter (the default), a random UUID, or a string."),
            .init(.key, .string, "The member with the identifier of an item (default: `id`)."),
            .init(
                .seed, .anyOf([.list(.members(.value)), .string]),
                "The items at the start of every run, or the path of a JSON or YAML file with an array of items."),
        ],
        misplaced: ["file": "write \"seed: FILE\"", "items": .key("seed")])
}
