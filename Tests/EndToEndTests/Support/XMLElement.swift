/// An element of a strictly parsed, well-formed XML document.
struct XMLElement {
    /// The error of a document that is not well-formed.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The name.
    var name: String
    /// The attributes, by name.
    var attributes: [String: String] = [:]
    /// The child elements.
    var children: [XMLElement] = []
    /// The text of the element, without that of its children.
    var text = ""

    /// Parses a document.
    ///
    /// - Throws: ``Failure`` if the text is not well-formed or contains something that reports never have: a document
    ///   type, comments, or entities other than the five of XML.
    init(document: String) throws(Failure) {
        var reader = XMLReader(document)
        self = try reader.document()
    }

    /// Creates an element with a name.
    init(name: String) {
        self.name = name
    }

    /// Returns the children with a name.
    func children(_ name: String) -> [XMLElement] {
        children.filter { $0.name == name }
    }

    /// Returns all descendants with a name.
    func descendants(_ name: String) -> [XMLElement] {
        children.flatMap { ($0.name == name ? [$0] : []) + $0.descendants(name) }
    }
}
