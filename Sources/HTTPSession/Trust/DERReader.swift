/// Reads the elements of a DER encoding one after the other (X.690); what is malformed ends the reading.
struct DERReader {
    /// One element.
    struct Element {
        /// The identifier octet; those of more than one octet do not occur in certificates.
        var tag: UInt8
        /// What is in it.
        var content: ArraySlice<UInt8>
        /// The whole element.
        var encoded: ArraySlice<UInt8>

        /// A reader of the elements inside.
        var reader: DERReader { DERReader(content) }
    }

    /// The tags that certificates use.
    enum Tag {
        static let boolean: UInt8 = 0x01
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let sequence: UInt8 = 0x30
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next element; nil at the end, and where the rest is not valid.
    mutating func next() -> Element? {
        guard rest.count >= 2 else { return nil }
        let tag = rest[rest.startIndex]
        var position = rest.startIndex + 2
        var length = Int(rest[rest.startIndex + 1])
        if length >= 0x80 {
            let count = length & 0x7F
            guard count > 0, count <= 4, count <= rest.endIndex - position else { return nil }
            length = rest[position..<(position + count)].reduce(0) { $0 << 8 | Int($1) }
            position += count
        }
        guard length <= rest.endIndex - position else { return nil }
        let end = position + length
        let element = Element(tag: tag, content: rest[position..<end], encoded: rest[rest.startIndex..<end])
        rest = rest[end...]
        return element
    }

    /// The next element if it has the tag; it is left where it is otherwise.
    mutating func next(_ tag: UInt8) -> Element? {
        guard rest.first == tag else { return nil }
        return next()
    }
}
