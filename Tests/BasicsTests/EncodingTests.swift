import Testing

@testable import Basics

@Suite
struct EncodingTests {
    @Test("Hexadecimal round-trips and is decoded in either case")
    func hexadecimal() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Hexadecimal.encode([0, 0x1F, 0xAB]) == "001fab")
        #expect(Hexadecimal.encode([0x1F, 0xAB], uppercase: true) == "1FAB")
        #expect(Hexadecimal.decode(Hexadecimal.encode(bytes).utf8) == bytes)
        #expect(Hexadecimal.decode("1fAB".utf8) == [0x1F, 0xAB])
        #expect(Hexadecimal.padded(0xAB, 4) == "00ab")
        #expect(Hexadecimal.padded(.max, 2) == "ffffffffffffffff")
        for text in ["1", "1g", "0x", "g0", "1 "] { #expect(Hexadecimal.decode(text.utf8) == nil) }
        for byte in bytes {
            #expect(Hexadecimal.value(of: byte).map(Int.init) == Int(String(UnicodeScalar(byte)), radix: 16))
        }
    }

    @Test("Reserved bytes are percent-encoded, and unreserved bytes are not")
    func percentEncoding() {
        #expect(PercentEncoding.encode("a-Z.0_~/ ü%") == "a-Z.0_~%2F%20%C3%BC%25")
        #expect(
            PercentEncoding.encode("a/b?c", keeping: { $0 == UInt8(ascii: "/") || ASCII.isLetter($0) }) == "a/b%3Fc")
    }

    @Test("A percent sign without two hex digits is kept as is")
    func percentDecoding() {
        #expect(PercentEncoding.decode("a%2Fb%c3%BC") == "a/bü")
        #expect(PercentEncoding.decode("100%, %2, %zz, %") == "100%, %2, %zz, %")
        #expect(PercentEncoding.decode("a+b%2B") == "a+b+")
        #expect(PercentEncoding.decode("a+b%2B", plusIsSpace: true) == "a b+")
        #expect(PercentEncoding.decode("%FF") == "\u{FFFD}")
        #expect(PercentEncoding.decode("%FF%2".utf8) == [0xFF] + Array("%2".utf8))
        #expect(PercentEncoding.decodedText("a+b%2B%c3%BC".utf8) == "a+b+ü")
        #expect(PercentEncoding.decodedText("a+b".utf8, plusIsSpace: true) == "a b")
    }

    @Test("Strict decoding rejects invalid percent-encoding and invalid UTF-8")
    func strictDecoding() {
        #expect(PercentEncoding.decodeStrictly("a%2Fb") == "a/b")
        for text in ["%", "%2", "%zz", "%FF"] { #expect(PercentEncoding.decodeStrictly(text) == nil) }
    }
}
