/// An encoding of bytes as text, with the functions of CryptoJS and of `Buffer`.
enum ScriptEncoding: Sendable {
    case utf8, hex, base64, base64URL

    /// Creates the encoding that a script names, as in `CryptoJS.enc.Hex` and `"hex"`; nil if the name is unknown.
    init?(_ value: ScriptValue) {
        let name: Substring
        switch value {
        case .host(let path): name = path[...].split(separator: ".").last ?? ""
        default: name = value.literalText?[...] ?? ""
        }
        switch name.lowercased() {
        case "utf8", "utf-8": self = .utf8
        case "hex": self = .hex
        case "base64": self = .base64
        case "base64url": self = .base64URL
        default: return nil
        }
    }

    /// Returns the expression of the text for bytes.
    func encoded(_ bytes: String) -> String {
        switch self {
        case .utf8: "string(\(bytes))"
        case .hex: "hex.encode(\(bytes))"
        case .base64: "base64.encode(\(bytes))"
        case .base64URL: "base64url.encode(\(bytes))"
        }
    }

    /// Returns the expression of the bytes that a text stands for. The functions for bytes accept a text as UTF-8.
    func decoded(_ text: String) -> String {
        switch self {
        case .utf8: text
        case .hex: "hex.decode(\(text))"
        case .base64: "base64.decode(\(text))"
        case .base64URL: "base64url.decode(\(text))"
        }
    }

    /// The functions of CryptoJS, which scripts may load as the module `crypto-js`, and those of `Buffer`.
    static let functions: [String: ScriptDialect.Function] = {
        var functions: [String: ScriptDialect.Function] = ["Buffer.from": .buffer]
        for library in ["CryptoJS", "crypto-js"] {
            functions["\(library).MD5"] = .digest("md5")
            for size in ["1", "256", "384", "512"] {
                functions["\(library).SHA\(size)"] = .digest("sha\(size)")
                functions["\(library).HmacSHA\(size)"] = .signature("hmacSHA\(size)")
            }
            let encodings: [(String, ScriptEncoding)] = [
                ("Utf8", .utf8), ("Hex", .hex), ("Base64", .base64), ("Base64url", .base64URL),
            ]
            for (name, encoding) in encodings {
                functions["\(library).enc.\(name).parse"] = .decoded(encoding)
                functions["\(library).enc.\(name).stringify"] = .encoded(encoding)
            }
        }
        return functions
    }()
}

extension ScriptValue {
    /// The expression of the bytes of a value, or of a text that stands for its bytes in UTF-8; nil if there is none.
    var bytes: String? {
        if case .bytes(let source, _) = self { return source }
        guard let source = expression, kind != .list, !isCollection else { return nil }
        return kind == .string ? source : "string(\(source))"
    }

    /// Returns bytes whose text has an encoding unless a script selects another one.
    static func bytes(_ source: String, as encoding: ScriptEncoding) -> ScriptValue {
        .bytes(source, text: encoding.encoded(source))
    }
}
