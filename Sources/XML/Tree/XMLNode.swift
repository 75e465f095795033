/// A node of a document's tree.
public enum XMLNode: Sendable, Equatable {
    /// An element with all that it contains.
    case element(XMLElement)
    /// Text, with references to characters and entities replaced.
    case text(String)
    /// A CDATA section.
    case cdata(String)
    /// A comment.
    case comment(String)
    /// A processing instruction; the data are nil if there are none.
    case processingInstruction(target: String, data: String?)
    /// A reference to an entity that is declared outside of the document, which is not read.
    case entityReference(String)
}
