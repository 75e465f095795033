import JSON

/// An input with two parts: the first line is a query, expression or schema, and the rest is its operand.
struct FuzzInput {
    /// The first line, with each form feed replaced by a line feed.
    let first: String
    /// The text after the first line.
    let rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) {
        let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
        first = String(decoding: input[..<end].lazy.map { $0 == 0x0C ? UInt8(ascii: "\n") : $0 }, as: UTF8.self)
        rest = input[end...].dropFirst()
    }

    /// The second part as a JSON document, or a small document with values of all kinds.
    var document: JSONValue {
        (try? JSONParser(limits: JSONParser.Limits(maximumDepth: 100)).parse(Array(rest))) ?? FuzzInput.sample
    }

    private static let sample: JSONValue = [
        "a": [1, 2.5, "x", "\u{1F600}", .null, true], "b": ["c": ["a": -1, "b": [[], [:]]], "": "é"], "'\"\\": 0.5,
    ]
}
