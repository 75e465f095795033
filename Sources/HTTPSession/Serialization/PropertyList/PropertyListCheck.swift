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
