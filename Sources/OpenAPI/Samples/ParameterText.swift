package import JSON

/// Writes the values of parameters in their styles (Parameter Object, section "Style Values").
package enum ParameterText {
    /// The text of a scalar.
    package static func scalar(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): number.literal
        case .bool(let value): value ? "true" : "false"
        case .null: ""
        case .array, .object: value.serialized()
        }
    }

    /// Percent-encodes all but unreserved characters (RFC 3986, section 2.3).
    package static func encoded(_ text: String, keeping: Set<UInt8> = []) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                if keeping.contains(byte) {
                    result.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    let digits = String(byte, radix: 16, uppercase: true)
                    result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
                }
            }
        }
        return result
    }

    /// A path parameter.
    package static func path(_ parameter: Parameter, _ value: JSONValue) -> String {
        if parameter.content != nil { return encoded(value.serialized()) }
        let name = encoded(parameter.name)
        switch (value, parameter.style) {
        case (.array(let elements), .label):
            return "." + elements.map { encoded(scalar($0)) }.joined(separator: parameter.isExploded ? "." : ",")
        case (.array(let elements), .matrix):
            let texts = elements.map { encoded(scalar($0)) }
            return parameter.isExploded
                ? texts.map { ";\(name)=\($0)" }.joined() : ";\(name)=" + texts.joined(separator: ",")
        case (.array(let elements), _): return elements.map { encoded(scalar($0)) }.joined(separator: ",")
        case (.object(let object), .label):
            return "."
                + members(object, parameter.isExploded, separator: parameter.isExploded ? "." : ",", encodes: true)
        case (.object(let object), .matrix):
            return parameter.isExploded
                ? object.map { ";\(encoded($0.key))=\(encoded(scalar($0.value)))" }.joined()
                : ";\(name)=" + members(object, false, separator: ",", encodes: true)
        case (.object(let object), _):
            return members(object, parameter.isExploded, separator: ",", encodes: true)
        case (_, .label): return "." + encoded(scalar(value))
        case (_, .matrix): return ";\(name)=" + encoded(scalar(value))
        default: return encoded(scalar(value))
        }
    }

    /// A header, or a cookie.
    package static func field(_ parameter: Parameter, _ value: JSONValue) -> String {
        if parameter.content != nil { return value.serialized() }
        switch value {
        case .array(let elements): return elements.map { scalar($0) }.joined(separator: ",")
        case .object(let object): return members(object, parameter.isExploded, separator: ",", encodes: false)
        default: return scalar(value)
        }
    }

    /// The pairs of a query for a value that `query:` does not write.
    package static func query(_ parameter: Parameter, _ value: JSONValue) -> [String] {
        let name = encoded(parameter.name)
        switch value {
        case .array(let elements):
            let texts = elements.map { encoded(scalar($0)) }
            if parameter.isExploded { return texts.map { "\(name)=\($0)" } }
            return ["\(name)=" + texts.joined(separator: separator(parameter))]
        case .object(let object):
            if parameter.style == .deepObject {
                return object.map { "\(name)%5B\(encoded($0.key))%5D=\(encoded(scalar($0.value)))" }
            }
            if parameter.isExploded { return object.map { "\(encoded($0.key))=\(encoded(scalar($0.value)))" } }
            return ["\(name)=" + members(object, false, separator: separator(parameter), encodes: true)]
        default: return ["\(name)=\(encoded(scalar(value)))"]
        }
    }

    private static func separator(_ parameter: Parameter) -> String {
        switch parameter.style {
        case .spaceDelimited: "%20"
        case .pipeDelimited: "%7C"
        default: ","
        }
    }

    private static func members(
        _ object: JSONObject, _ isExploded: Bool, separator: String, encodes: Bool
    ) -> String {
        func text(_ text: String) -> String { encodes ? encoded(text) : text }
        return object.map { "\(text($0.key))\(isExploded ? "=" : separator)\(text(scalar($0.value)))" }
            .joined(separator: separator)
    }
}
