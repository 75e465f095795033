import JSON

/// Finds where values stand in a JSON text, which is known to be valid.
struct JSONPlaces {
    /// The place of a value.
    struct Place {
        /// The bytes of the member's name with its quotation marks; nil for elements and the whole.
        var key: Range<Int>?
        /// The bytes of the value.
        var value: Range<Int>
    }

    private let bytes: [UInt8]

    /// Creates a finder for a text.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The place of the value that the tokens of a JSON Pointer (RFC 6901) lead to, or nil when there is none.
    func place(of tokens: [String]) -> Place? {
        var key: Range<Int>?
        var position = skipSpace(0)
        for token in tokens {
            guard position < bytes.count else { return nil }
            switch bytes[position] {
            case UInt8(ascii: "{"):
                guard let member = member(named: token, inObjectAt: position) else { return nil }
                (key, position) = (member.key, member.value)
            case UInt8(ascii: "["):
                guard let index = Int(token), let element = element(index, inArrayAt: position) else { return nil }
                (key, position) = (nil, element)
            default: return nil
            }
        }
        guard position < bytes.count else { return nil }
        return Place(key: key, value: position..<end(ofValueAt: position))
    }

    private func member(named name: String, inObjectAt start: Int) -> (key: Range<Int>, value: Int)? {
        var position = skipSpace(start + 1)
        while position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
            let key = position..<endOfString(at: position)
            // Past the colon.
            position = skipSpace(skipSpace(key.upperBound) + 1)
            if Self.isName(bytes[key], name) { return (key, position) }
            position = skipSpace(end(ofValueAt: position))
            guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else { return nil }
            position = skipSpace(position + 1)
        }
        return nil
    }

    private func element(_ index: Int, inArrayAt start: Int) -> Int? {
        var position = skipSpace(start + 1)
        var count = 0
        while position < bytes.count, bytes[position] != UInt8(ascii: "]") {
            if count == index { return position }
            count += 1
            position = skipSpace(end(ofValueAt: position))
            guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else { return nil }
            position = skipSpace(position + 1)
        }
        return nil
    }

    /// Whether a string of the text, with its quotation marks, is a name.
    static func isName(_ string: ArraySlice<UInt8>, _ name: String) -> Bool {
        let inner = string.dropFirst().dropLast()
        guard inner.contains(UInt8(ascii: "\\")) else { return inner.elementsEqual(name.utf8) }
        guard case .string(let decoded)? = try? JSONValue(parsing: Array(string)) else { return false }
        return decoded.utf8.elementsEqual(name.utf8)
    }

    private func skipSpace(_ position: Int) -> Int {
        var position = position
        while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
        return position
    }

    private func endOfString(at start: Int) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, bytes.count)
    }

    private func end(ofValueAt start: Int) -> Int {
        var position = start
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = endOfString(at: position)
                if depth == 0 { return position }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The end of what holds a scalar is the scalar's end too.
                if depth == 0 { return position }
                depth -= 1
                if depth == 0 { return position + 1 }
            case UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09:
                if depth == 0 { return position }
            default: break
            }
            position += 1
        }
        return position
    }
}
