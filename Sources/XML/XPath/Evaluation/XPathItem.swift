/// A node of a document's index, or a namespace of an element; ordered as in the document.
struct XPathItem: Hashable, Comparable {
    /// The node's position above, the number of a namespace from 1 below.
    private let value: UInt64

    init(_ index: Int32) { value = UInt64(UInt32(bitPattern: index)) << 32 }

    init(namespace number: Int32, of element: Int32) {
        value = UInt64(UInt32(bitPattern: element)) << 32 | UInt64(UInt32(bitPattern: number))
    }

    /// The position of the node, or of the namespace's element.
    var index: Int32 { Int32(truncatingIfNeeded: value >> 32) }

    /// The number of the namespace among those in scope of its element, from 1; 0 for a node.
    var namespace: Int32 { Int32(truncatingIfNeeded: value) }

    static func < (left: XPathItem, right: XPathItem) -> Bool { left.value < right.value }
}

/// The value of a part of an expression.
enum XPathResult {
    /// Nodes, each once, in document order.
    case nodes([XPathItem])
    /// A string, as UTF-8.
    case string([UInt8])
    case number(Double)
    case boolean(Bool)
}
