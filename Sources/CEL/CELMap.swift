import Basics
public import JSON

/// A CEL map, backed by an unconverted JSON object or by an array of entries.
public struct CELMap: Sendable {
    /// A key of type bool, int, uint, or string, and its value.
    typealias Entry = (key: CELValue, value: CELValue)

    enum Storage: Sendable {
        case json(JSONObject)
        case entries(Entries)
        /// A JSON object with lowercase names whose lookup is case-insensitive.
        case folded(JSONObject)
    }

    /// Entries in insertion order, with an index if there are more than a few.
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

    /// Creates a map from a JSON object without converting its members.
    public init(_ object: JSONObject) {
        storage = .json(object)
    }

    /// Creates a map of strings with case-insensitive names, like those of header fields (RFC 9110, section 5.1).
    ///
    /// - Parameter object: The members, whose names must be lowercase.
    public init(caseInsensitive object: JSONObject) {
        storage = .folded(object)
    }

    init(entries: Entries) {
        storage = .entries(entries)
    }

    /// Creates a map with string keys. If a name occurs several times, the last member wins.
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

    /// Whether the map is empty.
    public var isEmpty: Bool { count == 0 }

    /// Returns the value of a string key.
    public subscript(_ name: String) -> CELValue? {
        switch storage {
        case .json(let object): object[name].map { CELValue($0) }
        case .folded(let object): object[name.lowercased()].map { CELValue($0) }
        case .entries(let entries): entries.position(of: .string(name)).map { entries.list[$0].value }
        }
    }

    /// Returns the value of a key of any type. A number finds the key with an equal value.
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

    /// All entries, in order.
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

/// A normalized map key: equal numbers of different types are one key, and strings are compared by Unicode scalars.
enum CELMapKey: Sendable, Hashable {
    case bool(Bool)
    case int(Int64)
    /// A number above `Int64.max`.
    case uint(UInt64)
    case string(String)

    /// Creates a key for a lookup; returns nil for a value that cannot be a key, so that the lookup finds nothing.
    init?(lookingUp value: CELValue) {
        switch value {
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = Int64(exactly: value).map { .int($0) } ?? .uint(value)
        case .string(let text): self = .string(text)
        case .double(let value):
            if let integer = Int64(exactly: value) {
                self = .int(integer)
            } else if let integer = UInt64(exactly: value) {
                self = .uint(integer)
            } else {
                return nil
            }
        case .number(let number):
            if let integer = number.int64 {
                self = .int(integer)
            } else if let integer = number.uint64 {
                self = .uint(integer)
            } else {
                return nil
            }
        default: return nil
        }
    }

    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.uint(let left), .uint(let right)): left == right
        case (.string(let left), .string(let right)): Scalars.areEqual(left, right)
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .uint(let value): hasher.combine(value)
        case .string(let text):
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}

extension CELMapKey {
    /// The key as a list index; nil if it is not an integer.
    var integer: Int64? {
        switch self {
        case .int(let value): value
        case .uint: .max
        case .bool, .string: nil
        }
    }
}

/// Collects the entries of a map and detects duplicate keys.
struct CELMapBuilder {
    /// The maximum number of entries for linear search; larger maps get an index.
    private static let linearLimit = 8

    private var list: [CELMap.Entry] = []
    private var keys: [CELMapKey] = []
    private var index: [CELMapKey: Int]?

    init() {}

    /// Adds an entry.
    ///
    /// - Throws: A failure if the key has an unsupported type or already exists.
    mutating func add(_ key: CELValue, _ value: CELValue) throws(CELFailure) {
        let mapKey: CELMapKey
        switch key {
        case .bool, .int, .uint, .string:
            guard let made = CELMapKey(lookingUp: key) else { throw .message("unsupported key type") }
            mapKey = made
        default: throw .message("a map key must be a string, int, uint or bool, got \(key.typeName)")
        }
        guard position(of: mapKey) == nil else { throw .message("duplicate map key \(key.shown)") }
        append(mapKey, key, value)
    }

    /// Sets an entry and replaces one with the same key.
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
