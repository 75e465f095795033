public import JSON

/// A CEL list, backed by an unconverted JSON array or by an array of values.
public struct CELList: Sendable {
    enum Storage: Sendable {
        case json([JSONValue])
        case values([CELValue])
    }

    let storage: Storage

    /// Creates a list from a JSON array without converting its elements.
    public init(_ elements: [JSONValue]) {
        storage = .json(elements)
    }

    /// Creates a list of values.
    public init(_ elements: [CELValue]) {
        storage = .values(elements)
    }

    /// The number of elements.
    public var count: Int {
        switch storage {
        case .json(let elements): elements.count
        case .values(let elements): elements.count
        }
    }

    /// Whether the list is empty.
    public var isEmpty: Bool { count == 0 }

    /// Returns the element at an index; nil if the index is out of bounds.
    public subscript(_ index: Int) -> CELValue? {
        switch storage {
        case .json(let elements): elements.indices.contains(index) ? CELValue(elements[index]) : nil
        case .values(let elements): elements.indices.contains(index) ? elements[index] : nil
        }
    }

    /// All elements, converted to values.
    public var elements: [CELValue] {
        switch storage {
        case .json(let elements): elements.map { CELValue($0) }
        case .values(let elements): elements
        }
    }

    /// Returns the concatenation of two lists. The concatenation of two JSON arrays is a JSON array.
    func appending(_ other: CELList) -> CELList {
        if isEmpty { return other }
        if other.isEmpty { return self }
        if case .json(let left) = storage, case .json(let right) = other.storage { return CELList(left + right) }
        return CELList(elements + other.elements)
    }
}
