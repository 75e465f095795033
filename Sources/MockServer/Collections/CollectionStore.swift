import CEL
import JSON
import SuiteModel
import Synchronization

/// The in-memory items of one collection. Every operation is atomic.
final class CollectionStore: Sendable {
    private struct State {
        var items: [String: CollectionItem] = [:]
        /// The serial numbers of the items in ascending order, with their identifiers.
        var order: [(serial: Int, identifier: String)] = []
        var nextSerial = 0
        var nextVersion = 0
        var nextNumber: Int64 = 1
    }

    private let definition: MockCollection
    private let random: CELRandomSource
    // All connections of the server share one event loop, but the store does not rely on that.
    private let state: Mutex<State>

    /// Creates a store with the seed items.
    init(_ definition: MockCollection, random: CELRandomSource) {
        self.definition = definition
        self.random = random
        var state = State()
        for item in definition.seed where item[definition.key] != nil {
            CollectionStore.noteNumber(of: item[definition.key], in: &state)
        }
        for item in definition.seed {
            // The loader has reported conflicting seed items. The store skips them.
            _ = try? CollectionStore.insert(item, definition, random, into: &state)
        }
        self.state = Mutex(state)
    }

    /// Returns the items in creation order.
    func all() -> [CollectionItem] {
        state.withLock { state in
            state.order.compactMap { state.items[$0.identifier] }
        }
    }

    /// Returns the item with an identifier.
    func item(_ identifier: String) -> CollectionItem? {
        state.withLock { $0.items[identifier] }
    }

    /// Adds an item and generates an identifier if it has none.
    func create(_ value: JSONObject) throws(CollectionError) -> CollectionItem {
        try state.withLock { state throws(CollectionError) in
            try CollectionStore.insert(value, definition, random, into: &state)
        }
    }

    /// Replaces an item or applies a JSON Merge Patch to it (RFC 7396).
    ///
    /// - Parameters:
    ///   - identifier: The identifier from the URL.
    ///   - precondition: A closure that returns whether the current item may be changed.
    ///   - createsMissing: Whether to create the item if it does not exist.
    ///   - change: A closure that returns the new members for the old ones, which are `nil` for a missing item.
    /// - Returns: The new version of the item, and whether it was created.
    func change(
        _ identifier: String, precondition: (CollectionItem?) -> Bool, createsMissing: Bool,
        _ change: (JSONObject?) -> JSONObject
    ) throws(CollectionError) -> (item: CollectionItem, isNew: Bool) {
        try state.withLock { state throws(CollectionError) in
            let old = state.items[identifier]
            if old == nil, !createsMissing { throw .notFound }
            guard precondition(old) else { throw .preconditionFailed }
            let key = definition.key
            let own = old?.value[key] ?? .string(identifier)
            var value = change(old?.value)
            if let given = value[key], given != own { throw .identifierDiffers(given.serialized()) }
            value = CollectionStore.withIdentifier(own, key: key, value)
            guard let old else { return (try CollectionStore.insert(value, definition, random, into: &state), true) }
            state.nextVersion += 1
            let item = CollectionItem(
                serial: old.serial, version: state.nextVersion, identifier: identifier, value: value)
            state.items[identifier] = item
            return (item, false)
        }
    }

    /// Removes an item.
    func delete(_ identifier: String, precondition: (CollectionItem?) -> Bool) throws(CollectionError) {
        try state.withLock { state throws(CollectionError) in
            guard let item = state.items[identifier] else { throw .notFound }
            guard precondition(item) else { throw .preconditionFailed }
            state.items[identifier] = nil
            var low = 0
            var high = state.order.count
            while low < high {
                let middle = (low + high) / 2
                if state.order[middle].serial < item.serial { low = middle + 1 } else { high = middle }
            }
            if low < state.order.count { state.order.remove(at: low) }
        }
    }

    private static func insert(
        _ value: JSONObject, _ definition: MockCollection, _ random: CELRandomSource, into state: inout State
    ) throws(CollectionError) -> CollectionItem {
        let given = value[definition.key]
        let own: JSONValue
        if let given, !given.isNull {
            guard definition.identifier.accepts(given) else { throw .badIdentifier(given.serialized()) }
            own = given
        } else {
            own = nextIdentifier(definition.identifier, random, in: &state)
        }
        let identifier = own.identifierText
        guard state.items[identifier] == nil else { throw .identifierTaken(identifier) }
        noteNumber(of: own, in: &state)
        state.nextSerial += 1
        state.nextVersion += 1
        let item = CollectionItem(
            serial: state.nextSerial, version: state.nextVersion, identifier: identifier,
            value: withIdentifier(own, key: definition.key, value))
        state.items[identifier] = item
        state.order.append((item.serial, identifier))
        return item
    }

