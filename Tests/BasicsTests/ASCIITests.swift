import Testing

@testable import Basics

@Suite
struct ASCIITests {
    @Test("ASCII byte classes agree with Unicode and exclude non-ASCII bytes")
    func classes() {
        for byte in UInt8.min...UInt8.max {
            let character = Character(UnicodeScalar(byte))
            let isASCII = byte < 0x80
            #expect(ASCII.isDigit(byte) == (isASCII && character.isWholeNumber))
            #expect(ASCII.isLetter(byte) == (isASCII && character.isLetter))
            #expect(ASCII.isWhitespace(byte) == (isASCII && character.isWhitespace))
            #expect(ASCII.isBlank(byte) == (character == " " || character == "\t"))
            if isASCII {
                #expect(ASCII.lowercased(byte) == character.lowercased().utf8.first)
            } else {
                #expect(ASCII.lowercased(byte) == byte)
            }
        }
    }

    @Test("Strings are trimmed at both ends")
    func trimming() {
        #expect(ASCII.trimmed(" \ta b\t ") == "a b")
        #expect(ASCII.trimmed(" \t") == "")
        #expect(ASCII.trimmed("") == "")
        #expect(ASCII.trimmed("\r\n ü \n", ASCII.isWhitespace) == "ü")
        #expect(Array(ASCII.trimmed(Array("--a-".utf8)) { $0 == UInt8(ascii: "-") }) == Array("a".utf8))
    }

    @Test("Case-insensitive comparison ignores the case of ASCII letters only")
    func equalIgnoringCase() {
        #expect(ASCII.equalIgnoringCase("Content-TYPE", "content-type"))
        #expect(!ASCII.equalIgnoringCase("a", "ab"))
        #expect(!ASCII.equalIgnoringCase("Ü", "ü"))
        #expect(!ASCII.equalIgnoringCase("@", "`"))
    }

    @Test("Numbers are padded to a width with zeros after the sign")
    func padding() {
        #expect(ASCII.padded(7, 2) == "07")
        #expect(ASCII.padded(123, 2) == "123")
        #expect(ASCII.padded(-7, 4) == "-007")
        #expect(ASCII.padded(.min, 1) == "-9223372036854775808")
    }
}
