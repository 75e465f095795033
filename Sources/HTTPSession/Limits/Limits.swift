/// The limits on the size of a response.
///
/// A request uses the limits that it sets, and the session's values for all others.
///
/// A streamed body uses only the memory of the bytes that are waiting for its reader. Of the session's limits, only
/// ``headerBytes`` and ``decompressionRatio`` apply to it. All of the request's own limits apply.
///
/// ```swift
/// configuration.limits.bodyBytes = 8 << 20
/// request.limits.bodyBytes = 512 << 20  // for this request only
/// ```
public struct Limits: Sendable {
    /// The set of limits that have been assigned.
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
    /// The maximum ratio of decoded to encoded length; not checked for less than 1 MiB of output.
    public var decompressionRatio: Int { didSet { fields.insert(.decompressionRatio) } }
    private(set) var fields: Fields

    /// A placeholder for initializer arguments whose limit is not set.
    ///
    /// A request then uses the session's limit, and a session uses the default.
    public static let inherited = Int.min

    /// Creates limits; omitted ones are inherited.
    ///
    /// In a session, the defaults are 128 KiB of header, 64 MiB of body, 256 MiB of decoded body and a ratio of 200.
    /// - Parameters:
    ///   - headerBytes: The maximum size of the header section, and of the trailer section, in bytes.
    ///   - bodyBytes: The maximum size of the body as it is transferred, in bytes.
    ///   - decodedBodyBytes: The maximum size of the body after decompression, in bytes.
    ///   - decompressionRatio: The maximum ratio of decoded to encoded length.
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

    /// Returns these limits, with unset ones inherited from `base`.
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
    /// Returns whether the limits are equal, whether set or inherited.
    public static func == (first: Limits, second: Limits) -> Bool {
        first.headerBytes == second.headerBytes && first.bodyBytes == second.bodyBytes
            && first.decodedBodyBytes == second.decodedBodyBytes
            && first.decompressionRatio == second.decompressionRatio
    }

    /// Hashes the limits.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(headerBytes)
        hasher.combine(bodyBytes)
        hasher.combine(decodedBodyBytes)
        hasher.combine(decompressionRatio)
    }
}
