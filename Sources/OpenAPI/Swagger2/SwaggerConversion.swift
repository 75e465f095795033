import Basics
import JSON
import YAML

/// The conversion of a Swagger 2.0 document and the parts of other files that it refers to.
struct SwaggerConversion {
    private let library: SwaggerLibrary
    private var pending: [SwaggerPart] = []
    private var seen: Set<SwaggerPart> = []
    private var parts: [String: PartTree] = [:]
    private var locations: [String: LocationMap] = [:]
    private var whole: Set<String> = []
    private var files: [DescriptionFile] = []
    /// The main document of the description.
    private let main: JSONValue

    /// The maximum number of parts of other files to convert.
    private static let maximumParts = 100_000

    private init(of location: String, source: any DocumentSource) {
        library = SwaggerLibrary(source: source)
        main = library.document(at: location)?.value ?? .null
    }

    /// Returns the files of a description, converted to OpenAPI 3.0, starting with the main file.
    static func files(of location: String, source: any DocumentSource) -> [DescriptionFile] {
        var conversion = SwaggerConversion(of: location, source: source)
        conversion.convertWhole(location)
        while let part = conversion.pending.popLast() { conversion.convert(part) }
        return conversion.files + conversion.partFiles()
    }

    private mutating func convertWhole(_ location: String) {
        guard whole.insert(location).inserted, let document = library.document(at: location) else { return }
        var converter = SwaggerConverter(document.value, at: location, library: library)
        let value = converter.whole()
        files.append(
            DescriptionFile(location: location, document: document, value: value, locations: converter.locations))
        add(converter.parts)
    }

    private mutating func add(_ found: [SwaggerPart]) {
        for part in found where seen.count < Self.maximumParts && seen.insert(part).inserted { pending.append(part) }
    }

    private mutating func convert(_ part: SwaggerPart) {
        if library.isWhole(part.location) { return convertWhole(part.location) }
        guard let document = library.document(at: part.location),
            let value = JSONPointer(tokens: part.tokens).evaluate(in: document.value)
        else { return }
        var converter = SwaggerConverter(document.value, at: part.location, partOf: main, library: library)
        let converted = converter.part(value, part)
        parts[part.location, default: PartTree()].set(converted, at: part.tokens[...])
        locations[part.location, default: LocationMap()].merge(converter.locations)
        add(converter.parts)
    }

    private func partFiles() -> [DescriptionFile] {
        parts.keys.sorted().compactMap { location in
            guard let document = library.document(at: location), let tree = parts[location] else { return nil }
            return DescriptionFile(
                location: location, document: document, value: tree.applied(to: document.value),
                locations: locations[location])
        }
    }
}

/// The converted parts of a file by location.
private struct PartTree {
    private var value: JSONValue?
    private var branches: [String: PartTree] = [:]

    /// Stores a converted part at a path. The first part for a path wins.
    mutating func set(_ value: JSONValue, at tokens: ArraySlice<String>) {
        guard let first = tokens.first else {
            self.value = self.value ?? value
            return
        }
        branches[first, default: PartTree()].set(value, at: tokens.dropFirst())
    }

    /// Returns a document in which the parts are replaced.
    func applied(to document: JSONValue) -> JSONValue {
        // A converted part already includes its nested parts.
        if let value { return value }
        switch document {
        case .object(let members):
            var object = JSONObject()
            object.reserveCapacity(members.count)
            for (name, member) in members { object.append(name, branches[name]?.applied(to: member) ?? member) }
            return .object(object)
        case .array(let elements):
            return .array(
                elements.enumerated().map { branches[String($0.offset)]?.applied(to: $0.element) ?? $0.element })
        case .null, .bool, .number, .string: return document
        }
    }
}

/// A part of a file that a Swagger 2.0 document refers to, with its kind.
struct SwaggerPart: Hashable {
    /// The kind of a part.
    enum Kind: Hashable {
        case schema
        case pathItem
        /// A parameter outside the body.
        case parameter
        /// The body parameter, which becomes a request body.
        case body
        /// A form parameter, which becomes the schema of a property.
        case formProperty
        case response
    }

    /// The location of the file.
    var location: String
    /// The path to the part.
    var tokens: [String]
    /// The kind of the part.
    var kind: Kind
}

/// A parsed reference.
struct SwaggerReference {
    /// The part before the fragment, as written.
    let resource: String
    /// The location of the target file.
    let location: String
    /// The path in the target file.
    let tokens: [String]
    /// Whether the fragment is a JSON Pointer.
    let isPointer: Bool

    /// Parses a reference.
    init(_ text: String, in location: String) {
        let hash = text.firstIndex(of: "#")
        resource = String(text[..<(hash ?? text.endIndex)])
        self.location = DocumentLocation.resolve(resource, against: location)
        let fragment = hash.map { String(text[text.index(after: $0)...]) } ?? ""
        let pointer = try? JSONPointer(uriFragment: fragment)
        tokens = pointer?.tokens ?? []
        isPointer = pointer != nil
    }

    /// Returns the reference to a different location in the same file.
    func text(to tokens: [String]) -> String { "\(resource)#\(Self.fragment(tokens))" }

    /// Returns a JSON Pointer as a fragment, with percent-encoding for characters that a URI must not contain.
    static func fragment(_ tokens: [String]) -> String {
        PercentEncoding.encode(JSONPointer(tokens: tokens).description) { byte in
            (0x21...0x7E).contains(byte) && !"%\"<>\\^`{|}".utf8.contains(byte)
        }
    }
}
