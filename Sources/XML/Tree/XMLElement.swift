/// A node of a document tree.
public enum XMLNode: Sendable, Equatable {
    /// An element with its subtree.
    case element(XMLElement)
    /// Text, with character and entity references replaced.
    case text(String)
    /// A CDATA section.
    case cdata(String)
    /// A comment.
    case comment(String)
    /// A processing instruction; the data is nil if there is none.
    case processingInstruction(target: String, data: String?)
    /// A reference to an external entity, which is not loaded.
    case entityReference(String)
}

/// An element of a document tree.
public struct XMLElement: Sendable {
    /// The element's name.
    public var name: XMLName
    /// The attributes in document order, without namespace declarations.
    public var attributes: [XMLAttribute]
    /// The namespace declarations on this element, in order.
    public var namespaces: [XMLNamespace]
    /// The child nodes in order.
    public var children: [XMLNode]
    /// The line of the start tag, from 1; nil if unknown. Ignored by `==`.
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

    /// The child elements, without text, comments and processing instructions.
    public var elements: [XMLElement] {
        children.compactMap { child in
            if case .element(let element) = child { element } else { nil }
        }
    }

    /// Returns the value of an attribute; nil if the element has no such attribute.
    /// - Parameters:
    ///   - localName: The name without its prefix.
    ///   - namespace: The namespace name; nil for an attribute without prefix.
    public func attribute(_ localName: String, namespace: String? = nil) -> String? {
        attributes.first { $0.name.localName == localName && $0.name.namespace == namespace }?.value
    }

    /// The text content of the element and its descendants, in order (XPath 1.0, section 5.2).
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
    /// Returns whether two elements are equal, except for their location.
    public static func == (left: XMLElement, right: XMLElement) -> Bool {
        left.name == right.name && left.attributes == right.attributes && left.namespaces == right.namespaces
            && left.children == right.children
    }
}

/// An attribute of an element.
public struct XMLAttribute: Sendable, Hashable {
    /// The attribute's name.
    public var name: XMLName
    /// The value, with references replaced and whitespace normalized.
    public var value: String

    /// Creates an attribute.
    public init(_ name: XMLName, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The name of an element or attribute (Namespaces in XML 1.0, section 4).
public struct XMLName: Sendable, Hashable {
    /// The prefix; nil for none.
    public var prefix: String?
    /// The name without its prefix.
    public var localName: String
    /// The namespace name; nil for none.
    public var namespace: String?

    /// Creates a name.
    public init(_ localName: String, prefix: String? = nil, namespace: String? = nil) {
        self.prefix = prefix
        self.localName = localName
        self.namespace = namespace
    }

    /// Returns whether a string is a name without a colon, as prefixes are (NCName; Namespaces in XML 1.0, section 3).
    public static func isNameWithoutColon(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, isNameStart(first) else { return false }
        return text.unicodeScalars.allSatisfy(isNamePart)
    }

    /// Returns whether a name can start with a scalar (XML 1.0, section 2.3, without the colon).
    static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0x5F: true
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
            0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false
        }
    }

    /// Returns whether a name can continue with a scalar (XML 1.0, section 2.3, without the colon).
    static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: isNameStart(scalar)
        }
    }
}

extension XMLName: CustomStringConvertible {
    /// The name with its prefix.
    public var description: String { prefix.map { "\($0):\(localName)" } ?? localName }
}

/// A namespace declaration of an element.
public struct XMLNamespace: Sendable, Hashable {
    /// The declared prefix; nil for the default namespace.
    public var prefix: String?
    /// The namespace name; nil if the default namespace is undeclared.
    public var uri: String?

    /// Creates a namespace declaration.
    public init(prefix: String?, uri: String?) {
        self.prefix = prefix
        self.uri = uri
    }
}
