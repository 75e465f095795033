/// The elements of a list node.
public struct YAMLSequence: RandomAccessCollection, Sendable {
    let arena: YAMLArena
    let record: NodeRecord

    /// The position of the first element.
    public var startIndex: Int { 0 }
    /// The position behind the last element.
    public var endIndex: Int { Int(record.count) }

    /// The element at a position.
    public subscript(position: Int) -> YAMLNode {
        precondition(position >= 0 && position < endIndex, "the position is outside of the list")
        return arena.child(position, of: record)
    }
}
