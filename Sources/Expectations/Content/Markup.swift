/// A way in which a body can be a document.
public enum Markup: String, Sendable, Hashable {
    /// XML 1.0, which must be well-formed.
    case xml
    /// HTML, whose mistakes are mended.
    case html

    /// Its name for people.
    var name: String { rawValue.uppercased() }
}
