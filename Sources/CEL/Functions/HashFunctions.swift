import Digests

/// The hash functions, such as `sha256`, and the message authentication codes, such as `hmacSHA256`.
enum HashFunctions {
    static func register(in functions: inout CELFunctions) {
        register(MD5.self, "md5", hmac: nil, in: &functions)
        register(SHA1.self, "sha1", hmac: "hmacSHA1", in: &functions)
        register(SHA256.self, "sha256", hmac: "hmacSHA256", in: &functions)
        register(SHA384.self, "sha384", hmac: "hmacSHA384", in: &functions)
        register(SHA512.self, "sha512", hmac: "hmacSHA512", in: &functions)
    }

    private static func register<Function: HashFunction>(
        _: Function.Type, _ name: String, hmac: String?, in functions: inout CELFunctions
    ) {
        functions.function(name) { value, state throws(CELFailure) in
            let bytes = try EncodingFunctions.bytes(value)
            try state.meter.step(bytes.count >> 3)
            return .bytes(Function.hash(bytes))
        }
        guard let hmac else { return }
        functions.function(hmac) { key, value, state throws(CELFailure) in
            let bytes = try EncodingFunctions.bytes(value)
            let key = try EncodingFunctions.bytes(key)
            try state.meter.step((bytes.count + key.count) >> 3)
            return .bytes(HMAC<Function>.authenticationCode(for: bytes, key: key))
        }
    }
}
