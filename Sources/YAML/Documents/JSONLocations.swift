import JSON

/// Finds the byte ranges of values in valid JSON text.
struct JSONLocations {
    /// The byte ranges of a value and its member name.
    struct Location {
        /// The bytes of the member name with its quotation marks; nil for array elements and for the root.
        var key: Range<Int>?
        /// The bytes of the value.
        var value: Range<Int>
    }

    private let bytes: [UInt8]

    /// Creates a finder for JSON text.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the byte ranges of the value that the tokens of a JSON Pointer (RFC 6901) refer to; nil if it does not
    /// exist.
    func location(of tokens: [String]) -> Location? {
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
        return Location(key: key, value: position..<end(ofValueAt: position))
    }

    private func member(named name: String, inObjectAt start: Int) -> (key: Range<Int>, value: Int)? {
        var position = skipSpace(start + 1)
        while position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
            let key = position..<endOfString(at: position)
            // Skips the colon.
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

    /// Returns whether a JSON string, with its quotation marks, is equal to a name.
    static func isName(_ string: ArraySlice<UInt8>, _ name: String) -> Bool {
        let inner = string.dropFirst().dropLast()
        guard inner.contains(UInt8(ascii: "\\")) else { return inner.elementsEqual(name.utf8) }
        return self.name(string).utf8.elementsEqual(name.utf8)
    }

    /// Returns the name that a valid JSON string, with its quotation marks, contains.
    static func name(_ string: ArraySlice<UInt8>) -> String {
        let inner = string.dropFirst().dropLast()
        guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
        return (try? JSONValue(parsing: Array(string)))?.stringValue ?? ""
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
                // The end of the enclosing collection also ends a scalar.
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
