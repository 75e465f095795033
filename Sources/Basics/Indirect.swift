/// A copy-on-write value stored behind a single reference, so that copies of the wrapper are cheap.
///
/// A change first copies the value if other wrappers share it. The wrapped property has the type of the value itself.
@propertyWrapper @frozen
public struct CopyOnWrite<Value: Sendable>: Sendable {
    // A wrapper changes the value only while it has the only reference to it.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @usableFromInline @exclusivity(unchecked) var value: Value

        @usableFromInline
        init(_ value: Value) {
            self.value = value
        }
    }

    @usableFromInline var storage: Storage

    /// Creates a wrapper that stores a value.
    @inlinable
    public init(wrappedValue: Value) {
        storage = Storage(wrappedValue)
    }

    /// The value. Reading or changing one of its parts does not copy the rest.
    public var wrappedValue: Value {
        @inlinable _read { yield storage.value }
        @inlinable _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }

    /// Changes the value; `optional?.change` reaches one inside an optional.
    @inlinable
    public mutating func change(_ body: (inout Value) -> Void) { body(&wrappedValue) }
}

extension CopyOnWrite: Equatable where Value: Equatable {
    /// Whether two values are equal. Wrappers that share their storage are equal without a comparison.
    @inlinable
    public static func == (first: Self, second: Self) -> Bool {
        first.storage === second.storage || first.wrappedValue == second.wrappedValue
    }
}

extension CopyOnWrite: Hashable where Value: Hashable {
    /// Adds the value to a hash.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}

/// An optional value that is rarely present, stored behind a reference. Without a value, it occupies one pointer.
///
/// The projected value shares the storage with another property: `request.$extras = defaults.$extras`.
@propertyWrapper @frozen
public struct Indirect<Value: Sendable>: Sendable {
    @usableFromInline var box: CopyOnWrite<Value>?

    /// Creates a wrapper without a value.
    @inlinable
    public init() {
        box = nil
    }

    /// Creates a wrapper that stores a value; nil stores none.
    @inlinable
    public init(wrappedValue: Value?) {
        box = wrappedValue.map { CopyOnWrite(wrappedValue: $0) }
    }

    /// The value, or nil.
    public var wrappedValue: Value? {
        // A yielding accessor would allocate a frame even for an absent value, and most values are absent.
        @inlinable get { box?.wrappedValue }
        @inlinable set {
            box = newValue.map { CopyOnWrite(wrappedValue: $0) }
        }
    }

    /// The wrapper itself, for sharing its storage.
    public var projectedValue: Indirect {
        @inlinable get { self }
        @inlinable set { self = newValue }
    }
}
