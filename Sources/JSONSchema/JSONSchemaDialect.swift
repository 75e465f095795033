/// A draft of JSON Schema.
public enum JSONSchemaDialect: String, Sendable, Hashable {
    /// Draft 4 of 2013.
    case draft4
    /// Draft 6 of 2017.
    case draft6
    /// Draft 7 of 2018.
    case draft7
    /// Draft 2019-09.
    case draft201909
    /// Draft 2020-12.
    case draft202012
    /// The dialect of OpenAPI 3.0, made from draft 5 (Schema Object): no `$schema` names it.
    case openAPI30

    /// The drafts that `$schema` may name, by age.
    public static let drafts: [JSONSchemaDialect] = [.draft4, .draft6, .draft7, .draft201909, .draft202012]

    /// The dialect that a `$schema` URI names, or nil.
    ///
    /// An empty fragment makes no difference, nor does `https` in the place of `http` or the other way round.
    public init?(uri: String) {
        var place = uri.hasSuffix("#") ? uri.dropLast() : uri[...]
        if place.hasPrefix("https:") { place = "http:" + place.dropFirst(6) }
        switch place {
        case "http://json-schema.org/draft-04/schema": self = .draft4
        case "http://json-schema.org/draft-06/schema": self = .draft6
        case "http://json-schema.org/draft-07/schema": self = .draft7
        case "http://json-schema.org/draft/2019-09/schema": self = .draft201909
        case "http://json-schema.org/draft/2020-12/schema": self = .draft202012
        // The dialects of OpenAPI 3.1 and 3.2 are 2020-12 with keywords that say nothing about validity.
        case _ where place.hasPrefix("http://spec.openapis.org/oas/3.") && place.contains("/dialect/"):
            self = .draft202012
        default: return nil
        }
    }

    /// The URI that `$schema` names the dialect by.
    public var uri: String {
        switch self {
        case .draft4: "http://json-schema.org/draft-04/schema#"
        case .draft6: "http://json-schema.org/draft-06/schema#"
        case .draft7: "http://json-schema.org/draft-07/schema#"
        case .draft201909: "https://json-schema.org/draft/2019-09/schema"
        case .draft202012: "https://json-schema.org/draft/2020-12/schema"
        case .openAPI30: "https://spec.openapis.org/oas/3.0/schema/2024-10-18"
        }
    }

    /// The place in time, so that drafts can be compared.
    var order: Int {
        switch self {
        case .draft4: 4
        case .openAPI30: 5
        case .draft6: 6
        case .draft7: 7
        case .draft201909: 8
        case .draft202012: 9
        }
    }

    /// Whether `$ref` hides all keywords beside it.
    var hidesSiblingsOfReferences: Bool { order <= 7 }
}
