import Basics
import JSON

/// The body of a mock response.
struct MockBody: Sendable {
    /// The key of a body in the cache.
    struct Key: Hashable {
        let node: DescriptionNode
        let type: String
        let example: String?
    }

    /// The result of creating a body.
    enum Content: Sendable {
        case bytes([UInt8])
        /// No example has the name. The value lists the known names.
        case unknownExample([String])
        /// The example has neither a value nor a serialized form.
        case emptyExample
    }

    let content: Content
    /// The reason that the body is not valid against its schema, if no valid value was found.
    private(set) var problem: String?

    /// Creates a body from the requested example, the first valid example, or a generated value.
    init(_ media: MediaType, type: String, example: String?, _ sampler: SchemaSampler) {
        let range = MediaRange(type)
        if let example {
            guard let found = media.examples.first(where: { $0.name == example }) else {
                content = .unknownExample(media.examples.map(\.name).filter { !$0.isEmpty })
                return
            }
            content = Self.content(of: found, media, range, sampler) ?? .emptyExample
            return
        }
        if let found = Self.example(of: media, range, sampler) {
            content = found
            return
        }
        guard let schema = media.schema ?? media.itemSchema else {
            let empty: JSONValue = range.isJSON || range.isXML ? .object(JSONObject()) : ""
            content = .bytes(Self.bytes(empty, range, nil, sampler))
            return
        }
        let best = sampler.best(schema)
        if best.problem != nil {
            // If neither is valid, a documented value is better than a generated one.
            let documented = media.examples.lazy.compactMap { example in
                Self.content(of: example, media, range, sampler).map { (content: $0, value: example.value) }
            }.first
            if let documented {
                content = documented.content
                problem = documented.value.flatMap { sampler.problem(of: $0, schema) }
                return
            }
        }
        problem = best.problem
        content = .bytes(
            media.schema == nil ? Self.stream(of: best.value, range) : Self.bytes(best.value, range, schema, sampler))
    }

    /// Returns whether the body comes from an example.
    static func hasExample(_ media: MediaType, _ type: String, _ sampler: SchemaSampler) -> Bool {
        example(of: media, MediaRange(type), sampler) != nil
    }

    /// Returns the first example that is valid against the schema.
    private static func example(of media: MediaType, _ range: MediaRange, _ sampler: SchemaSampler) -> Content? {
        for candidate in media.examples {
            if let value = candidate.value, let schema = media.schema,
                range.isJSON || range.isXML && value.stringValue == nil, !sampler.accepts(value, schema)
            {
                continue
            }
            if let found = content(of: candidate, media, range, sampler) { return found }
        }
        return nil
    }

    private static func content(
        of example: Example, _ media: MediaType, _ range: MediaRange, _ sampler: SchemaSampler
    ) -> Content? {
        if let text = example.serializedValue { return .bytes(Array(text.utf8)) }
        guard let value = example.value else { return nil }
        if range.isXML, case .string(let text) = value { return .bytes(Array(text.utf8)) }
        return .bytes(bytes(value, range, media.schema, sampler))
    }

    private static func bytes(
        _ value: JSONValue, _ range: MediaRange, _ schema: DescriptionNode?, _ sampler: SchemaSampler
    ) -> [UInt8] {
        if range.isJSON { return value.serializedBytes() }
        if range.isXML {
            // A string that already is a document is used unchanged.
            if case .string(let text) = value, text.hasPrefix("<") { return Array(text.utf8) }
            return Array((SchemaXMLWriter.document(value, schema, sampler) ?? "").utf8)
        }
        switch value {
        case .string(let text): return Array(text.utf8)
        case .object(let object) where range.essence == "application/x-www-form-urlencoded":
            let pairs = object.map {
                "\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode(ParameterText.scalar($0.value)))"
            }
            return Array(pairs.joined(separator: "&").utf8)
        default: return Array(ParameterText.scalar(value).utf8)
        }
    }

    /// Serializes one item of a stream.
    private static func stream(of item: JSONValue, _ range: MediaRange) -> [UInt8] {
        if range.essence == "text/event-stream" {
            // An event has the fields of server-sent events in HTML.
            guard let object = item.objectValue, object["data"] != nil else {
                return Array("data: \(item.serialized())\n\n".utf8)
            }
            let lines = object.map { "\($0.key): \(ParameterText.scalar($0.value))\n" }
            return Array((lines.joined() + "\n").utf8)
        }
        if range.subtype.hasSuffix("json-seq") { return [0x1E] + item.serializedBytes() + [0x0A] }
        return item.serializedBytes() + [0x0A]
    }
}
