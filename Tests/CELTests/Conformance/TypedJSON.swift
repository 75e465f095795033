import Basics
import JSON

@testable import CEL

/// The notation of typed values in the conformance tests.
enum TypedJSON {
    static func value(_ json: JSONValue) -> CELValue? {
        guard let (type, content) = json.objectValue?.first.map({ ($0.key, $0.value) }) else { return nil }
        let text = content.stringValue ?? ""
        switch type {
        case "null": return .null
        case "bool": return content.boolValue.map { .bool($0) }
        case "int": return Int64(text).map { .int($0) }
        case "uint": return UInt64(text).map { .uint($0) }
        case "double":
            switch text {
            case "NaN": return .double(.nan)
            case "Infinity": return .double(.infinity)
            case "-Infinity": return .double(-.infinity)
            default: return Double(text).map { .double($0) }
            }
        case "string": return .string(text)
        case "bytes": return Base64.decode(text.utf8, allowing: [.withoutPadding, .urlAlphabet]).map { .bytes($0) }
        case "list": return .list(CELList((content.arrayValue ?? []).compactMap(value)))
        case "map":
            var builder = CELMapBuilder()
            for pair in content.arrayValue ?? [] {
                guard let key = pair[0].flatMap(value), let value = pair[1].flatMap(value) else { return nil }
                builder.set(key, value)
            }
            return .map(CELMap(entries: builder.entries()))
        case "type": return (CELType.named[text] ?? CELType.dotted(text)).map { .type($0) }
        case "duration": return CELDuration(text).map { .duration($0) }
        case "timestamp": return CELTimestamp(text).map { .timestamp($0) }
        default: return nil
        }
    }

    /// Returns whether the types and values are the same. NaN is the same as itself.
    static func areIdentical(_ left: CELValue, _ right: CELValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.uint(let left), .uint(let right)): left == right
        case (.double(let left), .double(let right)):
            (left.isNaN && right.isNaN) || (left == right && left.sign == right.sign)
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.list(let left), .list(let right)):
            left.count == right.count && zip(left.elements, right.elements).allSatisfy(areIdentical)
        case (.map(let left), .map(let right)):
            left.count == right.count
                && left.entries.allSatisfy { entry in
                    right.entries.contains {
                        areIdentical(entry.key, $0.key) && areIdentical(entry.value, $0.value)
                    }
                }
        case (.type(let left), .type(let right)): left == right
        case (.duration(let left), .duration(let right)): left == right
        case (.timestamp(let left), .timestamp(let right)): left == right
        default: false
        }
    }
}
