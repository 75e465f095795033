extension MockPath.Segment {
    /// Whether the segment takes a text; a parameter's value is added to `parameters`.
    func takes(_ text: String, into parameters: inout [(name: String, value: String)]) -> Bool {
        switch self {
        case .literal(let literal):
            return literal.utf8.elementsEqual(text.utf8)
        case .parameter(let name, let prefix, let suffix):
            let bytes = text.utf8
            let fixed = prefix.utf8.count + suffix.utf8.count
            guard bytes.count > fixed, bytes.starts(with: prefix.utf8),
                bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
            else { return false }
            if fixed == 0 {
                parameters.append((name, text))
            } else {
                let value = bytes.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
                parameters.append((name, String(decoding: value, as: UTF8.self)))
            }
            return true
        case .glob(let pieces):
            return MockPath.Segment.globMatches(pieces, Array(text.utf8))
        }
    }

    /// Whether pieces of text stand in `bytes` in order, the first at its beginning and the last at its end.
    private static func globMatches(_ pieces: [String], _ bytes: [UInt8]) -> Bool {
        guard let first = pieces.first, let last = pieces.last, !bytes.isEmpty else { return false }
        guard bytes.count >= first.utf8.count + last.utf8.count, bytes.starts(with: first.utf8),
            bytes.suffix(last.utf8.count).elementsEqual(last.utf8)
        else { return false }
        var rest = bytes[first.utf8.count..<(bytes.count - last.utf8.count)]
        // Taking each piece at its first place leaves the most room for the next ones.
        for piece in pieces.dropFirst().dropLast() {
            let piece = Array(piece.utf8)
            guard let place = rest.indices.first(where: { rest[$0...].starts(with: piece) }) else { return false }
            rest = rest[(place + piece.count)...]
        }
        return true
    }
}
