import CLibXML2

/// The nodes of a document as an array in document order; the axes of XPath are ranges and links in it.
///
/// The pointers belong to a document whose lock the caller holds; the index is immutable.
struct DocumentIndex: @unchecked Sendable {
    /// The kind of a node.
    enum Kind: UInt8 {
        case document, element, attribute, text, comment, instruction, entityReference

        init?(_ type: Int32) {
            switch Int(type) {
            case CLX_DOCUMENT, CLX_HTML_DOCUMENT: self = .document
            case CLX_ELEMENT: self = .element
            case CLX_ATTRIBUTE: self = .attribute
            case CLX_TEXT, CLX_CDATA: self = .text
            case CLX_COMMENT: self = .comment
            case CLX_PROCESSING_INSTRUCTION: self = .instruction
            case CLX_ENTITY_REFERENCE: self = .entityReference
            default: return nil
            }
        }
    }

    /// A node, with the indexes of related nodes; -1 for none.
    struct Entry {
        let pointer: OpaquePointer
        let parent: Int32
        /// The index of the previous sibling.
        let previous: Int32
        /// The index after the node, its attributes and its descendants.
        var end: Int32
        /// The index after the node and its attributes.
        var content: Int32
        /// The number of the local name, or of a processing instruction's target.
        let name: Int32
        /// The number of the namespace; 0 for none.
        let space: Int32
        let kind: Kind
    }

    private(set) var entries: [Entry] = []
    private var names = Numbering()
    private var spaces = Numbering()

    /// Creates the index of a document.
    ///
    /// - Throws: ``XMLError`` if the task is cancelled.
    init(_ document: OpaquePointer) throws(XMLError) {
        _ = spaces.number(of: "")
        append(document, .document, parent: -1, previous: -1)
        /// The element whose children are being read; `last` has the last child so far of it and of each ancestor.
        var parent: Int32 = 0
        var last: [Int32] = [-1]
        var next = clx_node_first_child(document)
        while let node = next {
            if let kind = Kind(clx_node_type(node)) {
                let index = append(node, kind, parent: parent, previous: last[last.count - 1])
                last[last.count - 1] = index
                if index.isMultiple(of: 4096), Task.isCancelled { throw .cancelled }
                if kind == .element {
                    appendAttributes(of: node, index)
                    if let child = clx_node_first_child(node) {
                        parent = index
                        last.append(-1)
                        next = child
                        continue
                    }
                }
            }
            next = clx_node_next(node)
            while next == nil, parent > 0 {
                entries[Int(parent)].end = Int32(entries.count)
                next = clx_node_next(entries[Int(parent)].pointer)
                parent = entries[Int(parent)].parent
                last.removeLast()
            }
        }
        entries[0].end = Int32(entries.count)
    }

    @discardableResult
    private mutating func append(_ node: OpaquePointer, _ kind: Kind, parent: Int32, previous: Int32) -> Int32 {
        let index = Int32(entries.count)
        var name: Int32 = -1
        var space: Int32 = 0
        switch kind {
        case .element, .attribute:
            if let text = clx_node_name(node) { name = names.number(of: text) }
            if let text = clx_node_namespace(node) { space = spaces.number(of: text) }
        case .instruction:
            if let text = clx_node_name(node) { name = names.number(of: text) }
        case .document, .text, .comment, .entityReference: break
        }
        entries.append(
            Entry(
                pointer: node, parent: parent, previous: previous, end: index + 1, content: index + 1, name: name,
                space: space, kind: kind))
        return index
    }

    private mutating func appendAttributes(of element: OpaquePointer, _ index: Int32) {
        var attribute = clx_node_first_attribute(element)
        while let current = attribute {
            append(current, .attribute, parent: index, previous: -1)
            attribute = clx_node_next(current)
        }
        let end = Int32(entries.count)
        entries[Int(index)].content = end
        entries[Int(index)].end = end
    }

    /// Returns the number of a local name; nil if no node has it.
    func number(ofName name: String) -> Int32? { names.known(name) }

    /// Returns the number of a namespace; nil if no node is in it.
    func number(ofNamespace name: String) -> Int32? { spaces.known(name) }
}

/// A numbering of strings, which turns string comparisons into number comparisons.
private struct Numbering {
    private var numbers: [String: Int32] = [:]
    /// The numbers by libxml2's address of a string, which most of its uses share.
    private var locations: [UnsafePointer<CChar>: Int32] = [:]

    /// Returns the number of a C string, and assigns one if it is new.
    mutating func number(of text: UnsafePointer<CChar>) -> Int32 {
        if let number = locations[text] { return number }
        let number = number(of: String(cString: text))
        locations[text] = number
        return number
    }

    /// Returns the number of a string, and assigns one if it is new.
    mutating func number(of text: String) -> Int32 {
        if let number = numbers[text] { return number }
        let number = Int32(numbers.count)
        numbers[text] = number
        return number
    }

    /// Returns the number of a string; nil if it has none.
    func known(_ text: String) -> Int32? { numbers[text] }
}
