import JSON

/// The schemas of schemas, for references to them; each is parsed when it is first asked for.
enum Metaschemas {
    /// The metaschema with a URI without fragment, or nil.
    static func document(_ uri: String) -> JSONValue? {
        switch uri {
        case "http://json-schema.org/draft-04/schema": draft4
        case "http://json-schema.org/draft-06/schema": draft6
        case "http://json-schema.org/draft-07/schema": draft7
        case "https://json-schema.org/draft/2019-09/schema": draft201909["schema"]
        case "https://json-schema.org/draft/2020-12/schema": draft202012["schema"]
        default:
            vocabulary(uri, of: draft201909Base) { draft201909[$0] }
                ?? vocabulary(uri, of: draft202012Base) { draft202012[$0] }
        }
    }

    /// The metaschema of one vocabulary: `base` with its name.
    private static func vocabulary(
        _ uri: String, of base: String, _ document: (String) -> JSONValue?
    ) -> JSONValue? {
        uri.hasPrefix(base) ? document(String(uri.dropFirst(base.count))) : nil
    }

    private static let draft201909Base = "https://json-schema.org/draft/2019-09/meta/"
    private static let draft202012Base = "https://json-schema.org/draft/2020-12/meta/"

    private static let draft4 = parsed(draft4Text)
    private static let draft6 = parsed(draft6Text)
    private static let draft7 = parsed(draft7Text)
    /// The metaschema as `schema`, and those of the vocabularies by name.
    private static let draft201909 = parsed(draft201909Text)
    private static let draft202012 = parsed(draft202012Text)

    /// The texts are a part of the program and tested to be JSON.
    private static func parsed(_ text: String) -> JSONValue { (try? JSONValue(parsing: text)) ?? .bool(true) }
}
