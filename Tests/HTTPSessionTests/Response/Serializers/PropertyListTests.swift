import FoundationEssentials
import HTTPSession
import Testing

/// Tests of property lists from untrusted sources.
@Suite("Property list responses")
struct PropertyListTests {
    static func xml(_ text: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">\(text)</plist>
            """.utf8)
    }

    static func value(_ bytes: [UInt8]) throws -> ParameterValue {
        try response(200, ["Content-Type": "application/x-plist"], bytes).serialize(with: .propertyList)
    }

    @Test("Values of every type are decoded")
    func values() throws {
        let text = """
            <dict><!-- </dict> --><key>a</key><array><integer>1</integer><real>2.5</real><true/><false /></array>
            <key>s</key><string><![CDATA[</dict>]]>x&lt;</string><key>d</key><date>2001-01-01T00:00:05Z</date>
            <key>b</key><data>AQI=</data><key>e</key><array/></dict>
            """
        #expect(
            try Self.value(Self.xml(text)) == [
                "a": .array([1, 2.5, true, false]), "s": "</dict>x<",
                "d": .date(Date(timeIntervalSinceReferenceDate: 5)),
                "b": .data([1, 2]), "e": .array([]),
            ])
    }

    /// Returns a binary property list of objects with one-byte references and offsets.
    static func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
            bytes += object
        }
        let table = bytes.count
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, UInt8(objects.count), 0, 0, 0, 0, 0, 0, 0, top]
        return bytes + [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 255)]
    }

    /// Returns a list that refers to the next level the given number of times, at every level.
    static func nested(_ levels: Int, times: Int) -> [UInt8] {
        var objects: [[UInt8]] = []
        for level in 0..<levels {
            objects.append([0xA0 | UInt8(times)] + [UInt8](repeating: UInt8(level + 1), count: times))
        }
        return binary(objects + [[0x10, 7]])
    }

    @Test("Binary property lists are decoded")
    func binaries() throws {
        #expect(try Self.value(Self.nested(3, times: 1)) == [[[7]]])
        #expect(try Self.value(Self.nested(2, times: 2)) == [[7, 7], [7, 7]])
        let long = [0xAF, 0x10, 16] + [UInt8](repeating: 1, count: 16)
        #expect(try Self.value(Self.binary([long, [0x10, 1]])) == .array(Array(repeating: 1, count: 16)))
        #expect(try Self.value(Self.binary([[0xD1, 1, 2], [0x51, 0x6B], [0x09]])) == ["k": true])
    }

    static func array(_ depth: Int) -> String {
        String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
    }

    /// Bytes and the error message.
    static let refused: [([UInt8], String)] = [
        (xml(array(100_000)), "exceeds the maximum depth of 512 levels"),
        (xml(String(repeating: "<array><!--</array>-->", count: 1000)), "exceeds the maximum depth of 512 levels"),
        (xml(String(repeating: "<array><?x </array>?>", count: 1000)), "exceeds the maximum depth of 512 levels"),
        (xml(String(repeating: "<array><![CDATA[</array>]]>", count: 1000)), "exceeds the maximum depth of 512 levels"),
        (xml(String(repeating: "<array x='/>'>", count: 1000)), "attributes"),
        (xml("<array></dict></array>"), "an end tag has no start tag"),
        (xml("<array><!DOCTYPE x></array>"), "it has declarations"),
        (Array("<!DOCTYPE plist [<!ENTITY a 'b'>]><plist/>".utf8), "it has declarations"),
        (Array("<plist><!-- ".utf8), "it is truncated"),
        (Array("<plist".utf8), "it is truncated"),
        (Array("((((".utf8), "neither XML nor binary"),
        (binary([[0xA1, 0]]), "it contains itself"),
        (binary([[0xA2, 1, 2], [0x09], [0xD1, 1, 0]]), "it contains itself"),
        (binary([[0xA1, 9]]), "it has an invalid reference"),
        (binary([[0xAF, 0x10, 200, 0]]), "it has an invalid reference"),
        (binary([[0x09]], top: 3), "its trailer is invalid"),
        (nested(20, times: 10), "values"),
        (Array("bplist00".utf8), "it is truncated"),
    ]

    /// Returns the message of an error. An expectation would describe the large body byte by byte.
    static func message(_ body: () throws -> some Any) -> String {
        do {
            _ = try body()
            return "no error"
        } catch {
            return (error as? SessionError)?.message ?? "\(error)"
        }
    }

    @Test("Property lists that could exhaust the stack or memory are rejected", arguments: refused.indices)
    func refusals(index: Int) throws {
        let (bytes, words) = Self.refused[index]
        #expect(Self.message { try Self.value(bytes) }.contains(words))
        let again = Self.message {
            try response(200, [:], bytes).decode([[Int]].self, decoder: PropertyListDecoder())
        }
        #expect(again.contains(words))
    }

    @Test("Deeply nested JSON is rejected by both decoders")
    func deepJSON() throws {
        let response = try response(200, [:], [UInt8](repeating: UInt8(ascii: "["), count: 200_000))
        #expect(Self.message { try response.json() }.contains("512"))
        #expect(Self.message { try response.decode(ParameterValue.self) }.contains("512"))
    }
}
