/// Many names in little memory: of each, what it begins with like the one before it is left out.
///
/// The names of a test's rows mostly differ in a few characters, so that a name takes a few bytes, whatever its length:
/// one byte for how many bytes of the name before are dropped and how many are new, and the new ones.
public struct NameList: Sendable, RandomAccessCollection {
    /// So many names are read at most to have one.
    private static let blockLength = 32
    /// In a half of the byte before a name: the number is this or more, and the rest of it follows.
    private static let long = 15

    private var bytes: [UInt8] = []
    /// Where each block begins; its first name is there in full.
    private var blocks: [Int] = []
    private var last: [UInt8] = []
    /// The number of names.
    public private(set) var count = 0

    /// The index of the first name.
    public var startIndex: Int { 0 }
    /// The number of names.
    public var endIndex: Int { count }

    /// Creates a list without names.
    public init() {}

    /// Creates a list of names.
    public init(_ names: some Sequence<String>) {
        for name in names { append(name) }
        finish()
    }

    /// Adds a name at the end.
    public mutating func append(_ name: String) {
        var name = name
        name.withUTF8 { text in
            if count % Self.blockLength == 0 {
                blocks.append(bytes.count)
                last.removeAll(keepingCapacity: true)
            }
            var shared = 0
            let most = Swift.min(text.count, last.count)
            while shared < most, text[shared] == last[shared] { shared += 1 }
            let dropped = last.count - shared
            let new = text.count - shared
            bytes.append(UInt8(Swift.min(dropped, Self.long) << 4 | Swift.min(new, Self.long)))
            if dropped >= Self.long { Varint.append(dropped - Self.long, to: &bytes) }
            if new >= Self.long { Varint.append(new - Self.long, to: &bytes) }
            bytes.append(contentsOf: text[shared...])
            last.replaceSubrange(shared..., with: text[shared...])
        }
        count += 1
    }

    /// Gives back the memory that was set aside for further names.
    public mutating func finish() {
        last = []
        bytes = bytes.withUnsafeBufferPointer { Array($0) }
        blocks = blocks.withUnsafeBufferPointer { Array($0) }
    }

    /// The name at an index.
    public subscript(index: Int) -> String {
        guard index >= 0, index < count else { return "" }
        let start = blocks[index / Self.blockLength]
        let steps = index % Self.blockLength
        return bytes.withUnsafeBufferPointer { bytes in
            // Bytes of the names before that lie behind the end of this one are not needed.
            let length = Self.walk(bytes, from: start, steps: steps) { _, _, _ in }
            return String(unsafeUninitializedCapacity: length) { text in
                _ = Self.walk(bytes, from: start, steps: steps) { place, shared, count in
                    let needed = Swift.min(shared + count, length)
                    var index = shared
                    while index < needed {
                        text[index] = bytes[place + index - shared]
                        index += 1
                    }
                }
                return length
            }
        }
    }

    /// Visits a block's names up to one, each with the place of its bytes, and gives the length of the last.
    @inline(__always)
    private static func walk(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, steps: Int,
        _ visit: (_ place: Int, _ shared: Int, _ count: Int) -> Void
    ) -> Int {
        var index = start
        var length = 0
        for _ in 0...steps {
            let (dropped, count) = sizes(bytes, &index)
            let shared = length - dropped
            visit(index, shared, count)
            index += count
            length = shared + count
        }
        return length
    }

    /// Reads what stands before the bytes of a name and moves the index to these.
    @inline(__always)
    private static func sizes(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> (dropped: Int, new: Int) {
        let sizes = Int(bytes[index])
        index += 1
        var dropped = sizes >> 4
        var new = sizes & 15
        if dropped == long { dropped += Varint.read(bytes, &index) }
        if new == long { new += Varint.read(bytes, &index) }
        return (dropped, new)
    }

    /// Goes through the names without going back to the beginning of a block for each.
    public struct Iterator: IteratorProtocol {
        private let list: NameList
        private var number = 0
        private var place = 0
        private var text: [UInt8] = []

        fileprivate init(_ list: NameList) {
            self.list = list
        }

        /// The next name, or nil behind the last.
        public mutating func next() -> String? {
            guard number < list.count else { return nil }
            if number % blockLength == 0 { text.removeAll(keepingCapacity: true) }
            list.bytes.withUnsafeBufferPointer { bytes in
                let (dropped, new) = sizes(bytes, &place)
                text.removeLast(dropped)
                text.append(contentsOf: bytes[place..<place + new])
                place += new
            }
            number += 1
            return text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// An iterator over the names.
    public func makeIterator() -> Iterator { Iterator(self) }
}
