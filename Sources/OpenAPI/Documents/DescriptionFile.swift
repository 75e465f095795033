public import Diagnostics
public import JSON
public import YAML

/// One of the files that a description is made of.
public final class DescriptionFile: Sendable {
    /// Where the file is: what its source finds it by, and what relative references in it start from.
    public let location: String
    /// What the file says; of a Swagger 2.0 file, what it says in the terms of OpenAPI 3.0.
    public let value: JSONValue
    private let document: LocatedDocument
    private let originalTokens: @Sendable ([String]) -> [String]

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - location: Where the file is.
    ///   - document: What was read.
    ///   - value: What the description reads in its place; by default the same.
    ///   - originalTokens: The way in the document to what the tokens of a JSON Pointer lead to in `value`.
    public init(
        location: String, document: LocatedDocument, value: JSONValue? = nil,
        originalTokens: @escaping @Sendable ([String]) -> [String] = { $0 }
    ) {
        self.location = location
        self.document = document
        self.value = value ?? document.value
        self.originalTokens = originalTokens
    }

    /// The file's name as it is shown.
    public var name: String { document.file.name }

    /// The text of the file.
    public var source: SourceFile { document.file }

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
}

extension DescriptionFile: Hashable {
    /// Whether both are the same object.
    public static func == (left: DescriptionFile, right: DescriptionFile) -> Bool { left === right }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
