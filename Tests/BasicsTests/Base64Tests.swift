import Testing

@testable import Basics

@Suite
struct Base64Tests {
    @Test(
        "RFC 4648 section 10 test vectors are encoded and decoded",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(_ plain: String, _ encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded.utf8) == Array(plain.utf8))
    }

    @Test("All byte values round-trip, and any collection can be encoded")
    func allBytes() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Base64.decode(Base64.encode(bytes).utf8) == bytes)
        #expect(Base64.encode(bytes.lazy.map { $0 }.dropFirst(7)) == Base64.encode(Array(bytes.dropFirst(7))))
    }

    @Test(
        "Invalid base64 is rejected",
        arguments: ["Zg", "Zg=", "Zg===", "Z===", "====", "Zm9v=", "Zm=9", "Zm8=Zm8=", "Zm9-", "Zm 9v", "Zm9ü"])
    func refused(_ text: String) {
        #expect(Base64.decode(text.utf8) == nil)
    }

    @Test("Each leniency option allows only what it names")
    func leniency() {
        #expect(Base64.decode("Zm8".utf8, allowing: .withoutPadding) == Array("fo".utf8))
        #expect(Base64.decode("Zm9vY".utf8, allowing: .withoutPadding) == nil)
        #expect(Base64.decode("Zm\r\n9v\t ".utf8, allowing: .whitespace) == Array("foo".utf8))
        #expect(Base64.decode("-_+/".utf8, allowing: .urlAlphabet) == Base64.decode("+/+/".utf8))
        #expect(Base64.decode("-_8".utf8, allowing: [.urlAlphabet, .withoutPadding]) == [0xFB, 0xFF])
        #expect(Base64.decode("-_8".utf8, allowing: .withoutPadding) == nil)
    }
}
