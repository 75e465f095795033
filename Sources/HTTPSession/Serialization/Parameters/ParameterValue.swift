public import FoundationEssentials

/// A value of a request's parameters: what a query, a form, a JSON text or a property list can hold.
public enum ParameterValue: Sendable, Hashable {
    /// No value.
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case int(Int)
    /// A number.
    case double(Double)
    /// A text.
    case string(String)
    /// A point in time.
    case date(Date)
    /// Bytes.
    case data([UInt8])
    /// Values in an order that is never changed.
    case array([ParameterValue])
    /// Values without an order, which are written sorted by their text; equal ones once.
    case set(Set<ParameterValue>)
    /// Values by name.
    case dictionary(Parameters)
}
