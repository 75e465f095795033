public import Diagnostics
public import JSON
import Synchronization
public import YAML

/// One of the files that a description is made of.
public final class DescriptionFile: Sendable {
    /// Where the file is: what its source finds it by, and what relative references in it start from.
    public let location: String
    /// What the file says; of a Swagger 2.0 file, what it says in the terms of OpenAPI 3.0.
    public let value: JSONValue
    /// The URI that the file calls itself by (`$self`, OpenAPI 3.2).
    let selfURI: String?
    /// Whether schemas in it may have names of their own (`$id`, `$anchor`).
    let mayNameSchemas: Bool
    private let document: LocatedDocument
    private let places: PlaceMap?
    private let names = Mutex<SchemaNames?>(nil)

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - location: Where the file is.
    ///   - document: What was read.
    public convenience init(location: String, document: LocatedDocument) {
        self.init(location: location, document: document, value: document.value, places: nil)
    }

    /// Creates a file whose contents were converted.
    ///
    /// - Parameters:
    ///   - location: Where the file is.
    ///   - document: What was read.
    ///   - value: What the description reads in its place.
    ///   - places: What of the document has become what of the value.
    init(location: String, document: LocatedDocument, value: JSONValue, places: PlaceMap?) {
        self.location = location
        self.document = document
        self.value = value
        self.places = places
        selfURI = value["$self"]?.stringValue
        mayNameSchemas = document.file.text.mayNameSchemas
    }

    /// The file's name as it is shown.
    public var name: String { document.file.name }

    /// The text of the file.
    public var source: SourceFile { document.file }

    /// The file as it is written: of a Swagger 2.0 file, before it was converted.
    var original: DescriptionFile {
        places == nil ? self : DescriptionFile(location: location, document: document)
    }

    /// The place of a value: the value if it is on one line, otherwise its key, otherwise that of what holds it.
    public func range(of pointer: JSONPointer) -> SourceRange? {
        var tokens = originalTokens(pointer.tokens)
        while true {
            if let range = document.place(of: tokens) { return range }
            if tokens.popLast() == nil { return nil }
        }
    }

    /// The place of a member's name; the value's when it is no member.
    public func keyRange(of pointer: JSONPointer) -> SourceRange? {
        document.keyPlace(of: originalTokens(pointer.tokens)) ?? range(of: pointer)
    }

    /// The way in the document to what the tokens of a JSON Pointer lead to in ``value``.
    private func originalTokens(_ tokens: [String]) -> [String] { places?.original(of: tokens) ?? tokens }

    /// The way in ``value`` to what a pointer leads to in the document; nil when nothing was converted.
    func convertedPointer(_ pointer: JSONPointer) -> JSONPointer? {
        places?.converted(of: pointer.tokens).map { JSONPointer(tokens: $0) }
    }

    /// The names that schemas in the file give themselves, found at the first use.
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
    /// Whether `"$id` or `$anchor` occurs.
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
    /// Whether both are the same object.
    public static func == (left: DescriptionFile, right: DescriptionFile) -> Bool { left === right }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What of a document has become what of its converted form, as ways from the top.
///
/// What stands below a known place is below its counterpart too.
struct PlaceMap: Sendable {
    /// A tree of ways, each of which may have a counterpart.
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

        /// The counterpart of the longest known beginning of a way, with what remains of it.
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

    /// Adds what another one knows.
    mutating func merge(_ other: PlaceMap) {
        originals.merge(other.originals)
        conversions.merge(other.conversions)
    }

    /// Notes that what stood at `original` is at `converted`; what is said first of a place counts.
    mutating func note(_ converted: [String], from original: [String]) {
        originals.set(original, at: converted[...])
        conversions.set(converted, at: original[...])
    }

    /// Notes where something comes from that has no place of its own.
    mutating func noteOrigin(of converted: [String], _ original: [String]) {
        originals.set(original, at: converted[...])
    }

    /// Notes where something is now that is also somewhere else.
    mutating func noteCopy(_ converted: [String], of original: [String]) {
        conversions.set(converted, at: original[...])
    }

    /// Where something stood.
    func original(of tokens: [String]) -> [String] { originals.counterpart(of: tokens) ?? tokens }

    /// Where something is now; nil when it is where it was.
    func converted(of tokens: [String]) -> [String]? { conversions.counterpart(of: tokens) }
}
