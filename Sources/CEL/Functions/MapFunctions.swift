import Basics
import JSON

/// The methods of maps: `keys`, `values`, `merge`, `pick`, and `omit`.
enum MapFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.method("keys") { value, state throws(CELFailure) in
            .list(CELList(try entries(value, &state).map(\.key)))
        }
        functions.method("values") { value, state throws(CELFailure) in
            .list(CELList(try entries(value, &state).map(\.value)))
        }
        functions.method("merge") { value, other, state throws(CELFailure) in
            var builder = CELMapBuilder()
            for (key, value) in try entries(value, &state) { builder.set(key, value) }
            for (key, value) in try entries(other, &state) { builder.set(key, value) }
            return .map(CELMap(entries: builder.entries()))
        }
        functions.method("pick") { value, keys, state throws(CELFailure) in
            guard case .map(let map) = value, case .list(let keys) = keys else { throw .noOverload }
            try state.meter.step(keys.count)
            try state.meter.allocate(elements: 2 * keys.count)
            var builder = CELMapBuilder()
            for key in keys.elements {
                try requireKey(key, "pick")
                if let value = map.value(of: key) { builder.set(key, value) }
            }
            return .map(CELMap(entries: builder.entries()))
        }
        functions.method("omit") { value, keys, state throws(CELFailure) in
            guard case .list(let keys) = keys else { throw .noOverload }
            let entries = try entries(value, &state)
            try state.meter.step(keys.count)
            var omitted: Set<CELMapKey> = []
            for key in keys.elements {
                try requireKey(key, "omit")
                if let key = CELMapKey(lookingUp: folded(key, like: value)) { omitted.insert(key) }
            }
            var builder = CELMapBuilder()
            for (key, value) in entries {
                if let mapKey = CELMapKey(lookingUp: key), omitted.contains(mapKey) { continue }
                builder.set(key, value)
            }
            return .map(CELMap(entries: builder.entries()))
        }
    }

    /// Returns the entries of a map and deducts their size.
    private static func entries(
        _ value: CELValue, _ state: inout CallState
    ) throws(CELFailure) -> [CELMap.Entry] {
        guard case .map(let map) = value else { throw .noOverload }
        try state.meter.step(map.count)
        try state.meter.allocate(elements: 2 * map.count)
        return map.entries
    }

    private static func requireKey(_ key: CELValue, _ name: String) throws(CELFailure) {
        switch key {
        case .string, .int, .uint, .bool: return
        default: throw .message("\(name)() requires a list of keys, but one of its elements is \(key.typeName)")
        }
    }

    /// Returns a key in lowercase if the map has case-insensitive names.
    private static func folded(_ key: CELValue, like map: CELValue) -> CELValue {
        guard case .string(let name) = key, case .map(let map) = map, case .folded = map.storage else { return key }
        return .string(name.lowercased())
    }
}
