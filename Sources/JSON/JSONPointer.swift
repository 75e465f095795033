public import Basics

/// A JSON Pointer (RFC 6901), the path to a value in a document, such as `/items/0/a~1b`.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// The unescaped reference tokens.
    public var tokens: [String]

    /// Creates a pointer from unescaped tokens.
    public init(tokens: [String] = []) {
        self.tokens = tokens
    }

    /// Creates a pointer from its string form (RFC 6901, section 3).
    ///
    /// The form is empty for the whole document, or consists of tokens preceded by `/`, with `~0` for `~` and `~1` for
    /// `/`.
    public init(_ text: String) throws(JSONPointerError) {
        tokens = []
        var token: String.UnicodeScalarView?
        var afterTilde = false
        var offset = 0
        for scalar in text.unicodeScalars {
            defer { offset += 1 }
            if afterTilde {
                guard scalar == "0" || scalar == "1" else { throw JSONPointer.danglingTilde(at: offset - 1) }
                token?.append(scalar == "0" ? "~" : "/")
                afterTilde = false
            } else if scalar == "/" {
                if let token { tokens.append(String(token)) }
                token = String.UnicodeScalarView()
            } else if token == nil {
                throw JSONPointerError(message: "a non-empty JSON Pointer must start with \"/\"", offset: 0)
            } else if scalar == "~" {
                afterTilde = true
            } else {
                token?.append(scalar)
            }
        }
        if afterTilde { throw JSONPointer.danglingTilde(at: offset - 1) }
        if let token { tokens.append(String(token)) }
    }

    /// Creates a pointer from a URI fragment without its `#` (RFC 6901, section 6), decoding percent escapes first.
    public init(uriFragment fragment: String) throws(JSONPointerError) {
        var decoded: [UInt8] = []
        var bytes = fragment.utf8.makeIterator()
        var offset = 0
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                // Continuation bytes do not start a scalar.
                if byte & 0xC0 != 0x80 { offset += 1 }
                continue
            }
            guard let high = bytes.next().flatMap(Hexadecimal.value),
                let low = bytes.next().flatMap(Hexadecimal.value)
            else {
                throw JSONPointerError(message: "\"%\" must be followed by two hexadecimal digits", offset: offset)
            }
            decoded.append(high << 4 | low)
            offset += 3
        }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw JSONPointerError(message: "the percent-encoded bytes are not UTF-8", offset: 0)
        }
        try self.init(text)
    }

    /// The pointer as a string, with `~` and `/` in tokens escaped.
    public var description: String {
        var text = String.UnicodeScalarView()
        for token in tokens {
            text.append("/")
            for scalar in token.unicodeScalars {
                switch scalar {
                case "~": text.append(contentsOf: "~0".unicodeScalars)
                case "/": text.append(contentsOf: "~1".unicodeScalars)
                default: text.append(scalar)
                }
            }
        }
        return String(text)
    }

    /// Returns the pointer to a child of the referenced value.
    public func appending(_ token: String) -> JSONPointer {
        JSONPointer(tokens: tokens + [token])
    }

    /// Returns the pointer to an element of the referenced array.
    public func appending(_ index: Int) -> JSONPointer {
        appending(String(index))
    }

    /// Returns the referenced value in `document`; nil if it does not exist.
    public func evaluate(in document: JSONValue) -> JSONValue? {
        var value = document
        for token in tokens {
            switch value {
            case .object(let object):
                guard let member = object[token] else { return nil }
                value = member
            case .array(let array):
                guard let index = JSONPointer.arrayIndex(token), index < array.count else { return nil }
                value = array[index]
            default:
                return nil
            }
        }
        return value
    }

    /// Parses array-index = "0" / digit other than 0, then digits (RFC 6901, section 4).
    private static func arrayIndex(_ token: String) -> Int? {
        let digits = token.utf8
        guard let first = digits.first, digits.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else { return nil }
        return first == UInt8(ascii: "0") && digits.count > 1 ? nil : Int(token)
    }

    private static func danglingTilde(at offset: Int) -> JSONPointerError {
        JSONPointerError(message: "\"~\" must be followed by \"0\" (for \"~\") or \"1\" (for \"/\")", offset: offset)
    }
}

/// The error of an invalid JSON Pointer, with its position.
public struct JSONPointerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the error, without a final period.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public let wording: MessageText
    /// The position in the string, in Unicode scalars from 0.
    public let offset: Int

    /// Creates an error.
    public init(message: MessageText, offset: Int) {
        wording = message
        self.offset = offset
    }

    /// The message and its position.
    public var description: String { "\(message) (character \(offset + 1))" }
}

/// The path from a document's root to a value: member names and array indexes (RFC 9535, section 2.7).
public struct NormalizedPath: Sendable, Hashable, CustomStringConvertible {
    /// A step from a value to a child.
    public enum Step: Sendable, Hashable {
        /// The step to the member with this name.
        case name(String)
        /// The step to the element at this index, from 0.
        case index(Int)
    }

    /// The steps from the root.
    public var steps: [Step]

    /// Creates a path; an empty one is the root.
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

    /// The path in shorthand notation, as in `$.a[2]`, with brackets and quotation marks only for names that need them.
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

    /// Returns the path to a child.
    public func appending(_ step: Step) -> NormalizedPath {
        NormalizedPath(steps + [step])
    }

    /// Returns whether a name may follow a period: member-name-shorthand of RFC 9535, section 2.5.1.1.
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
