/// The elements of a list, to be found by CEL's equality without going through all of them where that can be.
struct ElementSet {
    private var keys: Set<CELMapKey> = []
    /// The elements that cannot be keys, such as lists and maps.
    private var others: [CELValue] = []

    init() {}

    /// Creates a set of a list's elements.
    init(_ list: CELList, _ meter: inout Meter) throws(CELFailure) {
        try meter.allocate(elements: list.count)
        for element in list.elements { _ = try insert(element, &meter) }
    }

    /// Adds an element unless one that is equal is there.
    ///
    /// - Returns: Whether it was added.
    mutating func insert(_ element: CELValue, _ meter: inout Meter) throws(CELFailure) -> Bool {
        try meter.step()
        // Numbers that are equal are one key, whatever their types.
        if let key = CELMapKey(lookingUp: element) { return keys.insert(key).inserted }
        if try contains(element, &meter) { return false }
        others.append(element)
        return true
    }

    /// Whether an element that is equal is there.
    func contains(_ element: CELValue, _ meter: inout Meter) throws(CELFailure) -> Bool {
        try meter.step()
        if let key = CELMapKey(lookingUp: element) { return keys.contains(key) }
        for other in others where try Equality.areEqual(element, other, &meter) { return true }
        return false
    }
}
