import CEL
import JSON
import SuiteModel
import Synchronization

/// The items of one collection while a server runs; every operation is atomic.
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
    // The server's connections share one loop, but the store does not depend on it.
    private let state: Mutex<State>

    /// Creates a store that holds the seed.
    init(_ definition: MockCollection, random: CELRandomSource) {
        self.definition = definition
        self.random = random
        var state = State()
        for item in definition.seed where item[definition.key] != nil {
            CollectionStore.noteNumber(of: item[definition.key], in: &state)
        }
        for item in definition.seed {
            // The loader has reported seeds that clash; such an item is left out.
            _ = try? CollectionStore.insert(item, definition, random, into: &state)
        }
        self.state = Mutex(state)
    }

    /// The items in the order in which they were created.
    func all() -> [CollectionItem] {
        state.withLock { state in
            state.order.compactMap { state.items[$0.identifier] }
        }
    }

    /// The item with an identifier.
    func item(_ identifier: String) -> CollectionItem? {
        state.withLock { $0.items[identifier] }
    }

    /// Adds an item; an identifier is made for one that has none.
    func create(_ value: JSONObject) throws(CollectionError) -> CollectionItem {
        try state.withLock { state throws(CollectionError) in
            try CollectionStore.insert(value, definition, random, into: &state)
        }
    }

    /// Replaces an item, or changes it with a JSON Merge Patch (RFC 7396).
    ///
    /// - Parameters:
    ///   - identifier: The item's identifier, from the URL.
    ///   - precondition: Whether the change may be made to the item as it is now.
    ///   - createsMissing: True when an item that does not exist is created.
    ///   - change: Gives the new members from the old ones; nil stands for a missing item.
    /// - Returns: The new version, and whether it was created.
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

    /// Counting goes on behind the greatest number that is in use.
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
            return .string(RandomUUID.next(random))
        case .string:
            while state.items[String(state.nextNumber)] != nil, state.nextNumber < .max { state.nextNumber += 1 }
            return .string(String(state.nextNumber))
        }
    }

    /// The members with the identifier first when they had none.
    private static func withIdentifier(_ own: JSONValue, key: String, _ value: JSONObject) -> JSONObject {
        if value[key] != nil {
            var value = value
            value[key] = own
            return value
        }
        return JSONObject([(key, own)] + value.map { ($0.key, $0.value) })
    }
}
