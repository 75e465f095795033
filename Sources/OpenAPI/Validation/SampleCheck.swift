import Basics
import Diagnostics
import JSON
import JSONSchema

/// A check of a description's examples and defaults against their schemas.
struct SampleCheck {
    /// The maximum number of samples to check.
    private static let maximum = 5_000
    /// The maximum number of compilations for finding invalid schemas by bisection.
    private static let maximumCompilations = 32

    /// A sample that is not valid against its schema.
    private struct Failure {
        var sample: SchemaSample
        var violation: JSONSchemaViolation
    }

    let description: OpenAPIDescription
    private(set) var problems = ProblemList()
    private var compilations = 0

    /// Creates a check.
    init(_ description: OpenAPIDescription) {
        self.description = description
    }

    /// Checks all samples.
    mutating func run(_ samples: [SchemaSample]) {
        let known = samples.prefix(Self.maximum).compactMap(converted)
        var failures = failures(among: known.filter { $0.isRequest == true }[...], .request)
        let others = self.failures(among: known.filter { $0.isRequest != true }[...], .response)
        failures += others.filter { $0.sample.isRequest == false }
        // A sample without a direction needs to be valid in only one of them.
        failures += self.failures(among: others.map(\.sample).filter { $0.isRequest == nil }[...], .request)
        for failure in failures { report(failure) }
    }

    /// Returns the sample with its effective schema, which for Swagger 2.0 is the converted one.
    private func converted(_ sample: SchemaSample) -> SchemaSample? {
        if let mediaType = Self.mediaType(of: sample.value), !mediaType.isJSON, sample.value.value.stringValue != nil {
            // The string is the serialized body, which is not JSON.
            return nil
        }
        guard description.version == .swagger2 else { return sample }
        let file = description.root.file
        guard let pointer = file.convertedPointer(sample.schema.pointer),
            let value = pointer.evaluate(in: file.value)
        else { return nil }
        var sample = sample
        sample.schema = DescriptionNode(file: file, pointer: pointer, value: value)
        return sample
    }

    /// Returns the media type that an example belongs to.
    private static func mediaType(of node: DescriptionNode) -> MediaRange? {
        let tokens = node.pointer.tokens
        guard let position = tokens.lastIndex(of: "content"), position + 1 < tokens.count,
            !tokens[position...].contains("schema")
        else { return nil }
        return MediaRange(tokens[position + 1])
    }

    /// Returns the samples that are not valid against their schemas.
    ///
    /// The schemas are compiled together, so that shared references are compiled only once.
    private mutating func failures(
        among samples: ArraySlice<SchemaSample>, _ direction: OpenAPIExtension.Direction
    ) -> [Failure] {
        guard !samples.isEmpty, compilations < Self.maximumCompilations else { return [] }
        compilations += 1
        guard let schema = schema(samples, direction) else {
            // One of the schemas is invalid, which is already reported. The others still need checking.
            guard samples.count > 1 else { return [] }
            let middle = samples.startIndex + samples.count / 2
            return failures(among: samples[..<middle], direction) + failures(among: samples[middle...], direction)
        }
        return zip(samples.indices, samples).compactMap { position, sample in
            let value = JSONValue.object([String(position): sample.value.value])
            if schema.isValid(value) { return nil }
            guard let violation = schema.violations(of: value).first, violation.kind == .invalid else { return nil }
            return Failure(sample: sample, violation: violation)
        }
    }

    private mutating func report(_ failure: Failure) {
        let sample = failure.sample
        var node = sample.value
        for step in failure.violation.instancePath.steps.dropFirst() {
            let next: DescriptionNode?
            switch step {
            case .name(let name): next = node[name]
            case .index(let index):
                next = node.value[index].map {
                    DescriptionNode(file: node.file, pointer: node.pointer.appending(index), value: $0)
                }
            }
            guard let next else { break }
            node = next
        }
        problems.add(
            "invalid-example", "\(sample.noun) does not match its schema: \(failure.violation.message)", at: node,
            severity: .warning, related: ("the schema", sample.schema))
    }

    /// Returns a schema whose properties, named by index, are the schemas of the samples.
    private func schema(
        _ samples: ArraySlice<SchemaSample>, _ direction: OpenAPIExtension.Direction
    ) -> JSONSchema? {
        var properties = JSONObject()
        for (position, sample) in zip(samples.indices, samples) {
            let uri = DescriptionURI.uri(of: sample.schema.file.location)
            let fragment = SwaggerReference.fragment(sample.schema.pointer.tokens)
            properties.append(String(position), ["$ref": .string("\(uri)#\(fragment)")])
        }
        var resources = JSONSchemaResources()
        let files = description.files
        resources.loader = { uri throws(JSONSchemaResourceError) in
            do throws(DescriptionFiles.ReferenceProblem) {
                return try files.file(ofURI: uri).value
            } catch {
                throw JSONSchemaResourceError(message: error.message)
            }
        }
        let dialect: JSONSchemaDialect =
            description.version.usesSchemaDialect30
            ? .openAPI30 : description.schemaDialect.flatMap { JSONSchemaDialect(uri: $0) } ?? .draft202012
        let options = JSONSchemaOptions(
            dialect: dialect, openAPI: OpenAPIExtension(direction: direction), assertsFormat: true,
            baseURI: "samples:/",
            limits: JSONSchemaLimits(maximumSteps: 2_000_000, maximumViolations: 1))
        return try? JSONSchema(["properties": .object(properties)], resources: resources, options: options)
    }
}

/// An example or a default with its schema.
struct SchemaSample {
    /// The value.
    var value: DescriptionNode
    /// The schema.
    var schema: DescriptionNode
    /// The name of the value in messages.
    var noun: String
    /// Whether the value is sent rather than received, or `nil` if it can be either.
    var isRequest: Bool?
}
