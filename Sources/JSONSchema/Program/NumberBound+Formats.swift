import JSON

extension NumberBound {
    /// The bounds that a format of numbers in OpenAPI means; none for any other.
    static func bounds(ofFormat name: String) -> [NumberBound] {
        switch name {
        case "int32": between(JSONNumber(Int(Int32.min)), JSONNumber(Int(Int32.max)))
        case "int64": between(JSONNumber(Int(Int64.min)), JSONNumber(Int(Int64.max)))
        default: []
        }
    }

    private static func between(_ least: JSONNumber, _ most: JSONNumber) -> [NumberBound] {
        [NumberBound(.atLeast, least, keyword: "format"), NumberBound(.atMost, most, keyword: "format")]
    }
}
