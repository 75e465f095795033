/// URI templates of RFC 6570, section 2.
enum URITemplateFormat {
    static func isTemplate(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var cursor = ByteCursor(bytes)
        while let byte = cursor.next {
            cursor.skip()
            switch byte {
            case UInt8(ascii: "{"):
                guard takeExpression(&cursor) else { return false }
            case UInt8(ascii: "%"):
                guard takeEncoded(&cursor) else { return false }
            // The apostrophe, which URIs may have as it is, is allowed, though the grammar leaves it out.
            case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
                UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "}"):
                return false
            default: break
            }
        }
        return true
    }

    /// What is between braces: an operator and variables with their modifiers.
    private static func takeExpression(_ cursor: inout ByteCursor) -> Bool {
        if let next = cursor.next, isOperator(next) { cursor.skip() }
        repeat {
            guard takeName(&cursor) else { return false }
            if cursor.take(":") {
                guard let next = cursor.next, next != UInt8(ascii: "0") else { return false }
                guard (1...4).contains(cursor.skipDigits()) else { return false }
            } else {
                _ = cursor.take("*")
            }
        } while cursor.take(",")
        return cursor.take("}")
    }

    /// The operators, with those reserved for extensions (section 2.2).
    private static func isOperator(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "+", "#", ".", "/", ";", "?", "&", "=", ",", "!", "@", "|": true
        default: false
        }
    }

    /// varname
    private static func takeName(_ cursor: inout ByteCursor) -> Bool {
        var hasCharacter = false
        while let next = cursor.next {
            if ASCII.isAlphanumeric(next) || next == UInt8(ascii: "_") {
                cursor.skip()
                hasCharacter = true
            } else if next == UInt8(ascii: "%") {
                cursor.skip()
                guard takeEncoded(&cursor) else { return false }
                hasCharacter = true
            } else if next == UInt8(ascii: "."), hasCharacter {
                cursor.skip()
                hasCharacter = false
            } else {
                break
            }
        }
        return hasCharacter
    }

    private static func takeEncoded(_ cursor: inout ByteCursor) -> Bool {
        for _ in 0..<2 {
            guard let next = cursor.next, ASCII.isHexadecimal(next) else { return false }
            cursor.skip()
        }
        return true
    }
}
