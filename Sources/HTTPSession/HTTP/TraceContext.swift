import Basics

/// The position of an operation in a distributed trace (W3C Trace Context, level 1).
///
/// While ``current`` is set, a session with a ``TraceContextAdapter`` sends its requests as part of that trace:
///
/// ```swift
/// let context = incoming["traceparent"].flatMap { TraceContext(traceparent: $0) }
/// try await TraceContext.$current.withValue(context) { try await session.get("books").response() }
/// ```
public struct TraceContext: Sendable, Hashable {
    /// The context of the current task; nil outside of a trace.
    @TaskLocal public static var current: TraceContext?

    /// The first 8 of the 16 bytes of the trace ID.
    public let traceIDHigh: UInt64
    /// The last 8 of the 16 bytes of the trace ID.
    public let traceIDLow: UInt64
    /// The ID of the operation, never zero.
    public let spanID: UInt64
    /// The trace flags; the lowest bit means that the trace is recorded.
    public var flags: UInt8
    /// The vendor-specific state: the value of `tracestate`.
    public var state: String?

    /// Creates a context; nil if an ID is zero, which the standard forbids.
    public init?(traceIDHigh: UInt64, traceIDLow: UInt64, spanID: UInt64, flags: UInt8 = 1, state: String? = nil) {
        guard traceIDHigh != 0 || traceIDLow != 0, spanID != 0 else { return nil }
        self.init(high: traceIDHigh, low: traceIDLow, span: spanID, flags: flags, state: state)
    }

    private init(high: UInt64, low: UInt64, span: UInt64, flags: UInt8, state: String?) {
        traceIDHigh = high
        traceIDLow = low
        spanID = span
        self.flags = flags
        self.state = state
    }

    /// Creates a context from a `traceparent` field; nil if it is invalid.
    ///
    /// Versions later than 00 are accepted (sections 3.2.2 and 4.3).
    /// - Parameters:
    ///   - traceparent: The value of the field.
    ///   - state: The value of `tracestate`, passed on unchanged.
    public init?(traceparent: String, state: String? = nil) {
        let bytes = Array(traceparent.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
            let version = Self.number(bytes[0..<2]), version != 0xFF,
            version == 0 ? bytes.count == 55 : bytes.count == 55 || bytes[55] == dash,
            let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]),
            let span = Self.number(bytes[36..<52]), let flags = Self.number(bytes[53..<55]),
            high != 0 || low != 0, span != 0
        else { return nil }
        self.init(high: high, low: low, span: span, flags: UInt8(flags), state: state)
    }

    /// Starts a new trace.
    /// - Parameters:
    ///   - random: The source of the IDs.
    ///   - isSampled: Whether the trace is recorded.
    public static func root(random: SessionRandom = .system, isSampled: Bool = true) -> TraceContext {
        let high = random.next()
        let low = random.next()
        let span = random.next()
        return TraceContext(
            high: high, low: high | low == 0 ? 1 : low, span: span == 0 ? 1 : span, flags: isSampled ? 1 : 0,
            state: nil)
    }

    /// Returns the context of an operation within this one.
    public func child(random: SessionRandom = .system) -> TraceContext {
        let span = random.next()
        return TraceContext(
            high: traceIDHigh, low: traceIDLow, span: span == 0 ? 1 : span, flags: flags, state: state)
    }

    /// Whether the trace is recorded.
    public var isSampled: Bool { flags & 1 == 1 }

    /// The trace ID as 32 hexadecimal digits.
    public var traceID: String { Hexadecimal.padded(traceIDHigh, 16) + Hexadecimal.padded(traceIDLow, 16) }

    /// The value of a `traceparent` field of version 00.
    public var traceparent: String {
        "00-\(traceID)-\(Hexadecimal.padded(spanID, 16))-\(Hexadecimal.padded(UInt64(flags), 2))"
    }

    /// Parses up to 16 hexadecimal digits, which the standard requires to be lowercase.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            guard let value = Hexadecimal.value(of: digit), !(UInt8(ascii: "A")...UInt8(ascii: "F") ~= digit) else {
                return nil
            }
            number = number << 4 | UInt64(value)
        }
        return number
    }
}

extension TraceContext: CustomStringConvertible {
    /// The value of a `traceparent` field.
    public var description: String { traceparent }
}
