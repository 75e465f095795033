import Basics
package import JSON

/// The serialization of parameter values in their styles (Parameter Object, section "Style Values").
package enum ParameterText {
    /// Returns the string of a scalar.
    package static func scalar(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): number.literal
        case .bool(let value): value ? "true" : "false"
        case .null: ""
        case .array, .object: value.serialized()
        }
    }

    /// Returns the serialized value of a path parameter.
    package static func path(_ parameter: Parameter, _ value: JSONValue) -> String {
        if parameter.content != nil { return PercentEncoding.encode(value.serialized()) }
        let name = PercentEncoding.encode(parameter.name)
        switch (value, parameter.style) {
        case (.array(let elements), .label):
            return "."
                + elements.map { PercentEncoding.encode(scalar($0)) }.joined(
                    separator: parameter.isExploded ? "." : ",")
        case (.array(let elements), .matrix):
            let texts = elements.map { PercentEncoding.encode(scalar($0)) }
            return parameter.isExploded
                ? texts.map { ";\(name)=\($0)" }.joined() : ";\(name)=" + texts.joined(separator: ",")
        case (.array(let elements), _):
            return elements.map { PercentEncoding.encode(scalar($0)) }.joined(separator: ",")
        case (.object(let object), .label):
            return "."
                + members(object, parameter.isExploded, separator: parameter.isExploded ? "." : ",", encodes: true)
        case (.object(let object), .matrix):
            return parameter.isExploded
                ? object.map { ";\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode(scalar($0.value)))" }
                    .joined()
                : ";\(name)=" + members(object, false, separator: ",", encodes: true)
        case (.object(let object), _):
            return members(object, parameter.isExploded, separator: ",", encodes: true)
        case (_, .label): return "." + PercentEncoding.encode(scalar(value))
        case (_, .matrix): return ";\(name)=" + PercentEncoding.encode(scalar(value))
        default: return PercentEncoding.encode(scalar(value))
        }
    }

    /// Returns the serialized value of a header or a cookie.
    package static func field(_ parameter: Parameter, _ value: JSONValue) -> String {
        if parameter.content != nil { return value.serialized() }
        switch value {
        case .array(let elements): return elements.map { scalar($0) }.joined(separator: ",")
        case .object(let object): return members(object, parameter.isExploded, separator: ",", encodes: false)
        default: return scalar(value)
        }
    }

    /// Returns the query pairs of a value that `query:` cannot express.
    package static func query(_ parameter: Parameter, _ value: JSONValue) -> [String] {
        let name = PercentEncoding.encode(parameter.name)
        switch value {
        case .array(let elements):
            let texts = elements.map { PercentEncoding.encode(scalar($0)) }
            if parameter.isExploded { return texts.map { "\(name)=\($0)" } }
            return ["\(name)=" + texts.joined(separator: separator(parameter))]
        case .object(let object):
            if parameter.style == .deepObject {
                return object.map {
                    "\(name)%5B\(PercentEncoding.encode($0.key))%5D=\(PercentEncoding.encode(scalar($0.value)))"
                }
            }
            if parameter.isExploded {
                return object.map { "\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode(scalar($0.value)))" }
            }
            return ["\(name)=" + members(object, false, separator: separator(parameter), encodes: true)]
        default: return ["\(name)=\(PercentEncoding.encode(scalar(value)))"]
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
        func text(_ text: String) -> String { encodes ? PercentEncoding.encode(text) : text }
        return object.map { "\(text($0.key))\(isExploded ? "=" : separator)\(text(scalar($0.value)))" }
            .joined(separator: separator)
    }
}
