import Basics

/// The encodings `base64`, `base64url`, `hex`, `url`, and `html`.
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
        functions.function("base64url.encode") { value, state throws(CELFailure) in
            try state.made(Base64URL.encode(try bytes(value)))
        }
        functions.function("base64url.decode") { value, state throws(CELFailure) in
            guard case .string(let text) = value else { throw .noOverload }
            guard let bytes = Base64URL.decode(text) else {
                throw .message("the string is not valid base64url")
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
        functions.function("html.escape") { value, state throws(CELFailure) in
            guard case .string(let text) = value else { throw .noOverload }
            try state.meter.step(text.utf8.count >> 3)
            return try state.made(HTMLText.escaped(text))
        }
        functions.function("html.unescape") { value, state throws(CELFailure) in
            guard case .string(let text) = value else { throw .noOverload }
            try state.meter.step(text.utf8.count >> 3)
            return try state.made(HTMLText.unescaped(text))
        }
    }

    /// Returns the bytes of a bytes value, or the UTF-8 encoding of a string.
    static func bytes(_ value: CELValue) throws(CELFailure) -> [UInt8] {
        switch value {
        case .bytes(let bytes): return bytes
        case .string(let text): return Array(text.utf8)
        default: throw .noOverload
        }
    }
}

/// Base64 with the alphabet for URLs and file names, without padding (RFC 4648, section 5; RFC 7515, section 2).
enum Base64URL {
    static func encode(_ bytes: [UInt8]) -> String {
        let digits = Base64.encode(bytes).utf8.filter { $0 != UInt8(ascii: "=") }
        return String(
            decoding: digits.map {
                $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
            }, as: UTF8.self)
    }

    /// Decodes a string with or without padding; returns nil if it is invalid.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else { return nil }
        return Base64.decode(text.utf8, allowing: [.withoutPadding, .urlAlphabet])
    }
}
