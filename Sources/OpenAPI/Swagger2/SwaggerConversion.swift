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
