public import JSON

/// A map, backed by a JSON object as it is or by entries an expression made.
public struct CELMap: Sendable {
    /// A key (bool, int, uint or string) and its value.
    typealias Entry = (key: CELValue, value: CELValue)

    enum Storage: Sendable {
        case json(JSONObject)
        case entries(Entries)
        /// A JSON object whose names are in lower case and are found whatever the case of the name asked for.
        case folded(JSONObject)
    }

    /// Entries in the order they were made, with an index once there are more than a few.
    final class Entries: Sendable {
        let list: [Entry]
        let keys: [CELMapKey]
        let index: [CELMapKey: Int]?

        init(list: [Entry], keys: [CELMapKey], index: [CELMapKey: Int]?) {
            self.list = list
            self.keys = keys
            self.index = index
        }

        func position(of key: CELMapKey) -> Int? {
            if let index { return index[key] }
            return keys.firstIndex(of: key)
        }
    }

    let storage: Storage

    /// Wraps a JSON object without converting its members.
    public init(_ object: JSONObject) {
        storage = .json(object)
    }

    /// Wraps named texts whose names are found without regard to case, as header fields are (RFC 9110, section 5.1).
    ///
    /// - Parameter object: the members; their names are in lower case already.
    public init(caseInsensitive object: JSONObject) {
        storage = .folded(object)
    }

    init(entries: Entries) {
        storage = .entries(entries)
    }

    /// Makes a map with string keys; of several members of one name the last one stays.
    public init(_ members: [(String, CELValue)]) {
        var builder = CELMapBuilder()
        for (name, value) in members { builder.set(.string(name), value) }
        storage = .entries(builder.entries())
    }

    /// The number of entries.
    public var count: Int {
        switch storage {
        case .json(let object), .folded(let object): object.count
        case .entries(let entries): entries.list.count
        }
    }

    /// True when there is no entry.
    public var isEmpty: Bool { count == 0 }

    /// The value of a string key.
    public subscript(_ name: String) -> CELValue? {
        switch storage {
        case .json(let object): object[name].map { CELValue($0) }
        case .folded(let object): object[name.lowercased()].map { CELValue($0) }
        case .entries(let entries): entries.position(of: .string(name)).map { entries.list[$0].value }
        }
    }

    /// The value of a key of any type; numbers find keys of equal value.
    func value(of key: CELValue) -> CELValue? {
        switch storage {
        case .json(let object):
            guard case .string(let name) = key else { return nil }
            return object[name].map { CELValue($0) }
        case .folded(let object):
            guard case .string(let name) = key else { return nil }
            return object[name.lowercased()].map { CELValue($0) }
        case .entries(let entries):
            guard let key = CELMapKey(lookingUp: key) else { return nil }
            return entries.position(of: key).map { entries.list[$0].value }
        }
    }

    /// All entries in their order.
    var entries: [Entry] {
        switch storage {
        case .json(let object), .folded(let object):
            var list: [Entry] = []
            list.reserveCapacity(object.count)
            for (name, value) in object { list.append((.string(name), CELValue(value))) }
            return list
        case .entries(let entries): return entries.list
        }
    }

    /// The string keys, for messages.
    var names: [String] {
        switch storage {
        case .json(let object), .folded(let object):
            var names: [String] = []
            for (name, _) in object { names.append(name) }
            return names
        case .entries(let entries):
            return entries.list.compactMap { if case .string(let name) = $0.key { name } else { nil } }
        }
    }
}
