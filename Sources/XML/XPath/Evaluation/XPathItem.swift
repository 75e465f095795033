/// A node of a document index, or a namespace of an element, in document order.
struct XPathItem: Hashable, Comparable {
    /// The index of the node in the upper half, and the number of a namespace, from 1, in the lower half.
    private let value: UInt64

    init(_ index: Int32) { value = UInt64(UInt32(bitPattern: index)) << 32 }

    init(namespace number: Int32, of element: Int32) {
        value = UInt64(UInt32(bitPattern: element)) << 32 | UInt64(UInt32(bitPattern: number))
    }

    /// The index of the node, or of the namespace's element.
    var index: Int32 { Int32(truncatingIfNeeded: value >> 32) }

    /// The number of the namespace among those in scope of its element, from 1; 0 for a node.
    var namespace: Int32 { Int32(truncatingIfNeeded: value) }

    static func < (left: XPathItem, right: XPathItem) -> Bool { left.value < right.value }
}

/// The value of a subexpression.
enum XPathResult {
    /// Nodes in document order, without duplicates.
    case nodes([XPathItem])
    /// A string in UTF-8.
    case string([UInt8])
    case number(Double)
    case boolean(Bool)
}
