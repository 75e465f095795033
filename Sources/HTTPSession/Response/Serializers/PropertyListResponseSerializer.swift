import FoundationEssentials

/// The body as a property list, XML or binary, of whatever values it has.
public struct PropertyListResponseSerializer: ResponseSerializer {
    /// Change the body first.
    public var preprocessors: [BodyPreprocessor]
    /// When the body may be empty; its value is null then.
    public var emptyBodies: EmptyBodies

    /// Creates a serializer.
    public init(preprocessors: [BodyPreprocessor] = [], emptyBodies: EmptyBodies = .standard) {
        self.preprocessors = preprocessors
        self.emptyBodies = emptyBodies
    }

    /// The value; whole numbers are ``ParameterValue/int(_:)`` however they were written.
    public func serialize(_ response: Response) throws -> ParameterValue {
        let body = try preprocessors.processed(response.body)
        if body.isEmpty {
            guard emptyBodies.permits(response) else { throw ResponseSerializationError.emptyBody }
            return .null
        }
        return try PropertyListDecoder().decodeBody(ParameterValue.self, from: body)
    }
}

extension ResponseSerializer where Self == PropertyListResponseSerializer {
    /// The body as a property list.
    public static var propertyList: PropertyListResponseSerializer { PropertyListResponseSerializer() }
}

/// Refuses property lists that would exhaust the stack or the memory of whoever decodes them.
///
/// Foundation's reader of XML property lists calls itself for each level, and a binary one can contain itself, or the
/// same list many times at each of many levels.
struct PropertyListCheck {
    /// The deepest nesting.
    static let maximumDepth = 512
    /// The most values, each counted as often as it is reached.
    static let maximumValues = 1 << 22

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Looks at a property list.
    /// - Throws: ``ResponseSerializationError/invalidPropertyList(_:)``, also for the older format of plain text.
    func check() throws(ResponseSerializationError) {
        if bytes.starts(with: Array("bplist".utf8)) { return try BinaryPropertyListCheck(bytes).check() }
        try checkXML()
    }

    // MARK: XML

    /// Follows the elements of an XML property list; only what the format has is let through, so that no reader can see
    /// other elements than this one.
    private func checkXML() throws(ResponseSerializationError) {
        var index = bytes.starts(with: TextEncoding.utf8Mark) ? 3 : 0
        while index < bytes.count, bytes[index] <= 32 { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "<") else {
            throw .invalidPropertyList("it is neither XML nor binary")
        }
        var open: [Range<Int>] = []
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
            case UInt8(ascii: "!"): index = try endOfDeclaration(start, isOutside: open.isEmpty)
            case UInt8(ascii: "?"): index = try end(of: "?>", from: start + 2)
            case UInt8(ascii: "/"):
                let name = self.name(from: start + 2)
                guard let last = open.popLast(), bytes[last] == bytes[name] else {
                    throw .invalidPropertyList("an element ends that has not begun")
                }
                index = name.upperBound
            default:
                let name = self.name(from: start + 1)
                index = try end(of: ">", from: name.upperBound)
                let isEmpty = bytes[index - 2] == UInt8(ascii: "/") && index - 2 >= name.upperBound
                let rest = bytes[name.upperBound..<(index - (isEmpty ? 2 : 1))]
                guard bytes[name].elementsEqual("plist".utf8) || rest.allSatisfy({ $0 <= 32 }) else {
                    throw .invalidPropertyList("an element has attributes")
                }
                if isEmpty { continue }
                open.append(name)
                guard open.count <= Self.maximumDepth else {
                    throw .invalidPropertyList("it is nested more than \(Self.maximumDepth) deep")
                }
            }
        }
    }

    /// The letters of a name.
    private func name(from start: Int) -> Range<Int> {
        var end = start
        while end < bytes.count, bytes[end] > 32, bytes[end] != UInt8(ascii: ">"), bytes[end] != UInt8(ascii: "/") {
            end += 1
        }
        return start..<end
    }

    /// The position after a comment, a CDATA section or a document type without declarations of its own.
    private func endOfDeclaration(_ start: Int, isOutside: Bool) throws(ResponseSerializationError) -> Int {
        let rest = bytes[start...]
        if rest.starts(with: "<!--".utf8) { return try end(of: "-->", from: start + 4) }
        if rest.starts(with: "<![CDATA[".utf8) { return try end(of: "]]>", from: start + 9) }
        let end = try end(of: ">", from: start)
        guard isOutside, !bytes[start..<end].contains(UInt8(ascii: "[")) else {
            throw .invalidPropertyList("it has declarations")
        }
        return end
    }

    /// The position after the first occurrence of a text.
    private func end(of text: StaticString, from start: Int) throws(ResponseSerializationError) -> Int {
        let wanted = text.withUTF8Buffer { Array($0) }
        var index = min(start, bytes.count)
        while let found = bytes[index...].firstIndex(of: wanted[0]) {
            if bytes[found...].starts(with: wanted) { return found + wanted.count }
            index = found + 1
        }
        throw .invalidPropertyList("it ends early")
    }
}

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
