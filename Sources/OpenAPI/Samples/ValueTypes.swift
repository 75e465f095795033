import JSON

/// The types of JSON Schema that a value may have; numbers are told apart by whether they are integers.
struct ValueTypes: OptionSet {
    let rawValue: UInt8

    static let object = ValueTypes(rawValue: 1)
    static let array = ValueTypes(rawValue: 2)
    static let string = ValueTypes(rawValue: 4)
    static let integer = ValueTypes(rawValue: 8)
    static let fraction = ValueTypes(rawValue: 16)
    static let boolean = ValueTypes(rawValue: 32)
    static let null = ValueTypes(rawValue: 64)
    static let number: ValueTypes = [.integer, .fraction]
    static let all = ValueTypes(rawValue: 127)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What `type` says; unknown names are left out.
    init(keyword: JSONValue) {
        let names = keyword.stringValue.map { [$0] } ?? (keyword.arrayValue ?? []).compactMap(\.stringValue)
        self = []
        for name in names {
            switch name {
            case "object": insert(.object)
            case "array": insert(.array)
            case "string": insert(.string)
            case "integer": insert(.integer)
            case "number": formUnion(.number)
            case "boolean": insert(.boolean)
            case "null": insert(.null)
            // Swagger 2.0 and early 3.0 documents name the type of uploads so.
            case "file": insert(.string)
            default: break
            }
        }
    }
}
