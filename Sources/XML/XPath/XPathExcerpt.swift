import CLibXML2

/// The start of an element's markup, for messages.
public struct XPathExcerpt: Sendable, Hashable {
    /// The line of the element's start in the document, from 1; nil if unknown.
    public let line: Int?
    /// The element's markup on one line, truncated with `…`.
    public let text: String
}

extension XPathNode {
    /// Returns the start of the element that contains or is the node; nil for a node outside of elements.
    ///
    /// - Parameter limit: The maximum number of characters.
    public func excerpt(limit: Int = 72) -> XPathExcerpt? {
        withNode { node -> XPathExcerpt? in
            var start: OpaquePointer? = node
            switch self.kind {
            case .attribute, .text, .comment, .processingInstruction, .entityReference: start = clx_node_parent(node)
            case .document: start = Self.rootElement(node)
            case .element, .namespace: break
            }
            guard let start, Int(clx_node_type(start)) == CLX_ELEMENT else { return nil }
            let line = clx_node_line(start)
            var writer = ExcerptWriter(limit: limit)
            writer.write(start)
            return XPathExcerpt(line: line > 0 ? line : nil, text: writer.text)
        } ?? nil
    }

    private static func rootElement(_ document: OpaquePointer) -> OpaquePointer? {
        var child = clx_node_first_child(document)
        while let current = child, Int(clx_node_type(current)) != CLX_ELEMENT { child = clx_node_next(current) }
        return child
    }
}

/// A writer of the start of an element's markup; the caller holds the lock of the document.
private struct ExcerptWriter {
    private(set) var text = ""
    private var room: Int
    private var isCut = false

    init(limit: Int) {
        room = max(1, limit)
    }

    mutating func write(_ start: OpaquePointer) {
        var node = start
        var depth = 0
        while !isCut {
            if open(node), let child = clx_node_first_child(node) {
                node = child
                depth += 1
                continue
            }
            // The node is finished: continue with its next sibling, or that of an ancestor.
            while depth > 0, !isCut {
                if let next = clx_node_next(node) {
                    node = next
                    break
                }
                guard let parent = clx_node_parent(node) else { return }
                node = parent
                depth -= 1
                append("</\(TreeBuilder.name(node))>")
            }
            if depth == 0 { return }
        }
    }

    /// Writes the markup before a node's children, and returns whether it has children to be written.
    private mutating func open(_ node: OpaquePointer) -> Bool {
        switch Int(clx_node_type(node)) {
        case CLX_ELEMENT:
            append("<\(TreeBuilder.name(node))")
            var attribute = clx_node_first_attribute(node)
            while let current = attribute, !isCut {
                append(" \(TreeBuilder.name(current))=\"")
                escape(TreeBuilder.stringValue(current), isAttribute: true)
                append("\"")
                attribute = clx_node_next(current)
            }
            let hasChildren = clx_node_first_child(node) != nil
            append(hasChildren ? ">" : "/>")
            return hasChildren
        case CLX_TEXT, CLX_CDATA:
            guard let content = clx_node_content(node), !isLayout(node, content) else { return false }
            escape(String(cString: content), isAttribute: false)
        case CLX_COMMENT: append("<!--…-->")
        case CLX_PROCESSING_INSTRUCTION: append("<?\(TreeBuilder.name(node).localName)…?>")
        case CLX_ENTITY_REFERENCE: append("&\(TreeBuilder.name(node).localName);")
        default: break
        }
        return false
    }

    /// Returns whether a text node is only whitespace between elements.
    private func isLayout(_ node: OpaquePointer, _ content: UnsafePointer<CChar>) -> Bool {
        guard clx_node_next(node) != nil || clx_node_parent(node).flatMap({ clx_node_first_child($0) }) != node else {
            return false
        }
        var location = content
        while location.pointee == 0x20 || (0x09...0x0D).contains(location.pointee) { location += 1 }
        return location.pointee == 0
    }

    /// Writes escaped text, with whitespace collapsed.
    private mutating func escape(_ content: String, isAttribute: Bool) {
        var wasSpace = false
        for scalar in content.unicodeScalars {
            if isCut { return }
            let isSpace = scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r"
            if isSpace, wasSpace { continue }
            wasSpace = isSpace
            switch scalar {
            case _ where isSpace: append(" ")
            case "<": append("&lt;")
            case "&": append("&amp;")
            case "\"" where isAttribute: append("&quot;")
            default: append(scalar)
            }
        }
    }

    private mutating func append(_ piece: String) {
        for scalar in piece.unicodeScalars { append(scalar) }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        guard !isCut else { return }
        guard room > 0 else {
            text += "…"
            isCut = true
            return
        }
        room -= 1
        text.unicodeScalars.append(scalar)
    }
}
