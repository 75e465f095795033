import JSON

/// A mapping from paths to lines in a well-formed JSON text.
struct JSONLines {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the 1-based line of the value at a path, or of its nearest existing ancestor.
    func line(of path: [NormalizedPath.Step]) -> Int {
        var position = skippingSpace(0)
        for step in path {
            guard let next = child(step, at: position) else { break }
            position = next
        }
        return 1 + bytes[..<min(position, bytes.count)].count { $0 == 0x0A }
    }

    /// Returns the start of a member or element. A member starts at its name.
    private func child(_ step: NormalizedPath.Step, at start: Int) -> Int? {
        guard let first = byte(start) else { return nil }
        var position = skippingSpace(start + 1)
        var index = 0
        while let byte = byte(position), byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") {
            var isWanted = false
            if first == UInt8(ascii: "{") {
                let end = valueEnd(position)
                if case .name(let name) = step {
                    isWanted = (try? JSONValue(parsing: Array(bytes[position..<end])))?.stringValue == name
                }
                position = skippingSpace(skippingSpace(end) + 1)
            } else if first == UInt8(ascii: "[") {
                isWanted = step == .index(index)
            } else {
                return nil
            }
            if isWanted { return position }
            position = skippingSpace(valueEnd(position))
            if self.byte(position) == UInt8(ascii: ",") { position = skippingSpace(position + 1) }
            index += 1
        }
        return nil
    }

    private func byte(_ position: Int) -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private func skippingSpace(_ start: Int) -> Int {
        var position = start
        while let byte = byte(position), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
        return position
    }

    /// Returns the end of the value that starts at a position.
    private func valueEnd(_ start: Int) -> Int {
        var position = start
        var depth = 0
        while let byte = byte(position) {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                while let inner = self.byte(position), inner != UInt8(ascii: "\"") {
                    position += inner == UInt8(ascii: "\\") ? 2 : 1
                }
                if depth == 0 { return min(position + 1, bytes.count) }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // A closing bracket of the enclosing value ends a number or literal.
                if depth == 0 { return position }
                depth -= 1
                if depth == 0 { return position + 1 }
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
                if depth == 0 { return position }
            default: break
            }
            position += 1
        }
        return bytes.count
    }
}
