import JSON
import OpenAPI

/// A builder of request bodies.
struct BodyBuilder {
    /// The body of a request in a suite.
    struct Body {
        var key: String
        var node: SuiteNode
        var contentType: String?
        var queryStyle: String?
        /// The value of the body, if it has a schema.
        var value: JSONValue?
        var schema: DescriptionNode? { media?.schema }
        /// The media type of the body, if its value can be replaced.
        var media: MediaType?
        /// Whether the checks of a contract read bodies of this kind.
        var isChecked: Bool { key != Self.uncheckedKey }
        /// The key of bodies whose validity the checks of a contract cannot prove.
        static let uncheckedKey = "xml"

        /// Returns whether a form field with a value is serialized as JSON.
        func isJSON(_ name: String, _ value: JSONValue) -> Bool {
            if key == "multipart" { return (value.arrayValue?.first ?? value).objectValue != nil }
            let isDeep = media?.encodings.contains { $0.property == name && $0.style == .deepObject } ?? false
            return value.objectValue != nil && !isDeep
        }
    }

    /// An error that prevents the generation of a body; its message is one sentence without a final period.
    struct Failure: Error {
        let message: String

        init(_ message: String) { self.message = message }

        /// Creates the failure for a body whose value cannot be generated.
        init(_ failure: SampleFailure) { message = "body: \(failure.message)" }
    }

    let sampler: SchemaSampler

    /// Returns the body for an operation's request.
    ///
    /// - Throws: ``SampleFailure`` if no body can be generated.
    func body(_ content: [MediaType]) throws(Failure) -> Body? {
        guard let media = content.easiest else { return nil }
        let type = MediaRange(media.range.instance)
        if type.isJSON {
            return json(try made { () throws(SampleFailure) -> JSONValue in try value(media) }, type, media)
        }
        if type.essence == "application/x-www-form-urlencoded" || type.essence == "multipart/form-data" {
            let value = try made { () throws(SampleFailure) -> JSONValue in try self.value(media) }
            guard let object = value.objectValue else {
                throw Failure("the body is a form, but its schema does not describe an object")
            }
            return type.type == "multipart" ? multipart(object, media) : form(object, media)
        }
        if type.isXML { return try xml(media, type) }
        return try made { () throws(SampleFailure) -> Body in try text(media, type) }
    }

    private func made<Made>(_ make: () throws(SampleFailure) -> Made) throws(Failure) -> Made {
        do { return try make() } catch { throw Failure(error) }
    }

    /// Returns a body with a different value, or `nil` if the body is not built from a value.
    func body(_ body: Body, with value: JSONValue) -> Body? {
        guard let media = body.media else { return nil }
        let type = MediaRange(media.range.instance)
        if type.isJSON { return json(value, type, media) }
        if type.isXML { return xml(value, type, media) }
        return value.objectValue.map { type.type == "multipart" ? multipart($0, media) : form($0, media) }
    }

    /// Returns the value of a body: a valid example, or a generated value.
    func value(_ media: MediaType) throws(SampleFailure) -> JSONValue {
        for example in media.examples {
            if let value = example.value, media.schema.map({ sampler.accepts(value, $0) }) ?? true { return value }
        }
        guard let schema = media.schema else {
            return media.examples.first?.value ?? .object(JSONObject())
        }
        return try sampler.sample(schema)
    }

    private func json(_ value: JSONValue, _ type: MediaRange, _ media: MediaType) -> Body {
        Body(
            key: "json", node: SuiteNode(value), contentType: type.essence == "application/json" ? nil : type.text,
            value: value, media: media)
    }

    private func xml(_ media: MediaType, _ type: MediaRange) throws(Failure) -> Body {
        let example = media.examples.lazy.compactMap { $0.serializedValue ?? $0.value?.stringValue }.first
        if let example { return xml(example, type) }
        if media.schema != nil || !media.examples.isEmpty {
            let value = try made { () throws(SampleFailure) -> JSONValue in try self.value(media) }
            if let body = xml(value, type, media) { return body }
        }
        throw Failure(
            "the body is \(type.essence), but the description has neither an example of it nor a schema with a name")
    }

