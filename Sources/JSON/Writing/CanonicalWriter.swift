/// Writes values in the canonical form of the JSON Canonicalization Scheme (RFC 8785).
struct CanonicalWriter {
    private(set) var output: [UInt8] = []
    private var location: [NormalizedPath.Step] = []

    mutating func write(_ value: JSONValue) throws(JSONCanonicalizationError) {
        switch value {
        case .null, .bool, .string:
            JSONWriter.compact.write(value, into: &output)
        case .number(let number):
            guard let literal = CanonicalWriter.literal(number.double) else {
                throw JSONCanonicalizationError(location: NormalizedPath(location), number: number)
            }
            output.append(contentsOf: literal.utf8)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                location.append(.index(index))
                try write(element)
                location.removeLast()
            }
            output.append(UInt8(ascii: "]"))
        case .object(var object):
            object.sortMembersByUTF16()
            output.append(UInt8(ascii: "{"))
            for (index, member) in object.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                JSONWriter.compact.write(string: member.key, into: &output)
                output.append(UInt8(ascii: ":"))
                location.append(.name(member.key))
                try write(member.value)
                location.removeLast()
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// The text that ECMAScript gives a number (RFC 8785 §3.2.2.3, ECMA-262 Number::toString); nil for an infinite one.
    private static func literal(_ value: Double) -> String? {
        guard value.isFinite else { return nil }
        // The shortest digits that give the number back, as ECMAScript has them, in a notation of Swift's own.
        let literal = ExactDecimal(literal: value.description).literal
        guard let exponent = literal.utf8.firstIndex(of: UInt8(ascii: "e")) else { return literal }
        let digits = literal[literal.utf8.index(after: exponent)...]
        return digits.hasPrefix("-") ? literal : literal[..<exponent] + "e+" + digits
    }
}

extension JSONWriter {
    /// Writes one line without white space.
    static let compact = JSONWriter(.compact)
}

extension JSONValue {
    /// The value in canonical form (RFC 8785): members sorted by UTF-16 code units, numbers as ECMAScript writes doubles.
    ///
    /// Values that are equal as I-JSON (RFC 7493) have the same bytes, fit to be signed or compared. Numbers are rounded to
    /// the nearest `Double`, as RFC 8785 asks; what must not be rounded is written with ``JSONFormat/sorted``.
    ///
    /// - Throws: An error when a number is beyond the range of `Double`.
    public func canonicalBytes() throws(JSONCanonicalizationError) -> [UInt8] {
        var writer = CanonicalWriter()
        try writer.write(self)
        return writer.output
    }
}
