public import Diagnostics
public import JSON

/// A value in a file of a description, with its location.
public struct DescriptionNode: Sendable {
    /// The file with the value.
    public let file: DescriptionFile
    /// The JSON Pointer to the value.
    public let pointer: JSONPointer
    /// The value.
    public let value: JSONValue

    /// Creates a node.
    public init(file: DescriptionFile, pointer: JSONPointer = JSONPointer(), value: JSONValue) {
        self.file = file
        self.pointer = pointer
        self.value = value
    }

    /// The source range of the value.
    public var range: SourceRange? { file.range(of: pointer) }

    /// The source range of the value's key.
    public var keyRange: SourceRange? { file.keyRange(of: pointer) }

    /// The location as a string: `openapi.yaml#/paths/~1books/get`.
    public var locationText: String { "\(file.name)#\(pointer)" }

    /// The last token of the pointer: the name of a member or the index of an element.
    public var name: String { pointer.tokens.last ?? "" }

    /// The member of an object with a name, or `nil` if there is none.
    public subscript(_ name: String) -> DescriptionNode? {
        value[name].map { DescriptionNode(file: file, pointer: pointer.appending(name), value: $0) }
    }

    /// The members of an object, in order. Empty for any other value.
    public var members: [DescriptionNode] {
        guard let object = value.objectValue else { return [] }
        return object.map { DescriptionNode(file: file, pointer: pointer.appending($0.key), value: $0.value) }
    }

    /// The elements of an array, in order. Empty for any other value.
    public var elements: [DescriptionNode] {
        guard let array = value.arrayValue else { return [] }
        return array.enumerated().map {
            DescriptionNode(file: file, pointer: pointer.appending($0.offset), value: $0.element)
        }
    }

    /// The string of a `$ref`.
    public var reference: String? { value["$ref"]?.stringValue }
}

extension DescriptionNode: Hashable {
    /// Returns whether both nodes have the same location.
    public static func == (left: DescriptionNode, right: DescriptionNode) -> Bool {
        left.file == right.file && left.pointer == right.pointer
    }

    /// Hashes the location.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(file)
        hasher.combine(pointer)
    }
}
