public import JSON

/// A list, backed by a JSON array as it is or by values an expression made.
public struct CELList: Sendable {
    enum Storage: Sendable {
        case json([JSONValue])
        case values([CELValue])
    }

    let storage: Storage

    /// Wraps a JSON array without converting its elements.
    public init(_ elements: [JSONValue]) {
        storage = .json(elements)
    }

    /// Makes a list of values.
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

    /// True when there is no element.
    public var isEmpty: Bool { count == 0 }

    /// The element at an index, or nil outside of the list.
    public subscript(_ index: Int) -> CELValue? {
        switch storage {
        case .json(let elements): elements.indices.contains(index) ? CELValue(elements[index]) : nil
        case .values(let elements): elements.indices.contains(index) ? elements[index] : nil
        }
    }

    /// All elements as values.
    public var elements: [CELValue] {
        switch storage {
        case .json(let elements): elements.map { CELValue($0) }
        case .values(let elements): elements
        }
    }

    /// A list of this one's elements and then another's; JSON arrays stay JSON arrays.
    func appending(_ other: CELList) -> CELList {
        if isEmpty { return other }
        if other.isEmpty { return self }
        if case .json(let left) = storage, case .json(let right) = other.storage { return CELList(left + right) }
        return CELList(elements + other.elements)
    }
}
