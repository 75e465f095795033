import Basics
import JSON

/// The functions `jwt.sign`, `jwt.verify`, and `jwt.decode`.
enum TokenFunctions {
    /// The cost of verifying a signature, in steps. It takes up to a millisecond.
    private static let verificationSteps = 20_000

    static func register(in functions: inout CELFunctions) {
        // The signatures of ES256 and others are random.
        functions.function("jwt.sign", counts: 2...3, isPure: false) { values, state throws(CELFailure) in
            guard case .map = values[0], let key = TokenKey(values[1]) else { throw .noOverload }
            let claims = try claims(values[0], &state)
            let (header, algorithm) = try header(values.count > 2 ? values[2] : nil, &state)
            try state.meter.step(algorithm.signatureSteps)
            let token: String
            do throws(TokenFailure) {
                token = try WebToken.signed(header: header, claims: claims, algorithm, key)
            } catch {
                throw .message("jwt.sign(): \(error.message)")
            }
            return try state.made(token)
        }
        // The result depends on the time.
        functions.function("jwt.verify", counts: 2...3, isPure: false) { values, state throws(CELFailure) in
            guard case .string(let text) = values[0], let key = TokenKey(values[1]) else { throw .noOverload }
            let options = try TokenOptions(values.count > 2 ? values[2] : nil)
            try account(text, &state)
            try state.meter.step(verificationSteps)
            do throws(TokenFailure) {
                let token = try WebToken(text)
                try token.verify(key, expected: options.algorithm)
                try token.verifyTimes(at: state.context.clock(), leeway: options.leeway)
                if let issuer = options.issuer { try token.verify(issuer: issuer) }
                if let audience = options.audience { try token.verify(audience: audience) }
                return .map(CELMap(token.claims))
            } catch {
                throw .message("jwt.verify(): \(error.message)")
            }
        }
        functions.function("jwt.decode") { value, state throws(CELFailure) in
            guard case .string(let text) = value else { throw .noOverload }
            try account(text, &state)
            do throws(TokenFailure) {
                let token = try WebToken(text)
                return .map(
                    CELMap([
                        ("header", .map(CELMap(token.header))), ("claims", .map(CELMap(token.claims))),
                        ("signature", .bytes(token.signature)),
                    ]))
            } catch {
                throw .message("jwt.decode(): \(error.message)")
            }
        }
    }

    /// Deducts the parsing of a token, like that of its JSON.
    private static func account(_ text: String, _ state: inout CallState) throws(CELFailure) {
        try state.meter.allocate(text.utf8.count &* 4)
        try state.meter.step(text.utf8.count >> 3)
    }

    /// Returns the claims as JSON, with times in seconds (RFC 7519, section 2, NumericDate).
    private static func claims(_ value: CELValue, _ state: inout CallState) throws(CELFailure) -> JSONObject {
        var claims = try object(value, "the claims", &state)
        guard case .map(let map) = value, case .entries = map.storage else { return claims }
        for (key, value) in map.entries {
            guard case .string(let name) = key, case .timestamp(let time) = value else { continue }
            claims[name] = .number(JSONNumber(time.seconds))
        }
        return claims
    }

    /// Returns the header and the algorithm for the last argument: the name of the algorithm, or members of the header.
    private static func header(
        _ value: CELValue?, _ state: inout CallState
    ) throws(CELFailure) -> (JSONObject, TokenAlgorithm) {
        var header = JSONObject([("alg", .string(TokenAlgorithm.hs256.rawValue)), ("typ", .string("JWT"))])
        switch value {
        case nil: break
        case .string(let name): header["alg"] = .string(name)
        case .map?:
            guard let value else { break }
            for (name, member) in try object(value, "the header", &state) { header[name] = member }
        default: throw .noOverload
        }
        guard let name = header["alg"]?.stringValue else { throw .noOverload }
        return (header, try TokenOptions.algorithm(name, "jwt.sign"))
    }

    private static func object(
        _ value: CELValue, _ noun: String, _ state: inout CallState
    ) throws(CELFailure) -> JSONObject {
        guard case .object(let object)? = try state.json(value) else {
            throw .message("jwt.sign(): JSON cannot represent a value in \(noun), such as NaN or a type")
        }
        return object
    }
}

/// The last argument of `jwt.verify`: the required algorithm, or a map of options.
private struct TokenOptions {
    private static let names = ["alg", "iss", "aud", "leeway"]

    var algorithm: TokenAlgorithm?
    var issuer: String?
    var audience: String?
    /// The accepted difference between clocks in seconds.
    var leeway = 0.0

    init(_ value: CELValue?) throws(CELFailure) {
        switch value {
        case nil: return
        case .string(let name): algorithm = try Self.algorithm(name, "jwt.verify")
        case .map(let map):
            for (key, value) in map.entries {
                switch (key.text, value) {
                case ("alg", .string(let name)): algorithm = try Self.algorithm(name, "jwt.verify")
                case ("iss", .string(let text)): issuer = text
                case ("aud", .string(let text)): audience = text
                case ("leeway", .duration(let duration)): leeway = Double(duration.nanoseconds) / 1e9
                case (let name, _) where Self.names.contains(name):
                    throw .message(
                        "jwt.verify(): the option \(name) must be a \(name == "leeway" ? "duration" : "string"),"
                            + " got \(value.typeName)")
                case (let name, _):
                    throw .message(
                        "jwt.verify(): unknown option \(CELValue.string(name).brief)"
                            + (Spelling.nearest(to: name, among: Self.names).map { "; did you mean \"\($0)\"?" }
                                ?? "; expected alg, iss, aud or leeway"))
                }
            }
        default: throw .noOverload
        }
    }

    static func algorithm(_ name: String, _ function: String) throws(CELFailure) -> TokenAlgorithm {
        guard let algorithm = TokenAlgorithm(rawValue: name) else {
            throw .message("\(function)(): \(TokenFailure.unsupportedAlgorithm(name).message)")
        }
        return algorithm
    }
}
