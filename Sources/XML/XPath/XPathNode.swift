import CLibXML2

/// A node that an XPath expression has selected; it keeps its document.
public struct XPathNode: Sendable {
    /// A kind of node (XPath 1.0 section 5).
    public enum Kind: String, Sendable, Hashable {
        /// The document itself.
        case document
        /// An element.
        case element
        /// An attribute.
        case attribute
        /// Text, or a CDATA section.
        case text
        /// A comment.
        case comment
        /// A processing instruction.
        case processingInstruction
        /// A namespace in scope of an element.
        case namespace
        /// A reference to an entity.
        case entityReference
    }

    /// What kind of node it is.
    public let kind: Kind
    /// The document that it belongs to.
    public let document: XMLDocument
    /// A namespace, which libxml2 has no lasting node for.
    private let declaration: XMLNamespace?
    /// The address of libxml2's node, which is only used while the document is locked; 0 for a namespace.
    private let address: UInt

    /// Creates a namespace in scope of an element.
    init(_ namespace: XMLNamespace, in document: XMLDocument) {
        self.document = document
        kind = .namespace
        declaration = namespace
        address = 0
    }

    /// Makes a node of libxml2's; nil for one that is not of XPath's data model.
    init?(_ node: OpaquePointer, in document: XMLDocument) {
        self.document = document
        switch Int(clx_node_type(node)) {
        case CLX_DOCUMENT, CLX_HTML_DOCUMENT: kind = .document
        case CLX_ELEMENT: kind = .element
        case CLX_ATTRIBUTE: kind = .attribute
        case CLX_TEXT, CLX_CDATA: kind = .text
        case CLX_COMMENT: kind = .comment
        case CLX_PROCESSING_INSTRUCTION: kind = .processingInstruction
        case CLX_ENTITY_REFERENCE: kind = .entityReference
        default: return nil
        }
        declaration = nil
        address = UInt(bitPattern: node)
    }

    /// Name of an element or attribute, target of an instruction, prefix of a namespace; nil for other nodes.
    public var name: XMLName? {
        switch kind {
        case .element, .attribute, .processingInstruction, .entityReference: withNode { TreeBuilder.name($0) }
        case .namespace: declaration?.prefix.map { XMLName($0) }
        case .document, .text, .comment: nil
        }
    }

    /// The string-value: the text of an element, the value of an attribute, the content of other nodes.
    public var stringValue: String {
        if let declaration { return declaration.uri ?? "" }
        return withNode { TreeBuilder.stringValue($0) } ?? ""
    }

    /// The element as a value; nil for another kind of node.
    public var element: XMLElement? { kind == .element ? withNode { TreeBuilder.element($0) } : nil }

    /// The line of the document on which the node begins, from 1; nil if it is not known.
    public var line: Int? {
        withNode { clx_node_line($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// An expression that selects this node alone, such as `/books/book[2]/@id`; nil for a namespace.
    public var path: String? {
        withNode { node in
            guard let path = clx_node_path(node) else { return "" }
            defer { clx_string_free(path) }
            return String(cString: path)
        }
    }

    /// Calls `body` with libxml2's node while the document is locked; nil for a namespace, which has none.
    func withNode<Result>(_ body: (OpaquePointer) -> sending Result) -> sending Result? {
        guard let node = OpaquePointer(bitPattern: address) else { return nil }
        return document.withPointer { _ in body(node) }
    }

    /// The address of libxml2's node, for evaluations that start from it.
    var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }
}
