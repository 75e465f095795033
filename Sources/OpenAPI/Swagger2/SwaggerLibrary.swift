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

/// A reference, taken apart.
struct SwaggerReference {
    /// What precedes the fragment, as it is written.
    let resource: String
    /// The file that it leads to.
    let location: String
    /// The way in that file.
    let tokens: [String]
    /// Whether the fragment is a JSON Pointer.
    let isPointer: Bool

    /// Takes a reference apart.
    init(_ text: String, in location: String) {
        let hash = text.firstIndex(of: "#")
        resource = String(text[..<(hash ?? text.endIndex)])
        self.location = DocumentLocation.resolve(resource, against: location)
        let fragment = hash.map { String(text[text.index(after: $0)...]) } ?? ""
        let pointer = try? JSONPointer(uriFragment: fragment)
        tokens = pointer?.tokens ?? []
        isPointer = pointer != nil
    }

    /// The reference to another place in the same file.
    func text(to tokens: [String]) -> String { "\(resource)#\(Self.fragment(tokens))" }

    /// A JSON Pointer as a fragment, with what a URI may not have escaped.
    static func fragment(_ tokens: [String]) -> String {
        var text = ""
        for byte in JSONPointer(tokens: tokens).description.utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
                UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), 0...0x20,
                0x7F...:
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            default: text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return text
    }
}
