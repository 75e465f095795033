import CLibXML2

/// A node that an XPath expression has selected; it retains its document.
public struct XPathNode: Sendable {
    /// The kind of a node (XPath 1.0, section 5).
    public enum Kind: String, Sendable, Hashable {
        /// The document itself.
        case document
        /// An element.
        case element
        /// An attribute.
        case attribute
        /// Text or a CDATA section.
        case text
        /// A comment.
        case comment
        /// A processing instruction.
        case processingInstruction
        /// A namespace in scope of an element.
        case namespace
        /// An entity reference.
        case entityReference
    }

    /// The kind of the node.
    public let kind: Kind
    /// The document of the node.
    public let document: XMLDocument
    /// The namespace declaration of a namespace node, for which libxml2 has no permanent node.
    private let declaration: XMLNamespace?
    /// The address of libxml2's node, used only while the document is locked; 0 for a namespace.
    private let address: UInt

    /// Creates a namespace node of an element.
    init(_ namespace: XMLNamespace, in document: XMLDocument) {
        self.document = document
        kind = .namespace
        declaration = namespace
        address = 0
    }

    /// Creates a node from libxml2's node; nil if it is not part of XPath's data model.
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

    /// The name of an element or attribute, the target of an instruction, or the prefix of a namespace; otherwise nil.
    public var name: XMLName? {
        switch kind {
        case .element, .attribute, .processingInstruction, .entityReference: withNode { TreeBuilder.name($0) }
        case .namespace: declaration?.prefix.map { XMLName($0) }
        case .document, .text, .comment: nil
        }
    }

    /// The string-value: the text of an element, the value of an attribute, or the content of another node.
    public var stringValue: String {
        if let declaration { return declaration.uri ?? "" }
        return withNode { TreeBuilder.stringValue($0) } ?? ""
    }

    /// The element as a value; nil for another kind of node.
    public var element: XMLElement? { kind == .element ? withNode { TreeBuilder.element($0) } : nil }

    /// The line of the node's start in the document, from 1; nil if unknown.
    public var line: Int? {
        withNode { clx_node_line($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// An expression that selects only this node, such as `/books/book[2]/@id`; nil for a namespace.
    public var path: String? {
        withNode { node in
            guard let path = clx_node_path(node) else { return "" }
            defer { clx_string_free(path) }
            return String(cString: path)
        }
    }

    /// Calls `body` with libxml2's node while the document is locked; returns nil for a namespace.
    func withNode<Result>(_ body: (OpaquePointer) -> sending Result) -> sending Result? {
        guard let node = OpaquePointer(bitPattern: address) else { return nil }
        return document.withPointer { _ in body(node) }
    }

    /// The address of libxml2's node, for evaluations that start at it.
    var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }
}
