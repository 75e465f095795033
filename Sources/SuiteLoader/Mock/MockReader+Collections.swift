import Basics
import Diagnostics
import JSON
import SuiteModel
import YAML

extension MockReader {
    /// Returns the collections of a mapping.
    func collections(_ node: YAMLNode) -> [MockCollection] {
        var collections: [MockCollection] = []
        var paths: [String: SourceRange] = [:]
        for (key, value) in node.members {
            guard let name = key.scalar?.text else { continue }
            var collection = MockCollection(name: name, path: "", range: key.range)
            var seed: YAMLNode?
            MapReader(context, CollectionKey.schema).read(value) { key, _, value in
                switch key {
                case .path: collection.path = path(value, &paths) ?? ""
                case .id:
                    let word = value.scalar?.text ?? ""
                    if let identifier = MockCollection.Identifier(rawValue: word) {
                        collection.identifier = identifier
                    } else {
                        context.report(
                            "invalid-value", "unknown kind of identifier \"\(word)\"", value.range,
                            suggestion: "write integer, uuid or string")
                    }
                case .key: collection.key = templates.constant(value, what: "a member's name")
                case .seed: seed = value
                }
            }
            if let seed { readSeed(seed, into: &collection) }
            if !collection.path.isEmpty { collections.append(collection) }
        }
        return collections
    }

    private func path(_ node: YAMLNode, _ paths: inout [String: SourceRange]) -> String? {
        guard let text = node.scalar?.text else { return nil }
        do {
            let path = try MockPath(text)
            guard let segments = path.literalSegments, segments.last?.isEmpty == false else {
                context.report(
                    "invalid-path", "the path of a collection cannot have parameters, \"*\" or a trailing \"/\"",
                    node.range,
                    suggestion: "for example, write \"/books\"")
                return nil
            }
        } catch {
            context.report(
                "invalid-path", error.message,
                ScalarLocator.range(in: node, from: error.offset, to: error.offset + error.length))
            return nil
        }
        if let previous = paths[text] {
            context.report(
                "duplicate-collection", "duplicate collection path \"\(text)\"", node.range,
                related: [Diagnostic.Related(message: "the other one is here", range: previous)])
        }
        paths[text] = node.range
        return text
    }

    // MARK: - Seeds

    private func readSeed(_ node: YAMLNode, into collection: inout MockCollection) {
        var items: [(value: JSONValue, range: SourceRange)] = []
        if let list = node.sequence {
            for element in list {
                let firstUse = context.uses.count
                if case .constant(let value) = templates.value(element) {
                    items.append((value, element.range))
                } else {
                    context.uses.removeSubrange(firstUse...)
                    context.report("expression-not-allowed", "a seed cannot contain expressions", element.range)
                }
            }
        } else if let text = node.scalar?.text {
            items = seedFile(text, node.range)
        }
        var identifiers: [JSONValue: SourceRange] = [:]
        for (value, range) in items {
            guard case .object(let object) = value else {
                context.report("wrong-type", "an item of a collection must be a mapping", range)
                continue
            }
            collection.seed.append(object)
            guard let identifier = object[collection.key], !identifier.isNull else { continue }
            if !MockReader.fits(identifier, collection.identifier) {
                context.report(
                    "invalid-identifier",
                    "the \"\(collection.key)\" of the item is \(identifier.serialized()), "
                        + "but the identifiers of the collection must be \(MockReader.phrase(collection.identifier))",
                    range)
            } else if let previous = identifiers[identifier] {
                context.report(
                    "duplicate-identifier", "two items have the same \(collection.key) \(identifier.serialized())",
                    range,
                    related: previous == range
                        ? [] : [Diagnostic.Related(message: "the other one is here", range: previous)])
            }
            identifiers[identifier] = range
        }
    }

    /// Returns the items of a file with a sequence; each has its source range in that file.
    private func seedFile(_ path: String, _ range: SourceRange) -> [(value: JSONValue, range: SourceRange)] {
        guard let bytes = context.bytes(ofFile: path, range) else { return [] }
        let file = SourceFile(name: path, text: bytes)
        if path.hasSuffix(".json") {
            // JSON is checked with its strict grammar, because YAML also accepts text that is not JSON.
            do {
                _ = try JSONValue(parsing: bytes)
            } catch {
                var problem = Diagnostic.invalidJSON(error, in: file)
                problem.related = [
                    Diagnostic.Related(message: "the file is the seed of this collection", range: range)
                ]
                context.diagnostics.add(problem)
                return []
            }
        }
        let (documents, problems) = YAMLStream.parse(file)
        context.diagnostics.add(contentsOf: problems)
        guard let root = documents.first else { return [] }
        guard let list = root.sequence else {
            context.report(
                "wrong-type", "expected an array of items, got \(root.typeDescription)", root.range,
                related: [Diagnostic.Related(message: "the file is the seed of this collection", range: range)])
            return []
        }
        return list.map { ($0.json, $0.range) }
    }

    private static func fits(_ value: JSONValue, _ kind: MockCollection.Identifier) -> Bool {
        switch (kind, value) {
        case (.integer, .number(let number)): number.int64 != nil
        case (.uuid, .string(let text)): isUUID(text)
        case (.string, .string(let text)): !text.isEmpty
        default: false
        }
    }

    private static func phrase(_ kind: MockCollection.Identifier) -> String {
        switch kind {
        case .integer: "integers"
        case .uuid: "UUIDs"
        case .string: "strings"
        }
    }

    private static func isUUID(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.joined().allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "A")...UInt8(ascii: "F"):
                    true
                default: false
                }
            }
    }
}
