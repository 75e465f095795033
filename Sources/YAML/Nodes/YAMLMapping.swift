/// The members of a map node; every key is a scalar, and no two keys have the same text.
public struct YAMLMapping: RandomAccessCollection, Sendable {
    /// A member: its key and its value.
    public typealias Element = (key: YAMLNode, value: YAMLNode)

    let arena: YAMLArena
    let record: NodeRecord
    let index: Int32

    /// The position of the first member.
    public var startIndex: Int { 0 }
    /// The position behind the last member.
    public var endIndex: Int { Int(record.count) / 2 }

    /// The member at a position.
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < endIndex, "the position is outside of the map")
        return (arena.child(2 * position, of: record), arena.child(2 * position + 1, of: record))
    }

    /// The value of a key, or nil.
    public subscript(_ key: String) -> YAMLNode? {
        arena.position(of: key, inMap: index).map { arena.child($0 + 1, of: record) }
    }

    /// The node of a key, or nil when the map has no such key.
    public func keyNode(_ key: String) -> YAMLNode? {
        arena.position(of: key, inMap: index).map { arena.child($0, of: record) }
    }
}
