/// A rarely needed value behind one reference, so that what has none pays a pointer and nothing more.
public final class Boxed<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value

    /// Puts a value into a box.
    public init(_ value: Value) {
        self.value = value
    }
}
