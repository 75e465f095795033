import FileSystem

/// A compact, append-only collection of names that stores each name as its difference from the previous one.
///
/// Many names are kept in a temporary file, so that their number hardly affects the memory.
/// The names of a test's rows usually differ in a few characters, so a name takes a few bytes regardless of its length:
/// one byte with the number of bytes to drop from the end of the previous name and the number of new bytes, followed by
/// the new bytes.
public struct NameList: Sendable, RandomAccessCollection {
    /// The number of names in a block; reading one name decodes at most this many.
    private static let blockLength = 64
    /// The 4-bit count that marks a larger one, whose remainder follows as a varint.
    private static let long = 15

    private var bytes = SpilledBytes()
    /// The offset of each block. The first name of a block is stored in full.
    private var blocks: [Int] = []
    private var last: [UInt8] = []
    /// The number of names.
    public private(set) var count = 0

    /// The index of the first name.
    public var startIndex: Int { 0 }
    /// The index after the last name.
    public var endIndex: Int { count }

    /// Creates an empty list.
    public init() {}

    /// Creates a list of names.
    public init(_ names: some Sequence<String>) {
        for name in names { append(name) }
        finish()
    }

    /// Appends a name.
    public mutating func append(_ name: String) {
        var name = name
        name.withUTF8 { text in
            if count % Self.blockLength == 0 {
                bytes.spillIfLong()
                blocks.append(bytes.count)
                last.removeAll(keepingCapacity: true)
            }
            var shared = 0
            let maximum = Swift.min(text.count, last.count)
            while shared < maximum, text[shared] == last[shared] { shared += 1 }
            let dropped = last.count - shared
            let new = text.count - shared
            bytes.append { bytes in
                bytes.append(UInt8(Swift.min(dropped, Self.long) << 4 | Swift.min(new, Self.long)))
                if dropped >= Self.long { Varint.append(dropped - Self.long, to: &bytes) }
                if new >= Self.long { Varint.append(new - Self.long, to: &bytes) }
                bytes.append(contentsOf: text[shared...])
            }
            last.replaceSubrange(shared..., with: text[shared...])
        }
        count += 1
    }

    /// Releases the memory that is reserved for further names.
    public mutating func finish() {
        last = []
        bytes.finish()
        blocks = blocks.withUnsafeBufferPointer { Array($0) }
    }

    /// Returns the name at an index, or an empty string if the index is out of bounds.
    ///
    /// A name that can no longer be read from the temporary file is replaced by its number.
    public subscript(index: Int) -> String {
        guard index >= 0, index < count else { return "" }
        let steps = index % Self.blockLength
        let name = bytes.withBytes(in: range(ofBlock: index / Self.blockLength)) { bytes in
            // Bytes that earlier names have beyond the end of this one are not copied.
            let length = Self.walk(bytes, steps: steps) { _, _, _ in }
            return String(unsafeUninitializedCapacity: length) { text in
                _ = Self.walk(bytes, steps: steps) { location, shared, count in
                    let needed = Swift.min(shared + count, length)
                    var index = shared
                    while index < needed {
                        text[index] = bytes[location + index - shared]
                        index += 1
                    }
                }
                return length
            }
        }
        return name ?? Self.placeholder(index)
    }

    /// Returns the location of a block's bytes.
    private func range(ofBlock block: Int) -> Range<Int> {
        blocks[block]..<(block + 1 < blocks.count ? blocks[block + 1] : bytes.count)
    }

    private static func placeholder(_ index: Int) -> String { "#\(index + 1)" }

    /// Visits the names of a block up to the requested one, and returns the length of that one.
    @inline(__always)
    private static func walk(
        _ bytes: UnsafeBufferPointer<UInt8>, steps: Int,
        _ visit: (_ location: Int, _ shared: Int, _ count: Int) -> Void
    ) -> Int {
        var index = 0
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

    /// Reads the two counts before the bytes of a name and advances the index to those bytes.
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

    /// An iterator that decodes each name from the previous one, without returning to the start of its block.
    public struct Iterator: IteratorProtocol {
        private let list: NameList
        private var number = 0
        /// The bytes of the current block; nil if they cannot be read.
        private var block: [UInt8]?
        private var location = 0
        private var text: [UInt8] = []

        fileprivate init(_ list: NameList) {
            self.list = list
        }

        /// Returns the next name, or nil after the last one.
        public mutating func next() -> String? {
            guard number < list.count else { return nil }
            defer { number += 1 }
            if number % blockLength == 0 {
                block = list.bytes.withBytes(in: list.range(ofBlock: number / blockLength)) { Array($0) }
                location = 0
                text.removeAll(keepingCapacity: true)
            }
            guard let block else { return placeholder(number) }
            block.withUnsafeBufferPointer { bytes in
                let (dropped, new) = sizes(bytes, &location)
                text.removeLast(dropped)
                text.append(contentsOf: bytes[location..<location + new])
                location += new
            }
            return text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Returns an iterator over the names.
    public func makeIterator() -> Iterator { Iterator(self) }
}
