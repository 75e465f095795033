import Basics
import Diagnostics
import FileSystem
import JSON
import JSONSchema
import SuiteModel
import YAML

/// Reads JSON Schemas: a path, an inline schema, or a mapping of one of them with options.
struct SchemaReader {
    /// The shared state of the readers.
    let context: LoadContext
    private let templates: TemplateReader

    init(_ context: LoadContext) {
        self.context = context
        templates = TemplateReader(context)
    }

    /// Returns the schema that a node contains or references; reports an error and returns nil if it is invalid.
    func schema(_ node: YAMLNode) -> CompiledSchema? {
        if let mapping = node.mapping, mapping["file"] != nil || mapping["inline"] != nil { return withOptions(node) }
        return schema(node, settings: context.settings.schemas)
    }

    private func schema(_ node: YAMLNode, settings: SchemaSettings) -> CompiledSchema? {
        if let scalar = node.scalar, scalar.isString { return reference(node, settings: settings) }
        return inline(node, settings: settings)
    }

    /// Returns the schema of a mapping with `file` or `inline`, and options.
    private func withOptions(_ node: YAMLNode) -> CompiledSchema? {
        var source: YAMLNode?
        var settings = context.settings.schemas
        var isComplete = true
        let found = MapReader(context, SchemaKey.schema).read(node) { key, _, value in
            switch key {
            case .file, .inline: source = value
            case .format:
                guard let format = context.choice(value, SchemaKey.Format.self) else {
                    isComplete = false
                    return
                }
                settings.assertsFormat = format == .assert
            }
        }
        guard isComplete, !found.hasConflict, let source else { return nil }
        return schema(source, settings: settings)
    }

    /// Returns the document of a schema that ``schema(_:)`` accepted: the inline schema, or a reference to it.
    func document(_ node: YAMLNode) -> LocatedDocument {
        let source = node.mapping.flatMap { $0["file"] ?? $0["inline"] } ?? node
        guard source.scalar?.isString == true else {
            let value = SchemaValue.value(of: source, text: literal)
            return LocatedDocument(file: source.file, value: value, root: source)
        }
        let (name, fragment, _) = parts(of: templates.constant(source, what: "the path of a schema"))
        let value = JSONValue.object(["$ref": .string(referenceText(name, fragment))])
        return LocatedDocument(file: source.file, value: value, root: source)
    }

    /// Returns the path that relative references in an inline schema resolve against.
    func location(of node: YAMLNode) -> String { context.directory + "/" + Path.lastComponent(of: node.file.name) }

    // MARK: Sources

    /// Returns the name and the fragment of a reference, and the index of the separator.
    private func parts(of text: String) -> (name: String, fragment: String, hash: String.Index?) {
        let hash = text.firstIndex(of: "#")
        let fragment = hash.map { String(text[text.index(after: $0)...]) } ?? ""
        return (String(text[..<(hash ?? text.endIndex)]), fragment, hash)
    }

    private func isURI(_ name: String) -> Bool { name.contains("://") || name.hasPrefix("urn:") }

    /// Returns the value of a `$ref` to a path or URI.
    private func referenceText(_ name: String, _ fragment: String) -> String {
        let location = isURI(name) ? name : FileURI.reference(toPath: name)
        return fragment.isEmpty ? location : "\(location)#\(Self.encoded(fragment))"
    }

    /// Returns the schema for a path, or for a URI under `schemas`.
    private func reference(_ node: YAMLNode, settings: SchemaSettings) -> CompiledSchema? {
        let before = context.diagnostics.count
        let text = templates.constant(node, what: "the path of a schema")
        guard context.diagnostics.count == before else { return nil }
        let range = node.range
        let (name, fragment, hash) = parts(of: text)
        let uri: String
        if isURI(name) {
            uri = name
        } else {
            let problems = context.diagnostics.count
            let path = context.existingFile(name, range)
            guard context.diagnostics.count == problems else { return nil }
            uri = FileURI.uri(ofPath: Path.normalized(path))
        }
        let title = "the schema \(text)"
        let reference = fragment.isEmpty ? uri : "\(uri)#\(Self.encoded(fragment))"
        return context.schemas.schema(SchemaLibrary.Key(source: .reference(reference), settings: settings)) {
            let sources = SchemaSources(library: context.schemas, settings: settings)
            if JSONSchemaDialect(uri: uri) != nil || (!fragment.isEmpty && !fragment.hasPrefix("/")) {
                // Anchors and metaschemas can only be resolved by reference.
                let document = JSONValue.object(["$ref": .string(referenceText(name, fragment))])
                let base = FileURI.uri(ofPath: location(of: node))
                return compile(document, uri: base, title, sources, settings, usedAt: range)
            }
            guard let document = sources.document(uri) else {
                report(sources.problems, at: nil, usedAt: range)
                return nil
            }
            if fragment.isEmpty, document["openapi"] != nil || document["swagger"] != nil {
                // As a schema, it would have no known keyword, so everything would satisfy it.
                context.report(
                    "invalid-schema", "\"\(text)\" is an OpenAPI description, not a schema", range,
                    suggestion: "refer to a schema in it, such as \(text)#/components/schemas/NAME")
                return nil
            }
            guard let pointer = pointer(fragment, in: document, of: node, at: hash, text) else { return nil }
            return compile(document, at: pointer, uri: uri, title, sources, settings, usedAt: range)
        }
    }

