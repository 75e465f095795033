import Testing

@testable import Redaction

/// Tests of every secret in every encoding, and in every combination of two encodings.
struct EncodedSecretTests {
    /// An encoding of a text.
    struct Encoding: Sendable, CustomTestStringConvertible {
        let name: String
        /// Whether it escapes single characters, and so may occur in any case and at any position.
        var isEscape = true
        let apply: @Sendable ([UInt8]) -> [UInt8]

        var testDescription: String { name }
    }

    private static let secrets = [
        "p@ss/wörd?>~ 1", #"a"b\c'd&<e>"#, "t\u{7f}k\u{1b}[x]\n'é\u{1F600}", "Token-ABC.def_123", #"C:\new%41"#,
        "a-long-secret/with+more=than-one-line-of-MIME&in-it.0123456789abcdefghijklmnopqrstuvwxyz-ABCDEFG?",
    ]

    private static let encodings: [Encoding] = [
        Encoding(name: "unchanged") { $0 },
        Encoding(name: "percent") { percent($0, digits: "0123456789ABCDEF", space: "%20") },
        Encoding(name: "percent, lowercase, all") { $0.flatMap { text("%" + hexadecimal($0)) } },
        Encoding(name: "form") { percent($0, digits: "0123456789ABCDEF", space: "+") },
        Encoding(name: "JSON") { json($0) { _ in false } },
        Encoding(name: "JSON in ASCII") { json($0) { !$0.isASCII } },
        Encoding(name: "JSON, all escaped") { json($0) { _ in true } },
        Encoding(name: "JSON with escaped slashes") {
            json($0) { _ in false }.flatMap { $0 == 0x2F ? [0x5C, 0x2F] : [$0] }
        },
        Encoding(name: "\\xNN") { $0.flatMap { plain($0) ? [$0] : text(#"\x"# + hexadecimal($0)) } },
        Encoding(name: "\\u{…}") { scalars($0) { "\\u{\(String($0.value, radix: 16))}" } },
        Encoding(name: "\\UXXXXXXXX") { scalars($0) { "\\U" + padded($0.value, to: 8) } },
        Encoding(name: "octal") { $0.flatMap { plain($0) ? [$0] : text("\\" + octal($0)) } },
        Encoding(name: "XML") { scalars($0) { named[$0] ?? "&#\($0.value);" } },
        Encoding(name: "XML, hexadecimal") { scalars($0) { "&#x\(String($0.value, radix: 16, uppercase: true));" } },
        Encoding(name: "base64", isEscape: false) { base64($0) },
        Encoding(name: "base64url", isEscape: false) {
            base64($0).filter { $0 != 0x3D }.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
        },
        Encoding(name: "MIME", isEscape: false) { lines(base64($0), of: 76, end: "\r\n") },
        Encoding(name: "PEM", isEscape: false) { lines(base64($0), of: 64, end: "\n") },
        Encoding(name: "hexadecimal", isEscape: false) { $0.flatMap { text(hexadecimal($0)) } },
        Encoding(name: "UTF-16", isEscape: false) { utf16($0, isBigEndian: false) },
        Encoding(name: "UTF-16, big endian", isEscape: false) { utf16($0, isBigEndian: true) },
    ]

    @Test(arguments: encodings)
    func everyTwo(inner: Encoding) throws {
        for secret in Self.secrets {
            var redactor = SecretRedactor()
            redactor.register(secret)
            for outer in Self.encodings {
                // Text after UTF-16 is also in UTF-16.
                if inner.name.hasPrefix("UTF-16"), outer.isEscape || outer.name.hasPrefix("UTF-16") { continue }
                let form = outer.apply(inner.apply(Array(secret.utf8)))
                let masked = redactor.redacted(text("<") + form + text(">"))
                let left = String(decoding: masked ?? form, as: UTF8.self).filter { $0 != "\u{0}" && $0 != "=" }
                #expect(left == "<***>", "\(secret.debugDescription), \(inner.name), then \(outer.name)")
            }
        }
    }

    @Test(arguments: ["p@ss/wörd?>~ 1", "Token-ABC.def_123"], [0, 1, 2, 3, 40, 56, 57, 58])
    func anywhereInBase64(secret: String, position: Int) {
        var redactor = SecretRedactor()
        redactor.register(secret)
        let around = [UInt8](repeating: UInt8(ascii: "."), count: position)
        for inner in Self.encodings where inner.isEscape {
            let body = around + inner.apply(Array(secret.utf8)) + text("....")
            for form in [Self.base64(body), Self.lines(Self.base64(body), of: 76, end: "\r\n")] {
                let masked = redactor.redacted(form)
                let found = masked.map { String(decoding: $0, as: UTF8.self).contains("***") } ?? false
                #expect(found, "\(inner.name) at \(position)")
            }
        }
    }

    /// The changes that programs make to letters in host names, encodings, and text that they misinterpret.
    @Test func changedLetters() {
        var redactor = SecretRedactor()
        redactor.register("Sécret-Äpfel.Example")
        for text in [
            "sécret-äpfel.example", "SÉCRET-ÄPFEL.EXAMPLE", "Sécret-Äpfel.example",
            "S\u{FFFD}cret-\u{FFFD}pfel.Example",
            "SÃ©cret-Ã\u{84}pfel.Example", "Sécret-\u{FFFD}…", "…cret-Äpfel.Example", "…\u{FFFD}pfel.Example",
        ] {
            let masked = redactor.redacted("<\(text)>") ?? text
            #expect(
                !masked.lowercased().contains("pfel") && !masked.lowercased().contains("cret"), "\(text): \(masked)")
        }
        let latin1 = "<Sécret-Äpfel.Example>".unicodeScalars.map { UInt8($0.value) }
        #expect(redactor.redacted(latin1) == text("<***>"))
    }

    /// A message shows a body in undeclared UTF-16 as text with many NULs.
    @Test(arguments: ["hunter22", "hünter22"], [false, true])
    func messagesAboutUTF16(secret: String, isBigEndian: Bool) {
        var redactor = SecretRedactor()
        redactor.register(secret)
        let body = String(decoding: Self.utf16(text("say \(secret)!"), isBigEndian: isBigEndian), as: UTF8.self)
        let message = "got \"" + body.replacing("\u{0}", with: "\\u0000") + "\" (string)"
        let masked = (redactor.redacted(message) ?? message).replacing("\\u0000", with: "")
        #expect(!masked.contains("nter22"), "\(masked)")
    }

    /// A mask in UTF-16 text leaves the following text readable.
    @Test(arguments: [false, true]) func masksAreInUTF16(isBigEndian: Bool) {
        var redactor = SecretRedactor()
        redactor.register("hunter22")
        let body = [0xFF, 0xFE] + Self.utf16(text(#"{"a":"hunter22","b":"c"}"#), isBigEndian: isBigEndian)
        let expected = [0xFF, 0xFE] + Self.utf16(text(#"{"a":"***","b":"c"}"#), isBigEndian: isBigEndian)
        #expect(redactor.redacted(body) == expected)
    }

    /// The cost per secret does not grow with the number of secrets. Many have common prefixes.
    @Test(.timeLimit(.minutes(1))) func manySecrets() {
        var redactor = SecretRedactor()
        for number in 0..<20_000 { redactor.register("token_of_the_\(number)_th_user_\(number)") }
        var text = ""
        for number in 0..<20_000 { text += "…user, token_of_the_\(number)_th_user_\(number)\n" }
        let masked = redactor.redacted(text) ?? text
        #expect(!masked.contains("token"))
    }

    // MARK: Encodings

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func text(_ text: String) -> [UInt8] { Self.text(text) }

    private static func plain(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != 0x5C }

    private static func padded(_ value: UInt32, to count: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    private static func hexadecimal(_ byte: UInt8) -> String { padded(UInt32(byte), to: 2) }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }

    private static func percent(_ bytes: [UInt8], digits: String, space: String) -> [UInt8] {
        let digits = Array(digits.utf8)
        return bytes.flatMap { byte in
            if byte == 0x20 { return text(space) }
            let isPlain =
                byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
            return isPlain ? [byte] : [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }

    private static let named: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;",
    ]

    /// Returns a text with its unusual characters in a different notation.
    private static func scalars(_ bytes: [UInt8], _ write: (Unicode.Scalar) -> String) -> [UInt8] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.flatMap { scalar in
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return text(isPlain ? String(scalar) : write(scalar))
        }
    }

    private static func json(_ bytes: [UInt8], isEscaped: (Unicode.Scalar) -> Bool) -> [UInt8] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.flatMap { scalar -> [UInt8] in
            switch scalar {
            case _ where isEscaped(scalar) || scalar.value < 0x20:
                text(String(scalar).utf16.map { "\\u" + padded(UInt32($0), to: 4) }.joined())
            case "\"", "\\": [0x5C] + text(String(scalar))
            default: text(String(scalar))
            }
        }
    }

    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var value = 0
            for index in 0..<3 { value = value << 8 | (index < group.count ? Int(group[start + index]) : 0) }
            for index in 0..<4 { output.append(index <= group.count ? alphabet[value >> (18 - index * 6) & 63] : 0x3D) }
        }
        return output
    }

    private static func lines(_ bytes: [UInt8], of length: Int, end: String) -> [UInt8] {
        Array(
            stride(from: 0, to: bytes.count, by: length).map { bytes[$0..<min($0 + length, bytes.count)] }
                .joined(separator: text(end)))
    }

    private static func utf16(_ bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
        String(decoding: bytes, as: UTF8.self).utf16.flatMap { unit in
            let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return isBigEndian ? bytes.reversed() : bytes
        }
    }
}
