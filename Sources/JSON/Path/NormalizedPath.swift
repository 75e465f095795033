/// The way from a document's root to one value: member names and array indexes (RFC 9535 §2.7).
public struct NormalizedPath: Sendable, Hashable, CustomStringConvertible {
    /// One step down.
    public enum Step: Sendable, Hashable {
        /// To the member with this name.
        case name(String)
        /// To the element at this index, from 0.
        case index(Int)
    }

    /// The steps from the root.
    public var steps: [Step]

    /// Makes a path; without steps it is the root.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// The normalized path of RFC 9535, such as `$['a'][2]`.
    public var description: String {
        var text = "$"
        for step in steps {
            switch step {
            case .name(let name): NormalizedPath.appendQuoted(name, to: &text)
            case .index(let index): text += "[\(index)]"
            }
        }
        return text
    }

    /// The path as people write it: `$.a[2]`, with brackets and quotation marks only for names that need them.
    public var shorthand: String {
        var text = "$"
        for step in steps {
            switch step {
            case .name(let name) where NormalizedPath.isShorthand(name): text += ".\(name)"
            case .name(let name): NormalizedPath.appendQuoted(name, to: &text)
            case .index(let index): text += "[\(index)]"
            }
        }
        return text
    }

    /// The path one step further down.
    public func appending(_ step: Step) -> NormalizedPath {
        NormalizedPath(steps + [step])
    }

    /// Whether a name may stand after a full stop: member-name-shorthand of RFC 9535 §2.5.1.1.
    private static func isShorthand(_ name: String) -> Bool {
        guard let first = name.utf8.first, first &- UInt8(ascii: "0") > 9 else { return false }
        return name.utf8.allSatisfy { $0 >= 0x80 || JSONReader.isWordByte($0) }
    }

    /// Appends `['name']` with the escapes of normal-single-quoted.
    private static func appendQuoted(_ name: String, to text: inout String) {
        text += "['"
        for scalar in name.unicodeScalars {
            switch scalar {
            case "'": text += "\\'"
            case "\\": text += "\\\\"
            case "\u{08}": text += "\\b"
            case "\u{0C}": text += "\\f"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{00}"..<"\u{20}":
                text += scalar.value < 16 ? "\\u000" : "\\u00"
                text += String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "']"
    }
}
