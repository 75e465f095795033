import JSON

/// A signed JSON Web Token in the compact serialization (RFC 7519; RFC 7515, section 7.1).
struct WebToken {
    let header: JSONObject
    let claims: JSONObject
    let signature: [UInt8]
    /// The encoded header and claims, which the signature covers.
    private let signed: [UInt8]

    /// Parses a token without any check of its signature.
    init(_ text: String) throws(TokenFailure) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count != 5 else { throw .encrypted }
        guard parts.count == 3 else { throw .partCount(parts.count) }
        header = try Self.object(parts[0], .header)
        claims = try Self.object(parts[1], .claims)
        signature = try Self.bytes(parts[2], .signature)
        signed = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
    }

    /// Returns a token.
    static func signed(
        header: JSONObject, claims: JSONObject, _ algorithm: TokenAlgorithm, _ key: TokenKey
    ) throws(TokenFailure) -> String {
        func encoded(_ object: JSONObject) -> String {
            Base64URL.encode(Array(JSONValue.object(object).serialized().utf8))
        }
        let text = encoded(header) + "." + encoded(claims)
        return text + "." + Base64URL.encode(try algorithm.sign(Array(text.utf8), key))
    }

    /// Verifies the algorithm and the signature.
    func verify(_ key: TokenKey, expected: TokenAlgorithm?) throws(TokenFailure) {
        guard let name = header["alg"]?.stringValue else { throw .noAlgorithm }
        guard name.lowercased() != "none" else { throw .unsigned }
        guard let algorithm = TokenAlgorithm(rawValue: name) else { throw .unsupportedAlgorithm(name) }
        if let expected, algorithm != expected { throw .otherAlgorithm(algorithm, expected: expected) }
        guard header["crit"] == nil else { throw .criticalExtensions }
        try algorithm.verify(signature, of: signed, key)
    }

    /// Verifies the times of validity (RFC 7519, sections 4.1.4 and 4.1.5).
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - leeway: The accepted difference between clocks in seconds.
    func verifyTimes(at now: CELTimestamp, leeway: Double) throws(TokenFailure) {
        let present = Double(now.seconds) + Double(now.nanoseconds) / 1e9
        if let end = try time(of: "exp"), present >= end + leeway { throw .expired(Self.text(ofTime: end)) }
        if let start = try time(of: "nbf"), present < start - leeway { throw .notYetValid(Self.text(ofTime: start)) }
    }

    /// Verifies the issuer (RFC 7519, section 4.1.1).
    func verify(issuer expected: String) throws(TokenFailure) {
        guard let issuer = claims["iss"] else { throw .issuer(nil, expected: expected) }
        guard let text = issuer.stringValue else { throw .claimType("iss", expected: "a string") }
        guard Scalars.areEqual(text, expected) else { throw .issuer(text, expected: expected) }
    }

    /// Verifies that the token is for an audience (RFC 7519, section 4.1.3).
    func verify(audience expected: String) throws(TokenFailure) {
        let audiences: [JSONValue] =
            switch claims["aud"] {
            case nil: []
            case .array(let elements)?: elements
            case let single?: [single]
            }
        for audience in audiences {
            guard let text = audience.stringValue else {
                throw .claimType("aud", expected: "a string or an array of strings")
            }
            if Scalars.areEqual(text, expected) { return }
        }
        throw .audience(expected: expected)
    }

    private func time(of claim: String) throws(TokenFailure) -> Double? {
        guard let value = claims[claim] else { return nil }
        guard case .number(let number) = value else { throw .claimType(claim, expected: "a number of seconds") }
        return number.double
    }

    private static func text(ofTime seconds: Double) -> String {
        guard let whole = Int64(exactly: seconds.rounded(.down)), let time = CELTimestamp(seconds: whole) else {
            return NumberNotation.text(of: seconds)
        }
        return time.description
    }

    private static func bytes(_ text: Substring, _ part: TokenFailure.Part) throws(TokenFailure) -> [UInt8] {
        guard !text.utf8.contains(UInt8(ascii: "=")), let bytes = Base64URL.decode(text) else {
            throw .encoding(part)
        }
        return bytes
    }

    private static func object(_ text: Substring, _ part: TokenFailure.Part) throws(TokenFailure) -> JSONObject {
        guard case .object(let object)? = try? JSONValue(parsing: try bytes(text, part)) else {
            _ = try bytes(text, part)
            throw .notAnObject(part)
        }
        return object
    }
}
