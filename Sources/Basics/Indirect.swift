/// A value behind one reference, so that to pass it on copies that alone.
///
/// Whoever changes it while others hold it too gets a copy of its own. As a property wrapper it hides itself: the property
/// has the value's type.
@propertyWrapper @frozen
public struct CopyOnWrite<Value: Sendable>: Sendable {
    // Changed only by its one holder, as the setter sees to it.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @usableFromInline @exclusivity(unchecked) var value: Value

        @usableFromInline
        init(_ value: Value) {
            self.value = value
        }
    }

    @usableFromInline var storage: Storage

    /// Puts a value behind a reference.
    @inlinable
    public init(wrappedValue: Value) {
        storage = Storage(wrappedValue)
    }

    /// The value; to read or change a part of it copies that alone.
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
    /// Whether two values are equal; two copies that share their storage are not compared.
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

/// A value that few have: what has none pays a pointer and nothing more.
///
/// The projected value is for handing it on without a copy: `request.$extras = defaults.$extras`.
@propertyWrapper @frozen
public struct Indirect<Value: Sendable>: Sendable {
    // An optional in an optional, so that a part of the value can be read where it is.
    @usableFromInline var box: CopyOnWrite<Value?>?

    /// No value.
    @inlinable
    public init() {
        box = nil
    }

    /// Puts a value, if there is one, behind a reference.
    @inlinable
    public init(wrappedValue: Value?) {
        box = wrappedValue.map { CopyOnWrite(wrappedValue: $0) }
    }

    /// The value; nil for none.
    public var wrappedValue: Value? {
        @inlinable _read {
            if let box { yield box.wrappedValue } else { yield nil }
        }
        @inlinable set {
            box = newValue.map { CopyOnWrite(wrappedValue: $0) }
        }
    }

    /// The reference, which others can hold too.
    public var projectedValue: Indirect {
        @inlinable get { self }
        @inlinable set { self = newValue }
    }
}
