import Testing

@testable import SuiteLoader

@Suite("CSV records")
struct CSVRecordParserTests {
    /// Returns the records of a complete text.
    private func records(_ text: String, delimiter: Character = ",") throws -> [[String]] {
        let parser = CSVRecordParser(delimiter: delimiter.asciiValue ?? 0)
        let bytes = Array(text.utf8)
        return try bytes.withUnsafeBufferPointer { bytes in
            var records: [[String]] = []
            var fields: [CSVRecordParser.Field] = []
            var index = 0
            while index < bytes.count {
                index = try parser.parse(bytes, from: index, isComplete: true, into: &fields) ?? bytes.count
                records.append(fields.map { CSVRecordParser.text(of: $0, in: bytes) ?? "?" })
            }
            return records
        }
    }

    @Test(
        "Fields, quotes, and line breaks follow RFC 4180",
        arguments: [
            ("a,b\n", [["a", "b"]]),
            ("a,b", [["a", "b"]]),
            ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
            ("a\rb\r", [["a"], ["b"]]),
            ("a,\n,b\n", [["a", ""], ["", "b"]]),
            (",\n", [["", ""]]),
            ("a\n\nb\n", [["a"], [], ["b"]]),
            ("\"a,b\",c\n", [["a,b", "c"]]),
            ("\"say \"\"hi\"\"\"\n", [["say \"hi\""]]),
            ("\"\"\"\"\n", [["\""]]),
            ("\"\"\n", [[""]]),
            ("\"line\nbreak\",\"cr\r\nlf\"\n", [["line\nbreak", "cr\r\nlf"]]),
            (" a , b \n", [[" a ", " b "]]),
            ("\"a\"", [["a"]]),
            ("ö,\"日本\"\n", [["ö", "日本"]]),
        ])
    func records(_ text: String, _ expected: [[String]]) throws {
        #expect(try records(text) == expected)
    }

    @Test("Another delimiter separates fields")
    func delimiter() throws {
        #expect(try records("a;b,c\n", delimiter: ";") == [["a", "b,c"]])
        #expect(try records("a\tb\n", delimiter: "\t") == [["a", "b"]])
    }

    @Test(
        "Invalid CSV is reported with its location",
        arguments: [
            ("a\"b\n", CSVRecordParser.Problem(kind: .quoteInField, offset: 1)),
            ("\"a\"b\n", .init(kind: .textAfterQuote, offset: 3)),
            ("x,\"a\n", .init(kind: .unclosedQuote, offset: 2)),
            ("\"a\" ,b\n", .init(kind: .textAfterQuote, offset: 3)),
        ])
    func problems(_ text: String, _ expected: CSVRecordParser.Problem) {
        #expect(throws: expected) { try records(text) }
    }

    @Test("An incomplete record is not taken for complete, wherever the data ends")
    func cuts() throws {
        let text = Array("\"a\"\"b\",c\r\nd,e\r\n".utf8)
        let parser = CSVRecordParser()
        for length in 1...10 {
            let end = try Array(text.prefix(length)).withUnsafeBufferPointer { bytes in
                var fields: [CSVRecordParser.Field] = []
                return try parser.parse(bytes, from: 0, isComplete: false, into: &fields)
            }
            #expect(end == (length == 10 ? 10 : nil), "\(length)")
        }
    }
}
