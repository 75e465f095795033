/// A type as a value: what `type(x)` gives and what names like `int` or `list` stand for.
public struct CELType: Sendable, Hashable {
    /// The type's name in the language, such as `int` or `google.protobuf.Timestamp`.
    public let name: String

    init(_ name: String) {
        self.name = name
    }

    static let null = CELType("null_type")
    static let bool = CELType("bool")
    static let int = CELType("int")
    static let uint = CELType("uint")
    static let double = CELType("double")
    static let string = CELType("string")
    static let bytes = CELType("bytes")
    static let list = CELType("list")
    static let map = CELType("map")
    static let type = CELType("type")
    static let optional = CELType("optional_type")
    static let timestamp = CELType("google.protobuf.Timestamp")
    static let duration = CELType("google.protobuf.Duration")

    /// The types that have a name without dots, by that name.
    static let named: [String: CELType] = Dictionary(
        uniqueKeysWithValues: [null, bool, int, uint, double, string, bytes, list, map, type, optional]
            .map { ($0.name, $0) })

    /// The type that a dotted name stands for.
    static func dotted(_ name: String) -> CELType? {
        switch name {
        case timestamp.name: timestamp
        case duration.name: duration
        default: nil
        }
    }
}
