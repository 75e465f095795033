/// Many names in little memory: of each, what it begins with like the one before it is left out.
///
/// The names of a test's rows mostly differ in a few characters, so that a name takes a few bytes, whatever its length.
public struct NameList: Sendable, RandomAccessCollection {
    /// So many names are read at most to have one.
    private static let blockLength = 16

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
            var shared = 0
            if count % Self.blockLength == 0 {
                blocks.append(bytes.count)
            } else {
                let most = Swift.min(text.count, last.count)
                while shared < most, text[shared] == last[shared] { shared += 1 }
            }
            Varint.append(shared, to: &bytes)
            Varint.append(text.count - shared, to: &bytes)
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
            let shared = Varint.read(bytes, &index)
            let count = Varint.read(bytes, &index)
            visit(index, shared, count)
            index += count
            length = shared + count
        }
        return length
    }
}
