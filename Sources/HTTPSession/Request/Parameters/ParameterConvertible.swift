public import FoundationEssentials

/// A type whose values can be used as request parameters, so that variables can appear wherever literals can.
///
/// ```swift
/// let (title, page) = ("Dune", 2)
/// let found = try await session.get("books", query: ["title": title, "page": page]).json()
/// ```
///
/// An enumeration with a raw value only needs to declare the conformance.
public protocol ParameterConvertible {
    /// The value as a parameter.
    var parameterValue: ParameterValue { get }
}

extension ParameterValue: ParameterConvertible {
    /// The value itself.
    public var parameterValue: ParameterValue { self }

    /// Creates a parameter value from a convertible value.
    public init(_ value: some ParameterConvertible) { self = value.parameterValue }
}

extension Parameters: ParameterConvertible {
    /// The parameters as a dictionary value.
    public var parameterValue: ParameterValue { .dictionary(self) }
}

extension ParameterConvertible where Self: RawRepresentable, RawValue: ParameterConvertible {
    /// The raw value.
    public var parameterValue: ParameterValue { rawValue.parameterValue }
}

extension ParameterConvertible where Self: BinaryInteger {
    /// The number; a number outside the range of `Int` becomes its exact decimal string.
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
    /// The Boolean value.
    public var parameterValue: ParameterValue { .bool(self) }
}

extension Double: ParameterConvertible {
    /// The number.
    public var parameterValue: ParameterValue { .double(self) }
}

extension Float: ParameterConvertible {
    /// The number with the digits of its description, without the noise of a conversion to `Double`.
    public var parameterValue: ParameterValue { .double(Double(description) ?? Double(self)) }
}

extension Decimal: ParameterConvertible {
    /// The number; one that neither `Int` nor `Double` represents exactly becomes its exact decimal string.
    public var parameterValue: ParameterValue {
        let text = description
        if let number = Int(text) { return .int(number) }
        return Double(text).flatMap { $0.description == text ? .double($0) : nil } ?? .string(text)
    }
}

extension String: ParameterConvertible {
    /// The string.
    public var parameterValue: ParameterValue { .string(self) }
}

extension Substring: ParameterConvertible {
    /// The substring as a string.
    public var parameterValue: ParameterValue { .string(String(self)) }
}

extension Date: ParameterConvertible {
    /// The date.
    public var parameterValue: ParameterValue { .date(self) }
}

extension Data: ParameterConvertible {
    /// The bytes.
    public var parameterValue: ParameterValue { .data(Array(self)) }
}

extension URL: ParameterConvertible {
    /// The absolute string of the URL.
    public var parameterValue: ParameterValue { .string(absoluteString) }
}

extension UUID: ParameterConvertible {
    /// The UUID string.
    public var parameterValue: ParameterValue { .string(uuidString) }
}

extension Optional: ParameterConvertible where Wrapped: ParameterConvertible {
    /// The value, or null.
    public var parameterValue: ParameterValue { self?.parameterValue ?? .null }
}

extension Array: ParameterConvertible where Element: ParameterConvertible {
    /// The elements, in order.
    public var parameterValue: ParameterValue { .array(map(\.parameterValue)) }
}

extension Set: ParameterConvertible where Element: ParameterConvertible {
    /// The elements, without an order.
    public var parameterValue: ParameterValue { .set(Set<ParameterValue>(map(\.parameterValue))) }
}

extension Dictionary: ParameterConvertible where Key == String, Value: ParameterConvertible {
    /// The members sorted by key, because a dictionary has no order; ``Parameters`` keeps the order given.
    public var parameterValue: ParameterValue {
        .dictionary(Parameters(sorted { $0.key < $1.key }.map { ($0.key, $0.value.parameterValue) }))
    }
}

// These functions exist for literals that name the kind of a value: `["ids": .set([1, 2])]`. Elsewhere, the enum cases
// are selected.
extension ParameterConvertible where Self == ParameterValue {
    /// Returns an integer parameter.
    @_disfavoredOverload
    public static func int(_ value: Int) -> ParameterValue { ParameterValue.int(value) }
    /// Returns a floating-point parameter.
    @_disfavoredOverload
    public static func double(_ value: Double) -> ParameterValue { ParameterValue.double(value) }
    /// Returns a Boolean parameter.
    @_disfavoredOverload
    public static func bool(_ value: Bool) -> ParameterValue { ParameterValue.bool(value) }
    /// Returns a string parameter.
    @_disfavoredOverload
    public static func string(_ value: String) -> ParameterValue { ParameterValue.string(value) }
    /// Returns a date parameter.
    @_disfavoredOverload
    public static func date(_ value: Date) -> ParameterValue { ParameterValue.date(value) }
    /// Returns a parameter with bytes.
    @_disfavoredOverload
    public static func data(_ value: [UInt8]) -> ParameterValue { ParameterValue.data(value) }
    /// Returns an array parameter, whose order is kept.
    @_disfavoredOverload
    public static func array(_ values: [(any ParameterConvertible)?]) -> ParameterValue {
        ParameterValue.array(values.map { $0?.parameterValue ?? .null })
    }
    /// Returns a set parameter, which has no order.
    @_disfavoredOverload
    public static func set(_ values: Set<ParameterValue>) -> ParameterValue { ParameterValue.set(values) }
    /// Returns a dictionary parameter.
    @_disfavoredOverload
    public static func dictionary(_ values: Parameters) -> ParameterValue { ParameterValue.dictionary(values) }
}
