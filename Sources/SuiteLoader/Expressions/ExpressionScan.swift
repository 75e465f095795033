import CEL
import SuiteModel
package import YAML

/// Finds the `${…}` expressions in a text, considering strings, comments, and braces inside of expressions.
package struct ExpressionScan {
    /// A piece of a text.
    package enum Piece {
        /// Literal text; `$${` is already unescaped.
        case text(String)
        /// The source of an expression, and the number of Unicode scalars before it.
        case expression(String, offset: Int)
    }

    /// An error that reports a `${` without its `}`.
    package struct Unterminated: Error {
        /// The number of Unicode scalars before the `${`.
        package var offset: Int
    }

    private let bytes: [UInt8]
    private var index = 0
    /// The number of Unicode scalars before ``index``.
    private var scalars: Int

    private init(_ text: Substring, firstScalar: Int) {
        bytes = Array(text.utf8)
        scalars = firstScalar
    }

    /// Returns whether a text contains `${`. Otherwise, it contains no expression.
    package static func mayHoldExpression(_ text: Substring) -> Bool {
        var text = text
        return text.withUTF8(containsOpening)
    }

    /// Returns whether a scalar contains `${`. Otherwise, it contains no expression.
    package static func mayHoldExpression(_ node: YAMLNode) -> Bool {
        node.hasText(where: containsOpening)
    }

    private static func containsOpening(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var previous: UInt8 = 0
        for byte in text {
            if byte == UInt8(ascii: "{"), previous == UInt8(ascii: "$") { return true }
            previous = byte
        }
        return false
    }

    /// Splits a text into literal text and expressions.
    ///
    /// - Parameters:
    ///   - text: The text to split.
    ///   - firstScalar: The number of Unicode scalars before the text in its scalar.
    /// - Throws: ``Unterminated`` if an expression does not end.
    package static func pieces(of text: Substring, firstScalar: Int) throws(Unterminated) -> [Piece] {
        var scan = ExpressionScan(text, firstScalar: firstScalar)
        return try scan.run()
    }

    private mutating func run() throws(Unterminated) -> [Piece] {
        var pieces: [Piece] = []
        var text: [UInt8] = []
        while index < bytes.count {
            if startsHere("$${") {
                text += "${".utf8
                skip(3)
            } else if startsHere("${") {
                if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
                text = []
                let start = scalars
                skip(2)
                let offset = scalars
                guard let source = expression() else { throw Unterminated(offset: start) }
                pieces.append(.expression(source, offset: offset))
            } else {
                text.append(bytes[index])
                skip(1)
            }
        }
        if !text.isEmpty || pieces.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
        return pieces
    }

    /// Skips an expression and its `}`, and returns the source of the expression; nil if it does not end.
    private mutating func expression() -> String? {
        let start = index
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"):
                depth += 1
                skip(1)
            case UInt8(ascii: "}"):
                if depth == 0 {
                    let source = String(decoding: bytes[start..<index], as: UTF8.self)
                    skip(1)
                    return source
                }
                depth -= 1
                skip(1)
            case UInt8(ascii: "\""), UInt8(ascii: "'"): string()
            case UInt8(ascii: "/") where startsHere("//"):
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { skip(1) }
            default: skip(1)
            }
        }
        return nil
    }

    /// Skips a CEL string literal (cel-spec, "Syntax").
    private mutating func string() {
        let quote = bytes[index]
        let isRaw = index > 0 && (bytes[index - 1] | 0x20) == UInt8(ascii: "r") && isPrefix(at: index - 1)
        let isTriple = index + 2 < bytes.count && bytes[index + 1] == quote && bytes[index + 2] == quote
        let length = isTriple ? 3 : 1
        skip(length)
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\"), !isRaw {
                skip(2)
            } else if bytes[index] == quote,
                !isTriple || (index + 2 < bytes.count && bytes[index + 1] == quote && bytes[index + 2] == quote)
            {
                skip(length)
                return
            } else {
                skip(1)
            }
        }
    }

    /// Returns whether the letter at a position is the prefix of a string and not the end of a name.
    private func isPrefix(at position: Int) -> Bool {
        guard position > 0 else { return true }
        let before = bytes[position - 1]
        if (before | 0x20) == UInt8(ascii: "b") { return position < 2 || !Self.isNamePart(bytes[position - 2]) }
        return !Self.isNamePart(before)
    }

    /// Returns whether a byte is valid in a CEL identifier.
    package static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private func startsHere(_ text: StaticString) -> Bool {
        guard bytes.count - index >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            var position = 0
            while position < expected.count {
                if bytes[index + position] != expected[position] { return false }
                position += 1
            }
            return true
        }
    }

    private mutating func skip(_ count: Int) {
        let end = min(bytes.count, index + count)
        while index < end {
            if bytes[index] & 0xC0 != 0x80 { scalars += 1 }
            index += 1
        }
    }
}

/// Estimates the nesting depth of the evaluation of an expression.
struct ExpressionNesting {
    /// The maximum depth; the parser rejects expressions with a deeper nesting.
    private static let maximum = 250

    /// An open group: the whole expression, or a pair of brackets.
    private struct Group {
        /// The number of operators since the last comma.
        var operators = 0
        /// The maximum depth of the inner groups since the last comma.
        var inner = 0
        /// The maximum depth before the last comma.
        var best = 0

        var levels: Int { max(best, operators + inner) }
    }

    /// Returns an upper bound of the nesting depth: each operator counts as one level, and so does each pair of
    /// brackets.
    static func levels(of source: String) -> Int {
        var nesting = ExpressionNesting()
        let bytes = Array(source.utf8)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), let end = end(ofText: bytes, from: index) {
                index = end
                continue
            }
            nesting.read(byte)
            index += 1
        }
        return min(nesting.close(), maximum)
    }

    private var groups = [Group()]

    private mutating func read(_ byte: UInt8) {
        let last = groups.count - 1
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): groups.append(Group())
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            guard last > 0 else { return }
            let levels = groups.removeLast().levels + 1
            groups[last - 1].inner = max(groups[last - 1].inner, levels)
        case UInt8(ascii: ","): groups[last] = Group(best: groups[last].levels)
        case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"),
            UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "!"),
            UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "?"):
            groups[last].operators += 1
        default: break
        }
    }

    private mutating func close() -> Int {
        while groups.count > 1 { read(UInt8(ascii: ")")) }
        return groups[0].levels
    }

    /// Returns the index after a string literal; nil if it does not end.
    private static func end(ofText bytes: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == bytes[start] { return index + 1 }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }
}

extension Template {
    /// The maximum nesting depth of evaluating the template's expressions.
    var nesting: Int {
        expressions.reduce(0) { max($0, ExpressionNesting.levels(of: $1.expression.source)) }
    }
}

extension ValueTemplate {
    /// The maximum nesting depth of evaluating the value: its sequences and mappings, and their expressions.
    var nesting: Int {
        // Parsing limits the depth of values, so this recursion is bounded.
        switch self {
        case .constant: 0
        case .template(let template): template.nesting
        case .array(let elements): 1 + elements.reduce(0) { max($0, $1.nesting) }
        case .object(let members): 1 + members.reduce(0) { max($0, $1.name.nesting, $1.value.nesting) }
        }
    }
}