    /// Returns the fragment of a path as a pointer; reports an error and returns nil if it does not resolve.
    private func pointer(
        _ fragment: String, in document: JSONValue, of node: YAMLNode, at hash: String.Index?, _ text: String
    ) -> JSONPointer? {
        let offset = hash.map { text.unicodeScalars.distance(from: text.startIndex, to: $0) } ?? 0
        let location = ScalarLocator.range(in: node, from: offset, to: text.unicodeScalars.count)
        let pointer: JSONPointer
        do {
            pointer = try JSONPointer(uriFragment: Self.encoded(fragment))
        } catch {
            context.report("invalid-pointer", error.wording, location)
            return nil
        }
        if pointer.evaluate(in: document) != nil { return pointer }
        var known = JSONPointer()
        for token in pointer.tokens {
            guard known.appending(token).evaluate(in: document) == nil else {
                known = known.appending(token)
                continue
            }
            let names = known.evaluate(in: document)?.objectValue.map { Array($0.keys) } ?? []
            context.report(
                "missing-schema", "the file has no value at \"\(known.appending(token))\"", location,
                suggestion: Spelling.suggestion(for: token, among: names)
                    ?? (names.isEmpty ? nil : "it has \(names.prefix(8).joined(separator: ", "))"))
            return nil
        }
        return nil
    }

    /// Returns an inline schema.
    private func inline(_ node: YAMLNode, settings: SchemaSettings) -> CompiledSchema? {
        let range = node.range
        return context.schemas.schema(SchemaLibrary.Key(source: .inline(range), settings: settings)) {
            let problems = context.diagnostics.count
            let value = SchemaValue.value(of: node, text: literal)
            if value["format"]?.stringValue == SchemaKey.Format.assert.rawValue, let location = node["format"]?.range {
                context.report(
                    "unknown-value", "\"assert\" is not a format", location,
                    suggestion: "write \"schema: { inline: …, format: assert }\" to check formats")
            }
            guard context.diagnostics.count == problems else { return nil }
            let sources = SchemaSources(library: context.schemas, settings: settings)
            let uri = FileURI.uri(ofPath: location(of: node))
            sources.add(LocatedDocument(file: node.file, value: value, root: node), uri: uri)
            return compile(value, uri: uri, "the schema", sources, settings, usedAt: range)
        }
    }

    /// Returns the text of a scalar in a schema, which must not contain expressions.
    private func literal(_ node: YAMLNode) -> String {
        guard let text = node.scalar?.text else { return "" }
        guard ExpressionScan.mayHoldExpression(text[...]) else { return text }
        var literal = ""
        if let pieces = try? ExpressionScan.pieces(of: text[...], firstScalar: 0) {
            for case .text(let piece) in pieces { literal += piece }
            let isLiteral = pieces.allSatisfy { piece in if case .text = piece { true } else { false } }
            if isLiteral { return literal }
        }
        context.report(
            "expression-not-allowed", "a schema cannot contain an expression because it is compiled before the run",
            node.range,
            suggestion:
                "check the computed value with a matcher next to the schema, or write \"$${\" for a literal \"${\""
        )
        return text
    }

    /// Returns a fragment with the characters percent-encoded that a URI cannot contain.
    private static func encoded(_ fragment: String) -> String {
        let allowed = "/%$&'()*+,;=:@!?"
        return fragment.unicodeScalars.map { scalar in
            allowed.unicodeScalars.contains(scalar) ? String(scalar) : PercentEncoding.encode(String(scalar))
        }.joined()
    }

    // MARK: Compilation

    /// Compiles a part of a document, and reports errors at their locations in the schema or where it is used.
    private func compile(
        _ document: JSONValue, at pointer: JSONPointer = JSONPointer(), uri: String?, _ title: String,
        _ sources: SchemaSources, _ settings: SchemaSettings,
        usedAt range: SourceRange
    ) -> CompiledSchema? {
        var resources = JSONSchemaResources()
        resources.loader = { (uri) throws(JSONSchemaResourceError) in sources.document(uri) }
        var options = JSONSchemaOptions()
        options.assertsFormat = settings.assertsFormat
        options.baseURI = uri
        if let dialect = document["$schema"]?.stringValue.flatMap({ JSONSchemaDialect(uri: $0) }) {
            options.dialect = dialect
        }
        do {
            let schema = try JSONSchema(at: pointer, in: document, resources: resources, options: options)
            if let uri { warnOfKeywords(document, at: pointer, uri, sources) }
            return CompiledSchema(schema, title: title, locate: sources.location)
        } catch {
            let location = sources.location(uri: error.uri, error.pointer.tokens)
            let problems = sources.problems
            if error.pointer.tokens.last == "$schema", problems.last?.id == "unknown-schema" {
                let dialect = error.uri == uri ? error.pointer.evaluate(in: document)?.stringValue : nil
                report([Self.unknownDialect(dialect)], at: location, usedAt: range)
            } else if problems.isEmpty {
                report(
                    [
                        Diagnostic(
                            id: "invalid-schema", message: error.wording,
                            suggestion: hint(error, document, uri))
                    ],
                    at: location, usedAt: range)
            } else {
                report(problems, at: location, usedAt: range)
            }
            return nil
        }
    }

