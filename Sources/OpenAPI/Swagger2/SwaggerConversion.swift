import Basics
import JSON
import YAML

/// Converts a Swagger 2.0 document, and the parts of other files that it refers to.
struct SwaggerConversion {
    private let library: SwaggerLibrary
    private var pending: [SwaggerPart] = []
    private var seen: Set<SwaggerPart> = []
    private var parts: [String: PartTree] = [:]
    private var places: [String: PlaceMap] = [:]
    private var whole: Set<String> = []
    private var files: [DescriptionFile] = []
    /// The description's main document.
    private let main: JSONValue

    /// How many parts of other files are converted.
    private static let mostParts = 100_000

    private init(of location: String, source: any DocumentSource) {
        library = SwaggerLibrary(source: source)
        main = library.document(at: location)?.value ?? .null
    }

    /// The files that a description is made of, in the terms of OpenAPI 3.0: the one at a location first.
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
        files.append(DescriptionFile(location: location, document: document, value: value, places: converter.places))
        add(converter.parts)
    }

    private mutating func add(_ found: [SwaggerPart]) {
        for part in found where seen.count < Self.mostParts && seen.insert(part).inserted { pending.append(part) }
    }

    private mutating func convert(_ part: SwaggerPart) {
        if library.isWhole(part.location) { return convertWhole(part.location) }
        guard let document = library.document(at: part.location),
            let value = JSONPointer(tokens: part.tokens).evaluate(in: document.value)
        else { return }
        var converter = SwaggerConverter(document.value, at: part.location, partOf: main, library: library)
        let converted = converter.part(value, part)
        parts[part.location, default: PartTree()].set(converted, at: part.tokens[...])
        places[part.location, default: PlaceMap()].merge(converter.places)
        add(converter.parts)
    }

    private func partFiles() -> [DescriptionFile] {
        parts.keys.sorted().compactMap { location in
            guard let document = library.document(at: location), let tree = parts[location] else { return nil }
            return DescriptionFile(
                location: location, document: document, value: tree.applied(to: document.value),
                places: places[location])
        }
    }
}

/// The converted parts of a file by their places.
private struct PartTree {
    private var value: JSONValue?
    private var branches: [String: PartTree] = [:]

    mutating func set(_ value: JSONValue, at tokens: ArraySlice<String>) {
        guard let first = tokens.first else {
            self.value = self.value ?? value
            return
        }
        branches[first, default: PartTree()].set(value, at: tokens.dropFirst())
    }

    /// A document with the parts in their places.
    func applied(to document: JSONValue) -> JSONValue {
        // What is in a converted part was converted with it.
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

/// A part of a file that a Swagger 2.0 document refers to, and what it is there.
struct SwaggerPart: Hashable {
    /// What the part is.
    enum Kind: Hashable {
        case schema
        case pathItem
        /// A parameter that is not in the body.
        case parameter
        /// The body parameter, which becomes a request body.
        case body
        /// A form parameter, which becomes the schema of a property.
        case formProperty
        case response
    }

    /// Where the file is.
    var location: String
    /// The way to the part.
    var tokens: [String]
    /// What it is.
    var kind: Kind
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
        PercentEncoding.encode(JSONPointer(tokens: tokens).description) { byte in
            (0x21...0x7E).contains(byte) && !"%\"<>\\^`{|}".utf8.contains(byte)
        }
    }
}
