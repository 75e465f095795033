/// A value behind one reference, so that to pass it on copies that alone.
///
/// Whoever changes it while others hold it too gets a copy of its own.
struct CopyOnWrite<Value: Sendable>: Sendable {
    // Changed only by its one holder, as `change` sees to it.
    private final class Storage: @unchecked Sendable {
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage

    init(_ value: Value) {
        storage = Storage(value)
    }

    /// The value; to read a part of it copies that alone.
    var value: Value {
        _read { yield storage.value }
    }

    /// Changes the value, here only.
    mutating func change(_ body: (inout Value) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
        body(&storage.value)
    }
}