    private static func unknownDialect(_ uri: String?) -> Diagnostic {
        Diagnostic(
            id: "invalid-schema", message: "unknown dialect\(uri.map { " \"\($0)\"" } ?? "")",
            suggestion: "write \"\(JSONSchemaDialect.draft202012.uri)\", another draft from draft-04 on, or a "
                + "metaschema with a file under \"schemas\"")
    }

    /// Warns about unknown keywords that resemble known ones: they would be ignored.
    private func warnOfKeywords(
        _ document: JSONValue, at pointer: JSONPointer, _ uri: String, _ sources: SchemaSources
    ) {
        guard let schema = pointer.evaluate(in: document) else { return }
        for slip in KeywordSpelling.slips(in: schema) {
            guard let location = sources.keyLocation(uri: uri, pointer.tokens + slip.tokens) else { continue }
            context.report(
                "unknown-keyword", "unknown schema keyword \"\(slip.tokens.last ?? "")\" is ignored",
                location,
                suggestion: "did you mean \"\(slip.nearest)\"?", severity: .warning)
        }
    }

    /// Returns a suggestion for a reference that YAML parsed as a comment.
    private func hint(_ error: JSONSchemaError, _ document: JSONValue, _ uri: String?) -> MessageText? {
        guard error.uri == uri, let name = error.pointer.tokens.last,
            ["$ref", "$dynamicRef", "$recursiveRef"].contains(name),
            error.pointer.evaluate(in: document)?.isNull == true
        else { return nil }
        return "quote it: in YAML, \" #\" starts a comment"
    }

    /// Reports problems of a schema. Those without a location are reported at the reference, or where the schema is
    /// used.
    private func report(_ problems: [Diagnostic], at location: SourceRange?, usedAt range: SourceRange) {
        for var problem in problems {
            if problem.range == nil { problem.range = location ?? range }
            if problem.range?.file != range.file {
                problem.related.append(Diagnostic.Related(message: "the schema is used here", range: range))
            }
            context.diagnostics.add(problem)
        }
    }
}

/// Reads the shared settings of all schemas in a file: `schemas` and `schemaFormat`.
struct SchemaSettingsReader {
    /// The shared state of the readers.
    let context: LoadContext

    /// Returns the settings of a mock file or a fragment file, which must be read before any of its schemas.
    func settings(_ root: YAMLNode) -> SchemaSettings {
        settings([SettingsLayer(root: root, directory: context.directory)])
    }

    /// Returns the settings of a suite, with those of its settings files.
    ///
    /// Values with a wrong type are reported by the reader of the mapping.
    func settings(_ layers: [SettingsLayer]) -> SchemaSettings {
        var settings = SchemaSettings()
        for entry in context.options.schemas {
            let path = Path.absolute(entry.file, in: context.options.workingDirectory)
            settings.paths[entry.uri] = Path.normalized(path)
        }
        for layer in layers {
            context.reading(in: layer.directory) { read(layer.root, into: &settings) }
        }
        return settings
    }

    private func read(_ root: YAMLNode, into settings: inout SchemaSettings) {
        if let node = root["defaults"]?["schemaFormat"], node.scalar?.isString == true {
            settings.assertsFormat = context.choice(node, SchemaKey.Format.self) == .assert
        }
        for (key, value) in root["schemas"]?.members ?? [] {
            guard let uri = self.uri(key), value.scalar?.isString == true, let path = path(value, of: uri) else {
                continue
            }
            settings.paths[uri] = path
        }
    }

    /// Returns the URI of a key without an empty fragment; reports an error and returns nil if it is invalid.
    private func uri(_ key: YAMLNode) -> String? {
        guard var text = key.scalar?.text else { return nil }
        if text.hasSuffix("#") { text.removeLast() }
        let scheme = text.prefix { $0 != ":" }
        let isAbsolute =
            scheme.utf8.count < text.utf8.count && scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        guard isAbsolute, !text.contains("#") else {
            context.report(
                "invalid-uri", "\"\(text)\" is not an absolute URI without a fragment", key.range,
                suggestion: "write the URI as in \"$ref\" or \"$id\", for example https://example.com/book.json")
            return nil
        }
        return text
    }

    /// Returns the absolute path of the file that replaces a URI, or of a directory if the URI ends with a slash.
    private func path(_ node: YAMLNode, of uri: String) -> String? {
        let problems = context.diagnostics.count
        let text = TemplateReader(context).constant(node, what: "a path")
        guard context.diagnostics.count == problems else { return nil }
        let path =
            uri.hasSuffix("/")
            ? context.existingDirectory(text, node.range) : context.existingFile(text, node.range)
        return context.diagnostics.count > problems ? nil : Path.normalized(path)
    }
}
