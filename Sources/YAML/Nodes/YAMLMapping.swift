/// The members of a map node; every key is a scalar, and no two keys have the same text.
public struct YAMLMapping: RandomAccessCollection, Sendable {
    /// A member: its key and its value.
    public typealias Element = (key: YAMLNode, value: YAMLNode)

    let arena: YAMLArena
    /// The index of the map's record.
    private let index: Int32
    /// Where the map's children begin, keys and values in turn.
    private let first: Int
    /// The number of members.
    private let memberCount: Int

    init(arena: YAMLArena, record: NodeRecord, index: Int32) {
        self.arena = arena
        self.index = index
        first = record.content.lowerBound
        memberCount = record.content.count / 2
    }

    /// The position of the first member.
    public var startIndex: Int { 0 }
    /// The position behind the last member.
    public var endIndex: Int { memberCount }

    /// The member at a position.
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < endIndex, "the position is outside of the map")
        return (node(2 * position), node(2 * position + 1))
    }

    /// The value of a key, or nil.
    public subscript(_ key: String) -> YAMLNode? {
        arena.position(of: key, inMap: index).map { node($0 + 1) }
    }

    /// The node of a key, or nil when the map has no such key.
    public func keyNode(_ key: String) -> YAMLNode? {
        arena.position(of: key, inMap: index).map(node)
    }

    @inline(__always)
    private func node(_ child: Int) -> YAMLNode {
        YAMLNode(arena: arena, site: arena.children[first + child])
    }
}