    /// Advances the counter past an integer identifier, so that generated identifiers stay unique.
    private static func noteNumber(of value: JSONValue?, in state: inout State) {
        guard let number = value?.numberValue?.int64, number >= state.nextNumber, number < .max else { return }
        state.nextNumber = number + 1
    }

    private static func nextIdentifier(
        _ kind: MockCollection.Identifier, _ random: CELRandomSource, in state: inout State
    ) -> JSONValue {
        switch kind {
        case .integer:
            return .number(JSONNumber(state.nextNumber))
        case .uuid:
            return .string(random.uuid())
        case .string:
            while state.items[String(state.nextNumber)] != nil, state.nextNumber < .max { state.nextNumber += 1 }
            return .string(String(state.nextNumber))
        }
    }

    /// Returns the members with the identifier, which comes first if it was missing.
    private static func withIdentifier(_ own: JSONValue, key: String, _ value: JSONObject) -> JSONObject {
        if value[key] != nil {
            var value = value
            value[key] = own
            return value
        }
        return JSONObject([(key, own)] + value.map { ($0.key, $0.value) })
    }
}

/// A version of an item with its serialized form, which is created once per change.
struct CollectionItem: Sendable {
    /// The position in creation order.
    let serial: Int
    /// The identifier as it appears in URLs, before percent-encoding.
    let identifier: String
    /// The members of the item.
    let value: JSONObject
    /// The members, serialized as JSON.
    let bytes: [UInt8]
    /// The entity tag (RFC 9110, section 8.8.3).
    let tag: String

    /// Creates a version of an item.
    init(serial: Int, version: Int, identifier: String, value: JSONObject) {
        self.serial = serial
        self.identifier = identifier
        self.value = value
        bytes = JSONValue.object(value).serializedBytes()
        tag = "\"\(serial)-\(version)\""
    }
}

/// A filter of a list request: a member must equal one of the given values.
struct CollectionFilter {
    private let name: String
    private let texts: [String]
    private let numbers: [JSONNumber]

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - texts: The accepted values from the query.
    init(name: String, texts: [String]) {
        self.name = name
        self.texts = texts
        numbers = texts.compactMap { JSONNumber(literal: $0) }
    }

    /// Returns whether the member of an item has an accepted value. An array matches if any of its elements does.
    func holds(for item: JSONObject) -> Bool {
        guard let value = item[name] else { return false }
        if case .array(let elements) = value { return elements.contains(where: equals) }
        return equals(value)
    }

    private func equals(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): texts.contains(text)
        case .number(let number): numbers.contains(number)
        case .bool(let value): texts.contains(value ? "true" : "false")
        case .null: texts.contains("null")
        case .array, .object: false
        }
    }
}

extension MockCollection.Identifier {
    /// A noun phrase for messages that describes the identifiers.
    var phrase: String {
        switch self {
        case .integer: "an integer"
        case .uuid: "a UUID"
        case .string: "a non-empty string"
        }
    }

    /// Returns whether a value from a client is a valid identifier.
    func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.integer, .number(let number)): number.int64 != nil
        case (.uuid, .string(let text)): MockCollection.Identifier.isUUID(text)
        case (.string, .string(let text)): !text.isEmpty
        default: false
        }
    }

    /// Returns whether a string has the form of a UUID (RFC 9562, section 4).
    static func isUUID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 36
            && bytes.indices.allSatisfy { index in
                if index == 8 || index == 13 || index == 18 || index == 23 { return bytes[index] == UInt8(ascii: "-") }
                switch bytes[index] {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "A")...UInt8(ascii: "F"):
                    return true
                default: return false
                }
            }
    }
}

extension JSONValue {
    /// The value as an identifier in a URL, before percent-encoding.
    var identifierText: String {
        switch self {
        case .string(let text): text
        case .number(let number): number.int64.map { String($0) } ?? number.literal
        default: serialized()
        }
    }
}

/// An error that a collection reports when it refuses a change.
enum CollectionError: Error {
    /// No item has the identifier.
    case notFound
    /// Another item already has the identifier.
    case identifierTaken(String)
    /// The identifier in the body does not have the type that the collection uses.
    case badIdentifier(String)
    /// The identifier in the body differs from the one in the URL.
    case identifierDiffers(String)
    /// The precondition of the request failed.
    case preconditionFailed
}
