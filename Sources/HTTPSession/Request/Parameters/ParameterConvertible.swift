public import FoundationEssentials

/// A value that can be a request's parameter, so that variables can stand where literals do.
///
/// ```swift
/// let (title, page) = ("Dune", 2)
/// let found = try await session.get("books", query: ["title": title, "page": page]).json()
/// ```
///
/// An enumeration with a raw value needs no more than the conformance.
public protocol ParameterConvertible {
    /// The value as a parameter.
    var parameterValue: ParameterValue { get }
}

extension ParameterValue: ParameterConvertible {
    /// The value itself.
    public var parameterValue: ParameterValue { self }

    /// Creates the parameter that a value stands for.
    public init(_ value: some ParameterConvertible) { self = value.parameterValue }
}

extension Parameters: ParameterConvertible {
    /// The values by name.
    public var parameterValue: ParameterValue { .dictionary(self) }
}

extension ParameterConvertible where Self: RawRepresentable, RawValue: ParameterConvertible {
    /// The raw value.
    public var parameterValue: ParameterValue { rawValue.parameterValue }
}

extension ParameterConvertible where Self: BinaryInteger {
    /// The number; one that is no `Int` as its text, which is exact.
    public var parameterValue: ParameterValue { Int(exactly: self).map { .int($0) } ?? .string(String(self)) }
}

extension Int: ParameterConvertible {}
extension Int8: ParameterConvertible {}
extension Int16: ParameterConvertible {}
extension Int32: ParameterConvertible {}
extension Int64: ParameterConvertible {}
extension UInt: ParameterConvertible {}
extension UInt8: ParameterConvertible {}
extension UInt16: ParameterConvertible {}
extension UInt32: ParameterConvertible {}
extension UInt64: ParameterConvertible {}

extension Bool: ParameterConvertible {
    /// The truth value.
    public var parameterValue: ParameterValue { .bool(self) }
}

extension Double: ParameterConvertible {
    /// The number.
    public var parameterValue: ParameterValue { .double(self) }
}

extension Float: ParameterConvertible {
    /// The number with the digits of its own text.
    public var parameterValue: ParameterValue { .double(Double(description) ?? Double(self)) }
}

extension Decimal: ParameterConvertible {
    /// The number; one that is neither an `Int` nor a `Double` as its text, which is exact.
    public var parameterValue: ParameterValue {
        let text = description
        if let number = Int(text) { return .int(number) }
        return Double(text).flatMap { $0.description == text ? .double($0) : nil } ?? .string(text)
    }
}

extension String: ParameterConvertible {
    /// The text.
    public var parameterValue: ParameterValue { .string(self) }
}

extension Substring: ParameterConvertible {
    /// The text.
    public var parameterValue: ParameterValue { .string(String(self)) }
}

extension Date: ParameterConvertible {
    /// The point in time.
    public var parameterValue: ParameterValue { .date(self) }
}

extension Data: ParameterConvertible {
    /// The bytes.
    public var parameterValue: ParameterValue { .data(Array(self)) }
}

extension URL: ParameterConvertible {
    /// The text of the URL.
    public var parameterValue: ParameterValue { .string(absoluteString) }
}

extension UUID: ParameterConvertible {
    /// The text of the identifier.
    public var parameterValue: ParameterValue { .string(uuidString) }
}

extension Optional: ParameterConvertible where Wrapped: ParameterConvertible {
    /// The value, or null.
    public var parameterValue: ParameterValue { self?.parameterValue ?? .null }
}

extension Array: ParameterConvertible where Element: ParameterConvertible {
    /// The values in their order.
    public var parameterValue: ParameterValue { .array(map(\.parameterValue)) }
}

extension Set: ParameterConvertible where Element: ParameterConvertible {
    /// The values without an order.
    public var parameterValue: ParameterValue { .set(Set<ParameterValue>(map(\.parameterValue))) }
}

extension Dictionary: ParameterConvertible where Key == String, Value: ParameterConvertible {
    /// The values sorted by name, as a dictionary has no order; ``Parameters`` keep theirs.
    public var parameterValue: ParameterValue {
        .dictionary(Parameters(sorted { $0.key < $1.key }.map { ($0.key, $0.value.parameterValue) }))
    }
}

// The kinds of values, where a literal of parameters names them: `["ids": .set([1, 2])]`. Elsewhere the cases are meant.
extension ParameterConvertible where Self == ParameterValue {
    /// Returns a whole number.
    @_disfavoredOverload
    public static func int(_ value: Int) -> ParameterValue { ParameterValue.int(value) }
    /// Returns a number.
    @_disfavoredOverload
    public static func double(_ value: Double) -> ParameterValue { ParameterValue.double(value) }
    /// Returns a truth value.
    @_disfavoredOverload
    public static func bool(_ value: Bool) -> ParameterValue { ParameterValue.bool(value) }
    /// Returns a text.
    @_disfavoredOverload
    public static func string(_ value: String) -> ParameterValue { ParameterValue.string(value) }
    /// Returns a point in time.
    @_disfavoredOverload
    public static func date(_ value: Date) -> ParameterValue { ParameterValue.date(value) }
    /// Returns bytes.
    @_disfavoredOverload
    public static func data(_ value: [UInt8]) -> ParameterValue { ParameterValue.data(value) }
    /// Returns values in an order that is never changed.
    @_disfavoredOverload
    public static func array(_ values: [(any ParameterConvertible)?]) -> ParameterValue {
        ParameterValue.array(values.map { $0?.parameterValue ?? .null })
    }
    /// Returns values without an order.
    @_disfavoredOverload
    public static func set(_ values: Set<ParameterValue>) -> ParameterValue { ParameterValue.set(values) }
    /// Returns values by name.
    @_disfavoredOverload
    public static func dictionary(_ values: Parameters) -> ParameterValue { ParameterValue.dictionary(values) }
}
