/// Member names that were read before, so that a name that comes again is neither checked nor made a string again.
///
/// A name is found by its bytes in the text. Of names that meet in one place the last one is kept.
struct NameCache: ~Copyable {
    private struct Entry {
        var hash: UInt32
        var length: Int
        /// Where the name stands in the text.
        var offset: Int
        var name: String
    }

    private let entries: UnsafeMutablePointer<Entry>
    private let capacity: Int

    /// A cache for a text of the given length; one for a short text is small, for it must be cleared.
    init(textLength: Int) {
        var capacity = 16
        while capacity < 1024, capacity * 64 < textLength { capacity *= 2 }
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
        // No name is 0 bytes before it begins, so that this matches none.
        entries.initialize(repeating: Entry(hash: 0, length: -1, offset: 0, name: ""), count: capacity)
    }

    deinit {
        entries.deinitialize(count: capacity)
        entries.deallocate()
    }

    /// The name with the given hash and bytes, which are those of `text` from `offset`.
    @inline(__always)
    func name(hash: UInt32, bytes: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>) -> String? {
        let entry = entries + (Int(hash) & (capacity &- 1))
        guard entry.pointee.hash == hash, entry.pointee.length == bytes.count else { return nil }
        let offset = entry.pointee.offset
        let known = UnsafeBufferPointer(rebasing: text[offset..<offset &+ bytes.count])
        return ExactText.equal(known, bytes) ? entry.pointee.name : nil
    }

    /// Keeps a name that stands in the text at `offset`.
    @inline(__always)
    func keep(_ name: String, hash: UInt32, length: Int, offset: Int) {
        entries[Int(hash) & (capacity &- 1)] = Entry(hash: hash, length: length, offset: offset, name: name)
    }
}
