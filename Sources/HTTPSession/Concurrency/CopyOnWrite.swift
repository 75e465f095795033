/// A value behind one reference, so that to pass it on copies that alone.
///
/// Whoever changes it while others hold it too gets a copy of its own.
@propertyWrapper
struct CopyOnWrite<Value: Sendable>: Sendable {
    // Changed only by its one holder, as the setter sees to it.
    private final class Storage: @unchecked Sendable {
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage

    init(wrappedValue: Value) {
        storage = Storage(wrappedValue)
    }

    /// The value; to read or change a part of it copies that alone.
    var wrappedValue: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }

    /// Changes the value, also one behind an optional.
    mutating func change(_ body: (inout Value) -> Void) { body(&wrappedValue) }
}

extension CopyOnWrite: Equatable where Value: Equatable {
    static func == (first: CopyOnWrite, second: CopyOnWrite) -> Bool { first.wrappedValue == second.wrappedValue }
}

extension CopyOnWrite: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}
