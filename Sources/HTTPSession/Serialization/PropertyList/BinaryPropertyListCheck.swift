/// Follows the objects of a binary property list: from its trailer to the offsets of objects, and from one to the next.
struct BinaryPropertyListCheck {
    private let bytes: [UInt8]

    private struct Frame {
        var object: Int
        /// Where the next reference to a member is.
        var next: Int
        var left: Int
        var depth = 0
        var values = 1
    }

    /// How deep an object is, and how many values it has, once it was followed.
    private struct Measure {
        var depth: Int
        var values: Int
    }

    private enum Visit {
        case new
        case underWay
        case done(Measure)
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Follows all objects from the outermost.
    /// - Throws: ``ResponseSerializationError/invalidPropertyList(_:)`` for a list that contains itself, is too deep, or
    ///   becomes too large.
    func check() throws(ResponseSerializationError) {
        guard bytes.count >= 40 else { throw .invalidPropertyList("it ends early") }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        let referenceSize = Int(bytes[trailer + 7])
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, let count = number(trailer + 8, 8),
            let top = number(trailer + 16, 8), let table = number(trailer + 24, 8), table <= trailer,
            count <= (trailer - table) / offsetSize, top < count
        else { throw .invalidPropertyList("its trailer is not valid") }
        var visits = [Visit](repeating: .new, count: count)

        func frame(_ object: Int) throws(ResponseSerializationError) -> Frame {
            guard object < count, let offset = number(table + object * offsetSize, offsetSize),
                let members = members(at: offset, before: table, referenceSize)
            else { throw .invalidPropertyList("it refers to what is not there") }
            return Frame(object: object, next: members.start, left: members.count)
        }

        visits[top] = .underWay
        var path = [try frame(top)]
        while var current = path.popLast() {
            guard current.left > 0 else {
                let measure = Measure(depth: current.depth + 1, values: current.values)
                visits[current.object] = .done(measure)
                if var outer = path.popLast() {
                    try add(measure, to: &outer)
                    path.append(outer)
                }
                continue
            }
            guard let member = number(current.next, referenceSize), member < count else {
                throw .invalidPropertyList("it refers to what is not there")
            }
            current.next += referenceSize
            current.left -= 1
            switch visits[member] {
            case .underWay: throw .invalidPropertyList("it contains itself")
            case .done(let measure):
                try add(measure, to: &current)
                path.append(current)
            case .new:
                visits[member] = .underWay
                path.append(current)
                path.append(try frame(member))
                guard path.count <= PropertyListCheck.maximumDepth else { throw Self.tooDeep }
            }
        }
    }

    private static let tooDeep = ResponseSerializationError.invalidPropertyList(
        "it is nested more than \(PropertyListCheck.maximumDepth) deep")

    private func add(_ member: Measure, to frame: inout Frame) throws(ResponseSerializationError) {
        frame.depth = max(frame.depth, member.depth)
        frame.values += member.values
        guard frame.depth < PropertyListCheck.maximumDepth else { throw Self.tooDeep }
        guard frame.values <= PropertyListCheck.maximumValues else {
            throw .invalidPropertyList("it has more than \(PropertyListCheck.maximumValues) values")
        }
    }

    /// Where the references of a collection are, and how many; none for other objects.
    private func members(at offset: Int, before end: Int, _ referenceSize: Int) -> (start: Int, count: Int)? {
        guard offset < end else { return nil }
        let perMember: Int
        switch bytes[offset] >> 4 {
        case 0xA, 0xB, 0xC: perMember = 1
        case 0xD: perMember = 2
        default: return (offset, 0)
        }
        var count = Int(bytes[offset] & 15)
        var start = offset + 1
        if count == 15 {
            guard start < end, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3 else { return nil }
            let size = 1 << Int(bytes[start] & 15)
            guard let long = number(start + 1, size) else { return nil }
            count = long
            start += 1 + size
        }
        guard start <= end, count <= (end - start) / (referenceSize * perMember) else { return nil }
        return (start, count * perMember)
    }

    /// The number in up to eight bytes, the most significant first; nil where it does not fit or is not there.
    private func number(_ offset: Int, _ size: Int) -> Int? {
        guard offset >= 0, size <= bytes.count - offset else { return nil }
        var value: UInt64 = 0
        for byte in bytes[offset..<(offset + size)] { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }
}
