public import Diagnostics
public import JSON

/// A value in one of a description's files, with its place.
public struct DescriptionNode: Sendable {
    /// The file.
    public let file: DescriptionFile
    /// The way to the value.
    public let pointer: JSONPointer
    /// The value.
    public let value: JSONValue

    /// Creates a node.
    public init(file: DescriptionFile, pointer: JSONPointer = JSONPointer(), value: JSONValue) {
        self.file = file
        self.pointer = pointer
        self.value = value
    }

    /// The place in the file.
    public var range: SourceRange? { file.range(of: pointer) }

    /// The place of the name under which the value stands.
    public var keyRange: SourceRange? { file.keyRange(of: pointer) }

    /// The place as text: `openapi.yaml#/paths/~1books/get`.
    public var placeText: String { "\(file.name)#\(pointer)" }

    /// The last token of the way to the value: a member's name or an element's index.
    public var name: String { pointer.tokens.last ?? "" }

    /// The member of an object.
    public subscript(_ name: String) -> DescriptionNode? {
        value[name].map { DescriptionNode(file: file, pointer: pointer.appending(name), value: $0) }
    }

    /// The members of an object, in order; none of anything else.
    public var members: [DescriptionNode] {
        guard let object = value.objectValue else { return [] }
        return object.map { DescriptionNode(file: file, pointer: pointer.appending($0.key), value: $0.value) }
    }

    /// The elements of an array, in order; none of anything else.
    public var elements: [DescriptionNode] {
        guard let array = value.arrayValue else { return [] }
        return array.enumerated().map {
            DescriptionNode(file: file, pointer: pointer.appending($0.offset), value: $0.element)
        }
    }

    /// The text of a `$ref`.
    public var reference: String? { value["$ref"]?.stringValue }
}

extension DescriptionNode: Hashable {
    /// Whether both are the same place.
    public static func == (left: DescriptionNode, right: DescriptionNode) -> Bool {
        left.file == right.file && left.pointer == right.pointer
    }

    /// Hashes the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(file)
        hasher.combine(pointer)
    }
}
