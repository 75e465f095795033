/// Collects the entries of a map and finds repeated keys.
struct CELMapBuilder {
    /// Up to this many entries are searched one after another; more get an index.
    private static let linearLimit = 8

    private var list: [CELMap.Entry] = []
    private var keys: [CELMapKey] = []
    private var index: [CELMapKey: Int]?

    init() {}

    /// Adds an entry.
    ///
    /// - Throws: A failure when the key is of a type that cannot be a key, or is there already.
    mutating func add(_ key: CELValue, _ value: CELValue) throws(CELFailure) {
        let mapKey: CELMapKey
        switch key {
        case .bool, .int, .uint, .string:
            guard let made = CELMapKey(lookingUp: key) else { throw .message("unsupported key type") }
            mapKey = made
        default: throw .message("a map key is a string, int, uint or bool, not \(key.typeName)")
        }
        guard position(of: mapKey) == nil else { throw .message("the key \(key.shown) is in the map twice") }
        append(mapKey, key, value)
    }

    /// Sets an entry, replacing one of the same key.
    mutating func set(_ key: CELValue, _ value: CELValue) {
        guard let mapKey = CELMapKey(lookingUp: key) else { return }
        if let position = position(of: mapKey) {
            list[position] = (key, value)
        } else {
            append(mapKey, key, value)
        }
    }

    func entries() -> CELMap.Entries {
        CELMap.Entries(list: list, keys: keys, index: index)
    }

    private func position(of key: CELMapKey) -> Int? {
        if let index { return index[key] }
        return keys.firstIndex(of: key)
    }

    private mutating func append(_ mapKey: CELMapKey, _ key: CELValue, _ value: CELValue) {
        index?[mapKey] = list.count
        list.append((key, value))
        keys.append(mapKey)
        if index == nil, list.count > Self.linearLimit {
            index = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }
}
