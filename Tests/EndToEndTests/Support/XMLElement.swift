/// An element of an XML document, read strictly: what is not well-formed is refused.
struct XMLElement {
    /// A document that is not well-formed.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The name.
    var name: String
    /// The attributes by name.
    var attributes: [String: String] = [:]
    /// The elements in it.
    var children: [XMLElement] = []
    /// The characters in it, those of other elements left out.
    var text = ""

    /// Reads a document.
    ///
    /// - Throws: ``Failure`` when the text is not well-formed, or has what reports never have: a document type,
    ///   comments, other entities than the five of XML.
    init(document: String) throws(Failure) {
        var reader = XMLReader(document)
        self = try reader.document()
    }

    /// An element with a name.
    init(name: String) {
        self.name = name
    }

    /// The children with a name.
    func children(_ name: String) -> [XMLElement] {
        children.filter { $0.name == name }
    }

    /// All elements with a name in it, at any depth.
    func descendants(_ name: String) -> [XMLElement] {
        children.flatMap { ($0.name == name ? [$0] : []) + $0.descendants(name) }
    }
}
