/// The bounds on what a response may cost.
///
/// A request has the bounds that it sets, and the session's for all others.
///
/// A body that is streamed costs no more memory than waits for its reader. Of a session's limits only ``headerBytes`` and
/// ``decompressionRatio`` apply to it; all of a request's own do.
public struct Limits: Sendable {
    /// The bounds that were set.
    struct Fields: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let headerBytes = Fields(rawValue: 1)
        static let bodyBytes = Fields(rawValue: 2)
        static let decodedBodyBytes = Fields(rawValue: 4)
        static let decompressionRatio = Fields(rawValue: 8)
    }

    /// The maximum size of the status line and header section, and of the trailer section, in bytes.
    public var headerBytes: Int { didSet { fields.insert(.headerBytes) } }
    /// The maximum size of the body as it is transferred, in bytes.
    public var bodyBytes: Int { didSet { fields.insert(.bodyBytes) } }
    /// The maximum size of the body after decompression, in bytes.
    public var decodedBodyBytes: Int { didSet { fields.insert(.decodedBodyBytes) } }
    /// The maximum decoded length as a multiple of the encoded; not checked below one mebibyte of output.
    public var decompressionRatio: Int { didSet { fields.insert(.decompressionRatio) } }
    private(set) var fields: Fields

    /// A value of the initializer's arguments for a bound that is not set.
    ///
    /// A request takes the session's bound then, and a session the library's.
    public static let inherited = Int.min

    /// Creates limits; those not set are the session's, or else 128 KiB of header, 64 MiB of body, 256 MiB decoded, a
    /// ratio of 200.
    public init(
        headerBytes: Int = Limits.inherited, bodyBytes: Int = Limits.inherited,
        decodedBodyBytes: Int = Limits.inherited, decompressionRatio: Int = Limits.inherited
    ) {
        fields = []
        self.headerBytes = headerBytes == Self.inherited ? 128 << 10 : headerBytes
        self.bodyBytes = bodyBytes == Self.inherited ? 64 << 20 : bodyBytes
        self.decodedBodyBytes = decodedBodyBytes == Self.inherited ? 256 << 20 : decodedBodyBytes
        self.decompressionRatio = decompressionRatio == Self.inherited ? 200 : decompressionRatio
        if headerBytes != Self.inherited { fields.insert(.headerBytes) }
        if bodyBytes != Self.inherited { fields.insert(.bodyBytes) }
        if decodedBodyBytes != Self.inherited { fields.insert(.decodedBodyBytes) }
        if decompressionRatio != Self.inherited { fields.insert(.decompressionRatio) }
    }

    /// Returns these limits with those of `base` in place of the ones that are not set.
    public func inheriting(from base: Limits) -> Limits {
        var merged = base
        if fields.contains(.headerBytes) { merged.headerBytes = headerBytes }
        if fields.contains(.bodyBytes) { merged.bodyBytes = bodyBytes }
        if fields.contains(.decodedBodyBytes) { merged.decodedBodyBytes = decodedBodyBytes }
        if fields.contains(.decompressionRatio) { merged.decompressionRatio = decompressionRatio }
        return merged
    }
}

extension Limits: Hashable {
    /// Whether the bounds are equal, wherever they come from.
    public static func == (first: Limits, second: Limits) -> Bool {
        first.headerBytes == second.headerBytes && first.bodyBytes == second.bodyBytes
            && first.decodedBodyBytes == second.decodedBodyBytes
            && first.decompressionRatio == second.decompressionRatio
    }

    /// Feeds the bounds to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(headerBytes)
        hasher.combine(bodyBytes)
        hasher.combine(decodedBodyBytes)
        hasher.combine(decompressionRatio)
    }
}
