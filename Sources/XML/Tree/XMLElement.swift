/// An element of a document's tree.
public struct XMLElement: Sendable {
    /// The element's name.
    public var name: XMLName
    /// The attributes in the order in which they were written, without namespace declarations.
    public var attributes: [XMLAttribute]
    /// The namespace declarations on this element, in order.
    public var namespaces: [XMLNamespace]
    /// What the element contains, in order.
    public var children: [XMLNode]
    /// The line of its start tag, from 1; nil if it is not known. Not compared by `==`.
    public var line: Int?

    /// Creates an element.
    public init(
        _ name: XMLName, attributes: [XMLAttribute] = [], namespaces: [XMLNamespace] = [], children: [XMLNode] = [],
        line: Int? = nil
    ) {
        self.name = name
        self.attributes = attributes
        self.namespaces = namespaces
        self.children = children
        self.line = line
    }

    /// The child elements, without text, comments and instructions.
    public var elements: [XMLElement] {
        children.compactMap { child in
            if case .element(let element) = child { element } else { nil }
        }
    }

    /// The value of an attribute; nil if the element has none of that name.
    /// - Parameters:
    ///   - localName: The name without its prefix.
    ///   - namespace: The namespace's name; nil for an attribute without prefix.
    public func attribute(_ localName: String, namespace: String? = nil) -> String? {
        attributes.first { $0.name.localName == localName && $0.name.namespace == namespace }?.value
    }

    /// All text inside of the element, also of its descendants, in order (XPath 1.0 section 5.2).
    public var text: String {
        var result = ""
        var rest: [ArraySlice<XMLNode>] = [children[...]]
        while let node = rest.last?.first {
            rest[rest.count - 1].removeFirst()
            switch node {
            case .text(let text), .cdata(let text): result += text
            case .element(let element): rest.append(element.children[...])
            case .comment, .processingInstruction, .entityReference: break
            }
            while rest.last?.isEmpty == true { rest.removeLast() }
        }
        return result
    }
}

extension XMLElement: Equatable {
    /// Whether two elements are the same in all but their place.
    public static func == (left: XMLElement, right: XMLElement) -> Bool {
        left.name == right.name && left.attributes == right.attributes && left.namespaces == right.namespaces
            && left.children == right.children
    }
}
