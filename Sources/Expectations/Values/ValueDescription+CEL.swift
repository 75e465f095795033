import CEL
import JSON

extension ValueDescription {
    /// A value of an expression with its type in the language: `3 (int)`, `2.31 s (duration)`; long values are cut.
    static func typed(_ value: CELValue) -> String {
        switch value {
        case .duration(let duration): "\(Quantity.duration(duration.nanoseconds)) (duration)"
        case .timestamp(let timestamp): "\(timestamp.description) (timestamp)"
        case .uint, .bytes, .type, .optional: "\(cut(value.description)) (\(value.typeName))"
        case .null, .bool, .int, .double, .number, .string, .list, .map:
            if let json = value.json {
                typed(json, named: value.typeName)
            } else {
                "\(cut(value.description)) (\(value.typeName))"
            }
        }
    }

    private static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
