public import Diagnostics
public import JSON
import Synchronization
public import YAML

/// A file that is part of a description.
public final class DescriptionFile: Sendable {
    /// The location of the file, which its source uses to find it and which relative references resolve against.
    public let location: String
    /// The content of the file. A Swagger 2.0 file is converted to OpenAPI 3.0.
    public let value: JSONValue
    /// The file's own URI (`$self`, OpenAPI 3.2).
    let selfURI: String?
    /// Whether the file may contain schemas with their own names (`$id`, `$anchor`).
    let mayNameSchemas: Bool
    private let document: LocatedDocument
    private let locations: LocationMap?
    private let names = Mutex<SchemaNames?>(nil)

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - location: The location of the file.
    ///   - document: The parsed document.
    public convenience init(location: String, document: LocatedDocument) {
        self.init(location: location, document: document, value: document.value, locations: nil)
    }

    /// Creates a file with converted content.
    ///
    /// - Parameters:
    ///   - location: The location of the file.
    ///   - document: The parsed document.
    ///   - value: The converted content.
    ///   - locations: The mapping between locations in the document and in the converted content.
    init(location: String, document: LocatedDocument, value: JSONValue, locations: LocationMap?) {
        self.location = location
        self.document = document
        self.value = value
        self.locations = locations
        selfURI = value["$self"]?.stringValue
        mayNameSchemas = document.file.text.mayNameSchemas
    }

    /// The display name of the file.
    public var name: String { document.file.name }

    /// The source text of the file.
    public var source: SourceFile { document.file }

    /// The file as written, which for Swagger 2.0 is the file before conversion.
    var original: DescriptionFile {
        locations == nil ? self : DescriptionFile(location: location, document: document)
    }

    /// Returns the source range of a value, of its key if the value spans several lines, or else of the enclosing
    /// value.
    public func range(of pointer: JSONPointer) -> SourceRange? {
        var tokens = originalTokens(pointer.tokens)
        while true {
            if let range = document.location(of: tokens) { return range }
            if tokens.popLast() == nil { return nil }
        }
    }

    /// Returns the source range of a member's name, or the range of the value if it is not a member.
    public func keyRange(of pointer: JSONPointer) -> SourceRange? {
        document.keyLocation(of: originalTokens(pointer.tokens)) ?? range(of: pointer)
    }

    /// Returns the path in the document for the tokens of a JSON Pointer into ``value``.
    private func originalTokens(_ tokens: [String]) -> [String] { locations?.original(of: tokens) ?? tokens }

    /// Returns the pointer into ``value`` for a pointer into the document, or `nil` if the file was not converted.
    func convertedPointer(_ pointer: JSONPointer) -> JSONPointer? {
        locations?.converted(of: pointer.tokens).map { JSONPointer(tokens: $0) }
    }

    /// The names that schemas in the file define for themselves, collected on first use.
    var schemaNames: SchemaNames {
        guard mayNameSchemas else { return SchemaNames() }
        return names.withLock { names in
            if let names { return names }
            let found = SchemaNames(of: value, in: selfURI ?? "")
            names = found
            return found
        }
    }
}

extension [UInt8] {
    /// Whether the bytes contain `$id`, `$anchor`, or `$dynamicAnchor`.
    fileprivate var mayNameSchemas: Bool {
        var rest = self[...]
        while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
            rest = rest[(dollar + 1)...]
            if rest.starts(with: "id".utf8) || rest.starts(with: "anchor".utf8)
                || rest.starts(with: "dynamicAnchor".utf8)
            {
                return true
            }
        }
        return false
    }
}

extension DescriptionFile: Hashable {
    /// Returns whether both are the same object.
    public static func == (left: DescriptionFile, right: DescriptionFile) -> Bool { left === right }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A mapping between paths in a document and paths in its converted form.
///
/// A path below a known one maps to the same position below the counterpart.
struct LocationMap: Sendable {
    /// A tree of paths with optional counterparts.
    private struct Branch: Sendable {
        var counterpart: [String]?
        var branches: [String: Branch] = [:]

        mutating func set(_ counterpart: [String], at tokens: ArraySlice<String>) {
            guard let first = tokens.first else {
                if self.counterpart == nil { self.counterpart = counterpart }
                return
            }
            branches[first, default: Branch()].set(counterpart, at: tokens.dropFirst())
        }

        mutating func merge(_ other: Branch) {
            counterpart = counterpart ?? other.counterpart
            for (token, branch) in other.branches { branches[token, default: Branch()].merge(branch) }
        }

        /// Returns the counterpart of the longest known prefix of a path, followed by the rest of the path.
        func counterpart(of tokens: [String]) -> [String]? {
            var branch = self
            var best = counterpart.map { ($0, 0) }
            for (position, token) in tokens.enumerated() {
                guard let next = branch.branches[token] else { break }
                branch = next
                if let known = next.counterpart { best = (known, position + 1) }
            }
            return best.map { $0.0 + tokens[$0.1...] }
        }
    }

    private var originals = Branch()
    private var conversions = Branch()

    /// Adds the entries of another mapping.
    mutating func merge(_ other: LocationMap) {
        originals.merge(other.originals)
        conversions.merge(other.conversions)
    }

    /// Records that a value moved from `original` to `converted`. The first entry for a path wins.
    mutating func note(_ converted: [String], from original: [String]) {
        originals.set(original, at: converted[...])
        conversions.set(converted, at: original[...])
    }

    /// Records the origin of a value that has no location of its own.
    mutating func noteOrigin(of converted: [String], _ original: [String]) {
        originals.set(original, at: converted[...])
    }

    /// Records an additional location of a value.
    mutating func noteCopy(_ converted: [String], of original: [String]) {
        conversions.set(converted, at: original[...])
    }

    /// Returns the path in the original document.
    func original(of tokens: [String]) -> [String] { originals.counterpart(of: tokens) ?? tokens }

    /// Returns the path in the converted document, or `nil` if the value did not move.
    func converted(of tokens: [String]) -> [String]? { conversions.counterpart(of: tokens) }
}