    private func xml(_ value: JSONValue, _ type: MediaRange, _ media: MediaType) -> Body? {
        guard let schema = media.schema, let text = sampler.xmlDocument(value, schema) else { return nil }
        var body = xml(text, type)
        (body.value, body.media) = (value, media)
        return body
    }

    private func xml(_ text: String, _ type: MediaRange) -> Body {
        Body(
            key: "xml", node: .text(SuiteNode.escaped(text)),
            contentType: type.essence == "application/xml" ? nil : type.text)
    }

    private func form(_ object: JSONObject, _ media: MediaType) -> Body {
        var hasArray = false
        var entries: [(String, SuiteNode)] = []
        for (name, value) in object {
            let encoding = media.encodings.first { $0.property == name }
            if let elements = value.arrayValue {
                if encoding.map({ $0.isExploded }) ?? true {
                    hasArray = true
                } else {
                    let separator =
                        encoding?.style == .spaceDelimited ? " " : encoding?.style == .pipeDelimited ? "|" : ","
                    let text = elements.map { ParameterText.scalar($0) }.joined(separator: separator)
                    entries.append((name, .text(SuiteNode.escaped(text))))
                    continue
                }
            } else if value.objectValue != nil, encoding?.style != .deepObject {
                entries.append((name, .text(SuiteNode.escaped(value.serialized()))))
                continue
            }
            entries.append((name, SuiteNode(value)))
        }
        return Body(
            key: "form", node: .map(entries), queryStyle: hasArray ? "repeat" : nil, value: .object(object),
            media: media)
    }

    private func multipart(_ object: JSONObject, _ media: MediaType) -> Body {
        var entries: [(String, SuiteNode)] = []
        let schema = media.schema.flatMap { sampler.description.resolved($0) }
        for (name, value) in object {
            let property = schema?["properties"]?[name].flatMap { sampler.description.resolved($0) }
            let encoding = media.encodings.first { $0.property == name }
            let type = encoding?.contentType?.split(separator: ",").first.map { MediaRange(String($0)).instance }
            if let elements = value.arrayValue {
                let item = property?["items"].flatMap { sampler.description.resolved($0) }
                entries.append((name, .list(elements.map { part(name, $0, item, type) })))
            } else {
                entries.append((name, part(name, value, property, type)))
            }
        }
        return Body(key: "multipart", node: .map(entries), value: .object(object), media: media)
    }

    private func part(
        _ name: String, _ value: JSONValue, _ schema: DescriptionNode?, _ type: String?
    ) -> SuiteNode {
        if value.objectValue != nil { return .map([("json", SuiteNode(value))]) }
        let keywords = schema?.value
        let isFile = keywords?["format"]?.stringValue == "binary" || keywords?["contentMediaType"] != nil
        guard isFile || type != nil else { return SuiteNode(value) }
        var entries = [("text", SuiteNode.text(SuiteNode.escaped(ParameterText.scalar(value))))]
        let media = type ?? keywords?["contentMediaType"]?.stringValue
        if let media { entries.append(("type", .text(media))) }
        if isFile {
            let isText = media?.hasPrefix("text/") ?? false
            entries.append(("filename", .text(SuiteNode.escaped("\(name).\(isText ? "txt" : "bin")"))))
        }
        return .map(entries)
    }

    private func text(_ media: MediaType, _ type: MediaRange) throws(SampleFailure) -> Body {
        if let text = media.examples.lazy.compactMap({ $0.serializedValue ?? $0.value?.stringValue }).first {
            return Body(key: "text", node: .text(SuiteNode.escaped(text)), contentType: type.text)
        }
        if type.type == "text" {
            let value = try media.schema.map { schema throws(SampleFailure) in try sampler.sample(schema) } ?? "text"
            return Body(
                key: "text", node: .text(SuiteNode.escaped(ParameterText.scalar(value))),
                contentType: type.essence == "text/plain" ? nil : type.text)
        }
        // The description does not constrain the bytes.
        return Body(
            key: "base64", node: .text("aGVsbG8="),
            contentType: type.essence == "application/octet-stream" ? nil : type.text)
    }
}
