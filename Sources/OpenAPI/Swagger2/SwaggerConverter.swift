import JSON
import YAML

/// Turns a Swagger 2.0 document, or parts of a file that one refers to, into what OpenAPI 3.0 says for it.
///
/// What has the wrong form is left as it is, so that whoever reads the result tells it.
struct SwaggerConverter {
    /// How deep schemas are converted.
    static let deepest = 100

    let document: JSONValue
    /// What says the host, the path and the media types: the document itself, or that which it is a part of.
    let settings: JSONValue
    let location: String
    /// Whether the document is a whole description, of which parts have other places in 3.0.
    let isWhole: Bool
    let library: SwaggerLibrary
    /// What has become what.
    var places = PlaceMap()
    /// What the file refers to in files that are no whole descriptions.
    private(set) var parts: [SwaggerPart] = []
    /// References to what moves together with something that is converted later.
    private var deferred: Set<String> = []

    /// Creates a converter of a file.
    ///
    /// - Parameters:
    ///   - document: What the file says.
    ///   - location: Where the file is.
    ///   - main: The whole description that refers to it; nil when it is one itself.
    ///   - library: Gives the other files.
    init(_ document: JSONValue, at location: String, partOf main: JSONValue? = nil, library: SwaggerLibrary) {
        self.document = document
        self.location = location
        settings = main ?? document
        isWhole = main == nil
        self.library = library
    }

    // MARK: Media types

    /// What operations are sent that do not say; JSON, since the specification leaves it open.
    var consumes: [String] { mediaTypes(settings["consumes"]) ?? ["application/json"] }

    /// What operations answer with that do not say: anything.
    var produces: [String] { mediaTypes(settings["produces"]) ?? ["*/*"] }

    /// The texts of a list that is not empty.
    func mediaTypes(_ value: JSONValue?) -> [String]? {
        guard let texts = value?.arrayValue?.compactMap(\.stringValue), !texts.isEmpty else {
            return nil
        }
        return texts
    }

    // MARK: References

    /// What a `$ref` is in 3.0.
    mutating func reference(_ text: String, _ kind: SwaggerPart.Kind) -> String {
        let target = SwaggerReference(text, in: location)
        guard target.isPointer, !DocumentLocation.isRemote(target.location) else { return text }
        guard target.location == location ? isWhole : library.isWhole(target.location) else {
            parts.append(SwaggerPart(location: target.location, tokens: target.tokens, kind: kind))
            return text
        }
        if target.location != location {
            // So that it is converted too.
            parts.append(SwaggerPart(location: target.location, tokens: [], kind: kind))
        }
        guard let section = target.tokens.first, target.tokens.count > 1,
            let place = Self.section(section, kind)
        else {
            if target.tokens.first == "paths", target.location == location { deferred.insert(text) }
            return text
        }
        return target.text(to: ["components", place] + target.tokens.dropFirst())
    }

    private static func section(_ name: String, _ kind: SwaggerPart.Kind) -> String? {
        switch name {
        case "definitions": "schemas"
        case "responses": "responses"
        case "parameters": kind == .body ? "requestBodies" : "parameters"
        case "securityDefinitions": "securitySchemes"
        default: nil
        }
    }

    /// The value with those references changed that lead to what has moved since.
    func withDeferredReferences(_ value: JSONValue) -> JSONValue {
        if deferred.isEmpty { return value }
        var texts: [String: String] = [:]
        for text in deferred {
            let target = SwaggerReference(text, in: location)
            if let tokens = places.converted(of: target.tokens) { texts[text] = target.text(to: tokens) }
        }
        return Self.changed(value, texts, depth: 0)
    }

    private static func changed(_ value: JSONValue, _ texts: [String: String], depth: Int) -> JSONValue {
        guard depth < 2 * deepest else { return value }
        switch value {
        case .object(let members):
            var object = JSONObject()
            object.reserveCapacity(members.count)
            for (name, member) in members {
                if name == "$ref", let text = member.stringValue, let other = texts[text] {
                    object.append(name, .string(other))
                } else {
                    object.append(name, changed(member, texts, depth: depth + 1))
                }
            }
            return .object(object)
        case .array(let elements): return .array(elements.map { changed($0, texts, depth: depth + 1) })
        case .null, .bool, .number, .string: return value
        }
    }

    // MARK: Parts

    /// Converts a part of a file that is no whole description.
    mutating func part(_ value: JSONValue, _ part: SwaggerPart) -> JSONValue {
        let tokens = part.tokens
        switch part.kind {
        case .schema: return schema(value)
        case .pathItem: return pathItem(value, from: tokens, to: tokens)
        case .parameter: return parameter(value, from: tokens, to: tokens)
        case .body: return body(value, from: tokens, to: tokens, consumes)
        case .formProperty:
            return value.objectValue.map { .object(parameterSchema($0).schema) } ?? value
        case .response: return response(value, from: tokens, to: tokens, produces)
        }
    }
}

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
