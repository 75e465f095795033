import JSON

/// An index of the byte ranges of all values in valid JSON text.
///
/// The index is built in one pass, for texts with many lookups. Large arrays and objects get a table when a value in them
/// is first looked up, so that the time of further lookups does not depend on their size.
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

    /// The children of a large array or object, as indexes of entries.
    private enum Table {
        case elements([Int32])
        case members([ExactKey: Int32])
    }

    private let bytes: [UInt8]
    private var entries: [Entry] = []
    /// The tables by the index of their array or object.
    private var tables: [Int: Table] = [:]
    /// The number of entries that all lookups visited.
    private(set) var visitedCount = 0

    /// The number of children that are searched without a table.
    private static let directlySearched = 16

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
    mutating func location(of tokens: [String]) -> JSONLocations.Location? {
        guard !entries.isEmpty else { return nil }
        var index = 0
        for token in tokens {
            guard let child = child(of: index, token) else { return nil }
            index = child
        }
        let entry = entries[index]
        let value = Int(entry.value.lowerBound)..<Int(entry.value.upperBound)
        return JSONLocations.Location(
            key: entry.key.isEmpty ? nil : Int(entry.key.lowerBound)..<Int(entry.key.upperBound), value: value)
    }

    private mutating func child(of parent: Int, _ token: String) -> Int? {
        let isArray = bytes[Int(entries[parent].value.lowerBound)] == UInt8(ascii: "[")
        let position = isArray ? Int(token) : nil
        if isArray, position == nil { return nil }
        var count = 0
        var index = Int(entries[parent].firstChild)
        while index >= 0 {
            if count == Self.directlySearched {
                let table = table(of: parent, isArray: isArray)
                visitedCount += 1
                switch table {
                case .elements(let elements):
                    return position.flatMap { elements.indices.contains($0) ? Int(elements[$0]) : nil }
                case .members(let members): return members[ExactKey(text: token)].map { Int($0) }
                }
            }
            visitedCount += 1
            if isArray ? count == position : JSONLocations.isName(keyBytes(index), token) { return index }
            count += 1
            index = Int(entries[index].next)
        }
        return nil
    }

    /// Returns the table of an array or object, which is created on first use.
    private mutating func table(of parent: Int, isArray: Bool) -> Table {
        if let known = tables[parent] { return known }
        var elements: [Int32] = []
        var members: [ExactKey: Int32] = [:]
        var index = Int(entries[parent].firstChild)
        while index >= 0 {
            visitedCount += 1
            if isArray {
                elements.append(Int32(index))
            } else {
                let name = ExactKey(text: JSONLocations.name(keyBytes(index)))
                // The first of equal names counts, as in a search.
                if members[name] == nil { members[name] = Int32(index) }
            }
            index = Int(entries[index].next)
        }
        let table = isArray ? Table.elements(elements) : .members(members)
        tables[parent] = table
        return table
    }

    private func keyBytes(_ index: Int) -> ArraySlice<UInt8> {
        let key = entries[index].key
        return bytes[Int(key.lowerBound)..<Int(key.upperBound)]
    }
}
