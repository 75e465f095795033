import JSON
import YAML

/// A converter from Swagger 2.0 documents or parts of files to OpenAPI 3.0.
///
/// Values with an invalid form remain unchanged, so that the reader of the result reports them.
struct SwaggerConverter {
    /// The maximum nesting depth of converted schemas.
    static let deepest = 100

    let document: JSONValue
    /// The document with the host, base path, and media types: the document itself, or the one that it is part of.
    let settings: JSONValue
    let location: String
    /// Whether the document is a complete description. Its parts move to different locations in OpenAPI 3.0.
    let isWhole: Bool
    let library: SwaggerLibrary
    /// The mapping between original and converted locations.
    var locations = LocationMap()
    /// The parts of incomplete files that the file refers to.
    private(set) var parts: [SwaggerPart] = []
    /// The references to values that move together with a part that is converted later.
    private var deferred: Set<String> = []

    /// Creates a converter for a file.
    ///
    /// - Parameters:
    ///   - document: The content of the file.
    ///   - location: The location of the file.
    ///   - main: The complete description that refers to the file, or `nil` if the file is one itself.
    ///   - library: The library with the other files.
    init(_ document: JSONValue, at location: String, partOf main: JSONValue? = nil, library: SwaggerLibrary) {
        self.document = document
        self.location = location
        settings = main ?? document
        isWhole = main == nil
        self.library = library
    }

    // MARK: Media types

    /// The default media types of requests. JSON is the fallback, because the specification leaves it open.
    var consumes: [String] { mediaTypes(settings["consumes"]) ?? ["application/json"] }

    /// The default media types of responses. The fallback is any type.
    var produces: [String] { mediaTypes(settings["produces"]) ?? ["*/*"] }

    /// Returns the strings of a non-empty array.
    func mediaTypes(_ value: JSONValue?) -> [String]? {
        guard let texts = value?.arrayValue?.compactMap(\.stringValue), !texts.isEmpty else {
            return nil
        }
        return texts
    }

    // MARK: References

    /// Returns the OpenAPI 3.0 equivalent of a `$ref`.
    mutating func reference(_ text: String, _ kind: SwaggerPart.Kind) -> String {
        let target = SwaggerReference(text, in: location)
        guard target.isPointer, !DocumentLocation.isRemote(target.location) else { return text }
        guard target.location == location ? isWhole : library.isWhole(target.location) else {
            parts.append(SwaggerPart(location: target.location, tokens: target.tokens, kind: kind))
            return text
        }
        if target.location != location {
            // This ensures that the target file is also converted.
            parts.append(SwaggerPart(location: target.location, tokens: [], kind: kind))
        }
        guard let section = target.tokens.first, target.tokens.count > 1,
            let key = Self.section(section, kind)
        else {
            if target.tokens.first == "paths", target.location == location { deferred.insert(text) }
            return text
        }
        return target.text(to: ["components", key] + target.tokens.dropFirst())
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

    /// Returns the value with updated references to values that have moved since.
    func withDeferredReferences(_ value: JSONValue) -> JSONValue {
        if deferred.isEmpty { return value }
        var texts: [String: String] = [:]
        for text in deferred {
            let target = SwaggerReference(text, in: location)
            if let tokens = locations.converted(of: target.tokens) { texts[text] = target.text(to: tokens) }
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

    /// Converts a part of an incomplete file.
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

/// The files of a Swagger 2.0 description, as written.
final class SwaggerLibrary {
    private let source: any DocumentSource
    private var documents: [String: LocatedDocument?] = [:]

    /// Creates a library.
    init(source: any DocumentSource) {
        self.source = source
    }

    /// Returns the document at a location, or `nil` if it cannot be read.
    func document(at location: String) -> LocatedDocument? {
        if let known = documents[location] { return known }
        var document: LocatedDocument?
        if !DocumentLocation.isRemote(location), case .document(let found) = source.document(at: location) {
            document = found
        }
        documents[location] = .some(document)
        return document
    }

    /// Returns whether the file is a complete Swagger 2.0 document, whose parts move to different locations in OpenAPI
    /// 3.0.
    func isWhole(_ location: String) -> Bool { document(at: location)?.value["swagger"] != nil }

    /// Returns the target of a reference, following further references.
    func target(of reference: String, in location: String) -> (part: SwaggerReference, value: JSONValue)? {
        var reference = SwaggerReference(reference, in: location)
        for _ in 0..<DescriptionFiles.maximumChainLength {
            guard let document = document(at: reference.location),
                let value = JSONPointer(tokens: reference.tokens).evaluate(in: document.value)
            else { return nil }
            guard let next = value["$ref"]?.stringValue else { return (reference, value) }
            reference = SwaggerReference(next, in: reference.location)
        }
        return nil
    }
}
