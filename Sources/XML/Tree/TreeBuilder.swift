import CLibXML2

/// A builder of tree values from libxml2's nodes, without recursion.
///
/// The pointers belong to a document whose lock the caller holds.
struct TreeBuilder {
    /// An element whose children are being read.
    private struct Frame {
        var element: XMLElement
        var next: OpaquePointer?
    }

    /// Returns the children of a document or element.
    static func children(of node: OpaquePointer) -> [XMLNode] {
        var frames = [Frame(element: XMLElement(XMLName("")), next: clx_node_first_child(node))]
        while let top = frames.indices.last {
            guard let node = frames[top].next else {
                let finished = frames.removeLast().element
                guard let parent = frames.indices.last else { return finished.children }
                frames[parent].element.children.append(.element(finished))
                continue
            }
            frames[top].next = clx_node_next(node)
            if Int(clx_node_type(node)) == CLX_ELEMENT {
                frames.append(Frame(element: start(of: node), next: clx_node_first_child(node)))
            } else if let value = leaf(node) {
                append(value, to: &frames[top].element.children)
            }
        }
        return []
    }

    /// Returns an element with its subtree.
    static func element(_ node: OpaquePointer) -> XMLElement {
        var element = start(of: node)
        element.children = children(of: node)
        return element
    }

    /// Returns an element without its children.
    private static func start(of node: OpaquePointer) -> XMLElement {
        var element = XMLElement(name(node))
        let line = clx_node_line(node)
        element.line = line > 0 ? line : nil
        var attribute = clx_node_first_attribute(node)
        while let current = attribute {
            element.attributes.append(XMLAttribute(name(current), stringValue(current)))
            attribute = clx_node_next(current)
        }
        var declaration = clx_node_first_namespace(node)
        while let current = declaration {
            element.namespaces.append(namespace(current))
            declaration = clx_namespace_next(current)
        }
        return element
    }

    /// Returns a node without children; nil if it is not part of the tree, such as the document type.
    private static func leaf(_ node: OpaquePointer) -> XMLNode? {
        let content = clx_node_content(node).map { String(cString: $0) }
        switch Int(clx_node_type(node)) {
        case CLX_TEXT: return .text(content ?? "")
        case CLX_CDATA: return .cdata(content ?? "")
        case CLX_COMMENT: return .comment(content ?? "")
        case CLX_PROCESSING_INSTRUCTION:
            return .processingInstruction(target: name(node).localName, data: content)
        case CLX_ENTITY_REFERENCE:
            return clx_node_has_entity(node) ? .text(stringValue(node)) : .entityReference(name(node).localName)
        default: return nil
        }
    }

    /// Appends a node; text that follows text, for example after an entity, is merged with it.
    private static func append(_ node: XMLNode, to children: inout [XMLNode]) {
        if case .text(let text) = node, case .text(var before)? = children.last {
            children.removeLast()
            before += text
            children.append(.text(before))
        } else {
            children.append(node)
        }
    }

    /// Returns the name of a named node.
    static func name(_ node: OpaquePointer) -> XMLName {
        XMLName(
            clx_node_name(node).map { String(cString: $0) } ?? "",
            prefix: clx_node_prefix(node).map { String(cString: $0) },
            namespace: clx_node_namespace(node).map { String(cString: $0) })
    }

    /// Returns a namespace declaration.
    static func namespace(_ declaration: OpaquePointer) -> XMLNamespace {
        XMLNamespace(
            prefix: clx_namespace_prefix(declaration).map { String(cString: $0) },
            uri: clx_namespace_uri(declaration).map { String(cString: $0) })
    }

    /// Returns the string-value of a node (XPath 1.0, section 5).
    static func stringValue(_ node: OpaquePointer) -> String {
        // An attribute value is nearly always a single text node, which needs no copy by libxml2.
        if let text = clx_node_first_child(node), clx_node_next(text) == nil, let content = clx_node_content(text),
            Int(clx_node_type(text)) == CLX_TEXT
        {
            return String(cString: content)
        }
        guard let copy = clx_node_string_value(node) else { return "" }
        defer { clx_string_free(copy) }
        return String(cString: copy)
    }
}
