import YAML

/// Finds the `${…}` of a text, with respect to strings, comments and braces inside of the expressions.
struct ExpressionScan {
    /// A piece of a text.
    enum Piece {
        /// Text that stands as it is; `$${` is already unescaped.
        case text(String)
        /// The text of an expression, and the number of Unicode scalars before it.
        case expression(String, offset: Int)
    }

    /// A `${` without its `}`.
    struct Unterminated: Error {
        /// The number of Unicode scalars before the `${`.
        var offset: Int
    }

    private let bytes: [UInt8]
    private var index = 0
    /// The Unicode scalars before ``index``.
    private var scalars: Int

    private init(_ text: Substring, firstScalar: Int) {
        bytes = Array(text.utf8)
        scalars = firstScalar
    }

    /// Whether a text has a `$`, without which it holds no expression.
    @inline(__always)
    static func mayHoldExpression(_ text: Substring) -> Bool {
        let dollar = UInt8(ascii: "$")
        return text.utf8.withContiguousStorageIfAvailable { $0.contains(dollar) } ?? text.utf8.contains(dollar)
    }

    /// Whether a scalar has a `$`, without which it holds no expression.
    static func mayHoldExpression(_ node: YAMLNode) -> Bool {
        node.textContains(UInt8(ascii: "$"))
    }

    /// Takes a text apart.
    ///
    /// - Parameter firstScalar: The number of Unicode scalars before the text in its scalar.
    /// - Throws: ``Unterminated`` when an expression does not end.
    static func pieces(of text: Substring, firstScalar: Int) throws(Unterminated) -> [Piece] {
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

    /// Moves over an expression and its `}`, and gives the expression's text, or nil when it does not end.
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

    /// Moves over a CEL string literal (cel-spec, "Syntax").
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

    /// Whether the letter at a position is a string's prefix and not the end of a name.
    private func isPrefix(at position: Int) -> Bool {
        guard position > 0 else { return true }
        let before = bytes[position - 1]
        if (before | 0x20) == UInt8(ascii: "b") { return position < 2 || !Self.isNamePart(bytes[position - 2]) }
        return !Self.isNamePart(before)
    }

    /// Whether a byte may stand in a name of CEL.
    static func isNamePart(_ byte: UInt8) -> Bool {
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
