/// Where a schema is used: what it describes there, and for which operation.
struct SchemaSite {
    /// What the schema itself describes.
    var role: SchemaRole
    /// What it is called in a sentence: `the body of response 200`, `the query parameter "limit"`.
    var subject: String
    var operation: String?
    var section: ChangeSection
    /// Whether values are sent as text, so that `1` and `"1"` look the same.
    var isText: Bool
    /// Whether it is a request's header.
    var isRequestHeader = false

    /// Which scalars are read as arrays of one element.
    var single = Single.none

    /// Whether that holds for the properties of the schema, and not for the schema itself.
    var isSingleInside = false

    /// Scalars that are written as an array of one element is.
    enum Single {
        case none
        /// Those that cannot hold the delimiter of arrays.
        case numbers
        case all
    }

    /// What a part of it is called.
    func subject(of role: SchemaRole, path: String) -> String {
        if path.isEmpty { return subject }
        switch role {
        case .requestBody, .responseBody, .requestParameter, .responseHeader: return "\(subject) at \"\(path)\""
        case .requestProperty, .responseProperty, .requestParameterProperty:
            return "the property \"\(path)\" of \(subject)"
        case .requestReadOnlyProperty: return "the read-only property \"\(path)\" of \(subject)"
        case .responseWriteOnlyProperty: return "the write-only property \"\(path)\" of \(subject)"
        }
    }
}
