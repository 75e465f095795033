import Basics
import Digests

/// The `base64`, `hex`, and `url` encodings, `sha256`, and `hmacSHA256`.
enum EncodingFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.function("base64.encode") { value, state throws(CELFailure) in
            try state.made(Base64.encode(try bytes(value)))
        }
        functions.function("base64.decode") { value, state throws(CELFailure) in
            guard case .string(let text) = value else { throw .noOverload }
            guard let bytes = Base64.decode(text.utf8, allowing: [.withoutPadding, .urlAlphabet]) else {
                throw .message("the string is not valid base64")
            }
            return try state.made(bytes)
        }
        functions.function("hex.encode") { value, state throws(CELFailure) in
            try state.made(Hexadecimal.encode(try bytes(value)))
        }
        functions.function("hex.decode") { value, state throws(CELFailure) in
            guard case .string(let text) = value else { throw .noOverload }
            guard let bytes = Hexadecimal.decode(text.utf8) else {
                throw .message("the string is not valid hexadecimal")
            }
            return try state.made(bytes)
        }
        functions.function("url.encode") { value, state throws(CELFailure) in
            switch value {
            case .string, .int, .uint, .double, .number, .bool: break
            default: throw .noOverload
            }
            try state.meter.allocate(value.text.utf8.count)
            return try state.made(PercentEncoding.encode(value.text))
        }
        functions.function("url.decode") { value, state throws(CELFailure) in
            guard case .string(let text) = value else { throw .noOverload }
            guard let decoded = PercentEncoding.decodeStrictly(text) else {
                throw .message("the string is not percent-encoded UTF-8")
            }
            return try state.made(decoded)
        }
        functions.function("sha256") { value, state throws(CELFailure) in
            let bytes = try bytes(value)
            try state.meter.step(bytes.count >> 3)
            return .bytes(SHA256.hash(bytes))
        }
        functions.function("hmacSHA256") { key, value, state throws(CELFailure) in
            let bytes = try bytes(value)
            try state.meter.step(bytes.count >> 3)
            return .bytes(HMAC<SHA256>.authenticationCode(for: bytes, key: try self.bytes(key)))
        }
    }

    /// Returns the bytes of a bytes value, or the UTF-8 encoding of a string.
    private static func bytes(_ value: CELValue) throws(CELFailure) -> [UInt8] {
        switch value {
        case .bytes(let bytes): return bytes
        case .string(let text): return Array(text.utf8)
        default: throw .noOverload
        }
    }
}
