import JSON

/// An input of two parts: the first line is a query, expression or schema, the rest is what it is applied to.
struct FuzzInput {
    /// The first line; a form feed in it stands for a line feed.
    let first: String
    /// What comes after the first line.
    let rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) {
        let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
        first = String(decoding: input[..<end].lazy.map { $0 == 0x0C ? UInt8(ascii: "\n") : $0 }, as: UTF8.self)
        rest = input[end...].dropFirst()
    }

    /// The second part as a JSON document, or a small document that has a bit of everything.
    var document: JSONValue {
        (try? JSONParser(limits: JSONParser.Limits(maximumDepth: 100)).parse(Array(rest))) ?? FuzzInput.sample
    }

    private static let sample: JSONValue = [
        "a": [1, 2.5, "x", "\u{1F600}", .null, true], "b": ["c": ["a": -1, "b": [[], [:]]], "": "é"], "'\"\\": 0.5,
    ]
}
