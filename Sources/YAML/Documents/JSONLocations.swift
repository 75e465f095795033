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

/// An index of the byte ranges of all values in valid JSON text.
///
/// The index is built in one pass, for texts with many lookups.
struct JSONLocationIndex: Sendable {
    /// A value and its byte range.
    private struct Entry: Sendable {
        /// The bytes of the member name with its quotation marks; empty for array elements and for the root.
        var key: Range<Int32>
        var value: Range<Int32>
        /// The index of the first child; -1 if there is none.
        var firstChild: Int32 = -1
        /// The index of the next value in the same object or array; -1 if there is none.
        var next: Int32 = -1
    }

    private let bytes: [UInt8]
    private var entries: [Entry] = []

    /// Creates an index; returns nil if the text is too large.
    init?(_ bytes: [UInt8]) {
        guard bytes.count < Int32.max else { return nil }
        self.bytes = bytes
        bytes.withUnsafeBufferPointer { read($0) }
    }

    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        // The open objects and arrays, each with its last child so far.
        var open: [(entry: Int, last: Int)] = []
        var key: Range<Int32> = 0..<0
        var position = 0
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":"): position += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let entry = add(key, Int32(position)..<Int32(position), &open)
                open.append((entry, -1))
                key = 0..<0
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                position += 1
                guard let closed = open.popLast() else { return }
                entries[closed.entry].value = entries[closed.entry].value.lowerBound..<Int32(position)
            case UInt8(ascii: "\""):
                let start = position
                position = Self.endOfString(at: start, bytes)
                var next = position
                while next < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[next]) { next += 1 }
                if next < bytes.count, bytes[next] == UInt8(ascii: ":") {
                    key = Int32(start)..<Int32(position)
                    position = next + 1
                } else {
                    _ = add(key, Int32(start)..<Int32(position), &open)
                    key = 0..<0
                }
            default:
                let start = position
                while position < bytes.count, !Self.endsScalar(bytes[position]) { position += 1 }
                if position == start { position += 1 }
                _ = add(key, Int32(start)..<Int32(position), &open)
                key = 0..<0
            }
        }
    }

    private mutating func add(
        _ key: Range<Int32>, _ value: Range<Int32>, _ open: inout [(entry: Int, last: Int)]
    ) -> Int {
        let index = entries.count
        entries.append(Entry(key: key, value: value))
        if let parent = open.popLast() {
            if parent.last >= 0 {
                entries[parent.last].next = Int32(index)
            } else {
                entries[parent.entry].firstChild = Int32(index)
            }
            open.append((parent.entry, index))
        }
        return index
    }

    private static func endOfString(at start: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, bytes.count)
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): true
        default: false
        }
    }

    /// Returns the byte ranges of the value that the tokens of a JSON Pointer (RFC 6901) refer to; nil if it does not
    /// exist.
    func location(of tokens: [String]) -> JSONLocations.Location? {
        guard var entry = entries.first else { return nil }
        for token in tokens {
            guard let child = child(of: entry, token) else { return nil }
            entry = child
        }
        let value = Int(entry.value.lowerBound)..<Int(entry.value.upperBound)
        return JSONLocations.Location(
            key: entry.key.isEmpty ? nil : Int(entry.key.lowerBound)..<Int(entry.key.upperBound), value: value)
    }

    private func child(of entry: Entry, _ token: String) -> Entry? {
        let isArray = bytes[Int(entry.value.lowerBound)] == UInt8(ascii: "[")
        let position = isArray ? Int(token) : nil
        if isArray, position == nil { return nil }
        var count = 0
        var index = Int(entry.firstChild)
        while index >= 0 {
            let child = entries[index]
            if let position {
                if count == position { return child }
                count += 1
            } else if JSONLocations.isName(bytes[Int(child.key.lowerBound)..<Int(child.key.upperBound)], token) {
                return child
            }
            index = Int(child.next)
        }
        return nil
    }
}
