/// The places of all values of a JSON text, which is known to be valid: found in one pass, for texts of which many
/// places are asked for.
struct JSONPlaceIndex: Sendable {
    /// A value with its place in the text.
    private struct Entry: Sendable {
        /// The bytes of the member's name with its quotation marks; empty for elements and the whole.
        var key: Range<Int32>
        var value: Range<Int32>
        /// The first value inside; -1 for none.
        var firstChild: Int32 = -1
        /// The next value in the same object or array; -1 for none.
        var next: Int32 = -1
    }

    private let bytes: [UInt8]
    private var entries: [Entry] = []

    /// Reads a text; nil when it is too large for the index.
    init?(_ bytes: [UInt8]) {
        guard bytes.count < Int32.max else { return nil }
        self.bytes = bytes
        bytes.withUnsafeBufferPointer { read($0) }
    }

    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        // The objects and arrays that are open: each with its last value so far.
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

    /// The place of the value that the tokens of a JSON Pointer (RFC 6901) lead to, or nil when there is none.
    func place(of tokens: [String]) -> JSONPlaces.Place? {
        guard var entry = entries.first else { return nil }
        for token in tokens {
            guard let child = child(of: entry, token) else { return nil }
            entry = child
        }
        let value = Int(entry.value.lowerBound)..<Int(entry.value.upperBound)
        return JSONPlaces.Place(
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
            } else if JSONPlaces.isName(bytes[Int(child.key.lowerBound)..<Int(child.key.upperBound)], token) {
                return child
            }
            index = Int(child.next)
        }
        return nil
    }
}
