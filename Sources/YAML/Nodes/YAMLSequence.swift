/// The elements of a list node.
public struct YAMLSequence: RandomAccessCollection, Sendable {
    let arena: YAMLArena
    private let children: Range<Int>

    init(arena: YAMLArena, record: NodeRecord) {
        self.arena = arena
        children = record.content
    }

    /// The position of the first element.
    public var startIndex: Int { 0 }
    /// The position behind the last element.
    public var endIndex: Int { children.count }

    /// The element at a position.
    public subscript(position: Int) -> YAMLNode {
        precondition(position >= 0 && position < endIndex, "the position is outside of the list")
        return YAMLNode(arena: arena, site: arena.children[children.lowerBound + position])
    }
}
