import CAssets
import JSON

/// The metaschemas, which references can target. Each is parsed on first use.
enum Metaschemas {
    /// Returns the metaschema with a URI without a fragment, or `nil`.
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

    /// Returns the metaschema of a vocabulary, whose URI is `base` followed by its name.
    private static func vocabulary(
        _ uri: String, of base: String, _ document: (String) -> JSONValue?
    ) -> JSONValue? {
        uri.hasPrefix(base) ? document(String(uri.dropFirst(base.count))) : nil
    }

    private static let draft201909Base = "https://json-schema.org/draft/2019-09/meta/"
    private static let draft202012Base = "https://json-schema.org/draft/2020-12/meta/"

    private static let draft4 = parsed(.metaschemaDraft4)
    private static let draft6 = parsed(.metaschemaDraft6)
    private static let draft7 = parsed(.metaschemaDraft7)
    /// The metaschema under the name `schema`, and the metaschemas of the vocabularies by name.
    private static let draft201909 = parsed(.metaschema201909)
    private static let draft202012 = parsed(.metaschema202012)

    /// The files are part of the program, and tests verify that they are valid JSON.
    private static func parsed(_ asset: Asset) -> JSONValue {
        (try? JSONValue(parsing: Array(UnsafeBufferPointer(start: asset.bytes, count: asset.count)))) ?? .bool(true)
    }
}
