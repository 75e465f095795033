import JSON
import YAML

/// The files of a Swagger 2.0 description as they are written.
final class SwaggerLibrary {
    private let source: any DocumentSource
    private var documents: [String: LocatedDocument?] = [:]

    /// Creates a library.
    init(source: any DocumentSource) {
        self.source = source
    }

    /// The document at a location; nil when there is none that can be read.
    func document(at location: String) -> LocatedDocument? {
        if let known = documents[location] { return known }
        var document: LocatedDocument?
        if !DocumentLocation.isRemote(location), case .document(let found) = source.document(at: location) {
            document = found
        }
        documents[location] = .some(document)
        return document
    }

    /// Whether the file at a location is a Swagger 2.0 document of its own, of which parts have other places in 3.0.
    func isWhole(_ location: String) -> Bool { document(at: location)?.value["swagger"] != nil }

    /// What a reference leads to, through further references.
    func target(of reference: String, in location: String) -> (part: SwaggerReference, value: JSONValue)? {
        var reference = SwaggerReference(reference, in: location)
        for _ in 0..<DescriptionFiles.longestChain {
            guard let document = document(at: reference.location),
                let value = JSONPointer(tokens: reference.tokens).evaluate(in: document.value)
            else { return nil }
            guard let next = value["$ref"]?.stringValue else { return (reference, value) }
            reference = SwaggerReference(next, in: reference.location)
        }
        return nil
    }
}
