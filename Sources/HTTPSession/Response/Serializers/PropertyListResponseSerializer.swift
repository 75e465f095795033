import FoundationEssentials

/// A serializer that parses the body as an XML or binary property list of any structure.
public struct PropertyListResponseSerializer: ResponseSerializer {
    /// The transformations applied to the body before it is parsed.
    public var preprocessors: [BodyPreprocessor]
    /// The rules for empty bodies, whose value is null.
    public var emptyBodies: EmptyBodies

    /// Creates a serializer.
    /// - Parameters:
    ///   - preprocessors: The transformations applied to the body before it is parsed.
    ///   - emptyBodies: The rules for empty bodies, whose value is null.
    public init(preprocessors: [BodyPreprocessor] = [], emptyBodies: EmptyBodies = .standard) {
        self.preprocessors = preprocessors
        self.emptyBodies = emptyBodies
    }

    /// Parses the body. Integral numbers become ``ParameterValue/int(_:)``, even if they were written as reals.
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
    /// A serializer that parses the body as a property list.
    public static var propertyList: PropertyListResponseSerializer { PropertyListResponseSerializer() }
}

/// A check that rejects property lists that would exhaust the stack or the memory of their decoder.
///
/// Foundation's parser of XML property lists is recursive. A binary property list can contain itself, or the same array
/// many times at each of many levels.
struct PropertyListCheck {
    /// The maximum nesting depth.
    static let maximumDepth = 512
    /// The maximum number of values, each counted once per reference.
    static let maximumValues = 1 << 22

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Checks a property list.
    /// - Throws: ``ResponseSerializationError/invalidPropertyList(_:)``, also for the old plain-text format.
    func check() throws(ResponseSerializationError) {
        if bytes.starts(with: Array("bplist".utf8)) { return try BinaryPropertyListCheck(bytes).check() }
        try checkXML()
    }

    // MARK: XML

    /// Checks the elements of an XML property list.
    ///
    /// It accepts only constructs of the format, so that no other parser can see different elements.
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
                    throw .invalidPropertyList("an end tag has no start tag")
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
                    throw .invalidPropertyList("it exceeds the maximum depth of \(Self.maximumDepth) levels")
                }
            }
        }
    }

    /// Returns the range of a name.
    private func name(from start: Int) -> Range<Int> {
        var end = start
        while end < bytes.count, bytes[end] > 32, bytes[end] != UInt8(ascii: ">"), bytes[end] != UInt8(ascii: "/") {
            end += 1
        }
        return start..<end
    }

    /// Returns the position after a comment, a CDATA section or a document type without an internal subset.
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

    /// Returns the position after the first occurrence of a string.
    private func end(of text: StaticString, from start: Int) throws(ResponseSerializationError) -> Int {
        let wanted = text.withUTF8Buffer { Array($0) }
        var index = min(start, bytes.count)
        while let found = bytes[index...].firstIndex(of: wanted[0]) {
            if bytes[found...].starts(with: wanted) { return found + wanted.count }
            index = found + 1
        }
        throw .invalidPropertyList("it is truncated")
    }
}

/// A check that follows the objects of a binary property list, from its trailer and offset table through all
/// references.
struct BinaryPropertyListCheck {
    private let bytes: [UInt8]

    private struct Frame {
        var object: Int
        /// The offset of the next reference to a member.
        var next: Int
        var left: Int
        var depth = 0
        var values = 1
    }

    /// The depth of an object and the number of its values, known after it was traversed.
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

    /// Traverses all objects, starting with the root.
    /// - Throws: ``ResponseSerializationError/invalidPropertyList(_:)`` if a collection contains itself, is nested too
    ///   deeply or becomes too large.
    func check() throws(ResponseSerializationError) {
        guard bytes.count >= 40 else { throw .invalidPropertyList("it is truncated") }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        let referenceSize = Int(bytes[trailer + 7])
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, let count = number(trailer + 8, 8),
            let top = number(trailer + 16, 8), let table = number(trailer + 24, 8), table <= trailer,
            count <= (trailer - table) / offsetSize, top < count
        else { throw .invalidPropertyList("its trailer is invalid") }
        var visits = [Visit](repeating: .new, count: count)

        func frame(_ object: Int) throws(ResponseSerializationError) -> Frame {
            guard object < count, let offset = number(table + object * offsetSize, offsetSize),
                let members = members(at: offset, before: table, referenceSize)
            else { throw .invalidPropertyList("it has an invalid reference") }
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
                throw .invalidPropertyList("it has an invalid reference")
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
        "it exceeds the maximum depth of \(PropertyListCheck.maximumDepth) levels")

    private func add(_ member: Measure, to frame: inout Frame) throws(ResponseSerializationError) {
        frame.depth = max(frame.depth, member.depth)
        frame.values += member.values
        guard frame.depth < PropertyListCheck.maximumDepth else { throw Self.tooDeep }
        guard frame.values <= PropertyListCheck.maximumValues else {
            throw .invalidPropertyList("it exceeds the maximum of \(PropertyListCheck.maximumValues) values")
        }
    }

    /// Returns the offset and number of a collection's references; the number is zero for other objects.
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

    /// Returns a big-endian number of up to eight bytes, or nil if it does not fit in `Int` or is out of bounds.
    private func number(_ offset: Int, _ size: Int) -> Int? {
        guard offset >= 0, size <= bytes.count - offset else { return nil }
        var value: UInt64 = 0
        for byte in bytes[offset..<(offset + size)] { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }
}
