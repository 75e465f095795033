public import YAML

/// Gives the files that an OpenAPI description is made of.
public protocol DocumentSource: Sendable {
    /// The document at a location, or why there is none.
    ///
    /// - Parameter location: What ``DocumentLocation`` makes of a path and the references in its files: an absolute path
    ///   (`/project/openapi.yaml`), or one with a prefix that ends in a colon (`git:main:openapi.yaml`).
    func document(at location: String) -> LocatedDocument.Reading

    /// The location of the file that stands for a URI; nil when none does.
    func location(ofURI uri: String) -> String?
}
