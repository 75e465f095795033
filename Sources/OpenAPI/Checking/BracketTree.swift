import JSON

/// Texts by the keys that stand in brackets after a name: `phases[0][items][]=a`.
struct BracketTree {
    /// How many keys of a name are looked at.
    static let depth = 8

    private var text: String?
    private var members: [(key: String, tree: BracketTree)] = []
    private var positions: [String: Int] = [:]

    /// Whether it holds nothing.
    var isEmpty: Bool { text == nil && members.isEmpty }

    /// Puts a text where its keys lead; each empty key leads to an element of its own.
    mutating func insert(_ text: String, at keys: ArraySlice<String>) {
        guard let key = keys.first else {
            self.text = text
            return
        }
        let position: Int
        if !key.isEmpty, let known = positions[key] {
            position = known
        } else {
            position = members.count
            members.append((key, BracketTree()))
            positions[key] = position
        }
        members[position].tree.insert(text, at: keys.dropFirst())
    }

    /// The values that it may stand for, the likeliest first; never none.
    func values(_ shape: ValueShape) -> [JSONValue] {
        if members.isEmpty { return shape.readings(of: text ?? "") }
        let hasEmptyKeys = positions[""] != nil
        let indices = members.compactMap { Int($0.key) }
        let hasIndices = indices.count == members.count
        let isObject = shape.types.contains(.object)
        var values: [JSONValue] = []
        if hasEmptyKeys || shape.types.contains(.array) && (hasIndices || !isObject) {
            // The sort keeps the order of what has the same place.
            let order =
                hasIndices
                ? members.indices.sorted { (indices[$0], $0) < (indices[$1], $1) } : Array(members.indices)
            let elements = order.map { members[$0].tree.values(shape.element) }
            values = StyledValue.combinations(of: elements).map { .array($0) }
        }
        if values.isEmpty || isObject && !hasEmptyKeys {
            values += StyledValue.objects(
                of: members.map { ($0.key, $0.tree.values(shape.member($0.key))) })
        }
        return values
    }
}
