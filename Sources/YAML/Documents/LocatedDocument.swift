import Basics
public import Diagnostics
public import JSON
import Synchronization

/// A JSON value with the source range of each part: a JSON or YAML file, or a part of a suite.
public final class LocatedDocument: Sendable {
    /// The file that contains the document.
    public let file: SourceFile
    /// The value of the document.
    public let value: JSONValue
    /// The document as a YAML node; nil for a JSON file.
    private let root: YAMLNode?
    private let textLocations = Mutex(LocationIndex())

    /// The lookup of source ranges in JSON text. The first lookups scan the text; later ones use an index.
    private struct LocationIndex {
        var lookups = 0
        var index: JSONLocationIndex?
    }

    /// Creates a document.
    public init(file: SourceFile, value: JSONValue, root: YAMLNode? = nil) {
        self.file = file
        self.value = value
        self.root = root
    }

    /// The result of reading a file.
    public enum Reading: Sendable {
        /// The document.
        case document(LocatedDocument)
        /// The errors that prevented reading; an error without a location concerns the whole file.
        case problems([Diagnostic])
    }

    /// Reads a file as strict JSON if its name ends in `.json`, otherwise as YAML.
    ///
    /// - Parameters:
    ///   - file: The file to read.
    ///   - what: The name of the document in messages, as in `the schema is not JSON`.
    public static func read(_ file: SourceFile, as what: String = "document") -> Reading {
        if file.name.lowercased().hasSuffix(".json") {
            do {
                let value = try JSONParser(duplicateMembers: .reject).parse(file.text)
                return .document(LocatedDocument(file: file, value: value))
            } catch {
                return .problems([.invalidJSON(error, in: file, as: what)])
            }
        }
        let (documents, problems) = YAMLStream.parse(file)
        if problems.contains(where: { $0.severity == .error }) { return .problems(problems) }
        guard let root = documents.first else {
            return .problems([Diagnostic(id: "empty-file", message: "the \(what) file \"\(file.name)\" is empty")])
        }
        if documents.count > 1 {
            return .problems([
                Diagnostic(
                    id: "several-documents", message: "a \(what) file must contain a single document",
                    range: documents[1].range,
                    suggestion: "move it to a separate file")
            ])
        }
        return .document(LocatedDocument(file: file, value: SchemaValue.value(of: root), root: root))
    }

    // MARK: Locations

    /// Returns the source range of a value, or of its key if the value spans several lines.
    ///
    /// - Parameter tokens: The tokens of a JSON Pointer.
    public func location(of tokens: [String]) -> SourceRange? {
        guard let location = locationInNodes(tokens) ?? locationInText(tokens) else { return nil }
        if location.value.isOneLine, location.value.start < location.value.end { return location.value }
        return location.key ?? location.value
    }

    /// Returns the source range of a member name.
    ///
    /// - Parameter tokens: The tokens of a JSON Pointer to the member.
    public func keyLocation(of tokens: [String]) -> SourceRange? {
        (locationInNodes(tokens) ?? locationInText(tokens))?.key
    }

    private func locationInText(_ tokens: [String]) -> (key: SourceRange?, value: SourceRange)? {
        guard root == nil, let location = textLocation(tokens) else { return nil }
        return (location.key.map { SourceRange(file: file, bytes: $0) }, SourceRange(file: file, bytes: location.value))
    }

    private func textLocation(_ tokens: [String]) -> JSONLocations.Location? {
        let found = textLocations.withLock { locations -> JSONLocations.Location?? in
            locations.lookups += 1
            if locations.lookups == 4 { locations.index = JSONLocationIndex(file.text) }
            return locations.index == nil ? .none : .some(locations.index?.location(of: tokens))
        }
        return found ?? JSONLocations(file.text).location(of: tokens)
    }

    private func locationInNodes(_ tokens: [String]) -> (key: SourceRange?, value: SourceRange)? {
        guard var node = root else { return nil }
        var key: YAMLNode?
        for token in tokens {
            if let mapping = node.mapping {
                guard let value = mapping[token] else { return nil }
                key = mapping.keyNode(token)
                node = value
            } else if let sequence = node.sequence, let index = Int(token), sequence.indices.contains(index) {
                key = nil
                node = sequence[index]
            } else {
                return nil
            }
        }
        return (key?.range, node.range)
    }

    // MARK: Embedded resources

    /// Returns the tokens of a JSON Pointer to the resource with a URI as its `$id` (`id` in draft 4); nil if there is
    /// none.
    public func pointer(toResource uri: String) -> [String]? {
        var pending: [(value: JSONValue, tokens: [String])] = [(value, [])]
        while let (value, tokens) = pending.popLast() {
            switch value {
            case .object(let members):
                for name in ["$id", "id"] {
                    guard case .string(let id)? = members[name], !id.isEmpty else { continue }
                    let own = id.hasSuffix("#") ? String(id.dropLast()) : id
                    // A relative identifier resolves against a base URI, so it matches after a slash.
                    if own == uri || uri.hasSuffix(own.hasPrefix("/") ? own : "/" + own) { return tokens }
                }
                for (name, member) in members { pending.append((member, tokens + [name])) }
            case .array(let elements):
                for (index, element) in elements.enumerated() { pending.append((element, tokens + [String(index)])) }
            case .null, .bool, .number, .string: break
            }
        }
        return nil
    }
}

/// Converts schemas that are written in YAML to JSON values.
public enum SchemaValue {
    /// Keywords whose values are data and not schemas.
    private static let data = ["const", "enum", "default", "examples", "example"]

    /// Converts a node to JSON. The null in `type: [string, null]` becomes the name of a type.
    ///
    /// - Parameters:
    ///   - node: The node to convert.
    ///   - text: A closure that returns the string of a scalar or a key.
    public static func value(of node: YAMLNode, text: (YAMLNode) -> String = { $0.scalar?.text ?? "" }) -> JSONValue {
        value(of: node, isData: false, text: text)
    }

    private static func value(of node: YAMLNode, isData: Bool, text: (YAMLNode) -> String) -> JSONValue {
        // Reading limits the nesting depth of nodes, so this recursion is bounded.
        if let scalar = node.scalar { return scalar.isString ? .string(text(node)) : scalar.value }
        if let sequence = node.sequence {
            return .array(sequence.map { value(of: $0, isData: isData, text: text) })
        }
        guard let mapping = node.mapping else { return .null }
        var object = JSONObject()
        object.reserveCapacity(mapping.count)
        for (key, member) in mapping {
            let name = text(key)
            var value = value(of: member, isData: isData || data.contains(name), text: text)
            if name == "type", !isData { value = withNamedNull(value) }
            object.append(name, value)
        }
        return .object(object)
    }

    private static func withNamedNull(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null: "null"
        case .array(let elements): .array(elements.map { $0.isNull ? "null" : $0 })
        case .bool, .number, .string, .object: value
        }
    }
}
