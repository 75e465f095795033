import JSON
import Testing

/// A text, and whether RFC 8259 allows it.
struct GrammarCase: Sendable, CustomTestStringConvertible {
    let name: String
    let text: [UInt8]

    init(_ name: String, _ text: String) {
        self.name = name
        self.text = Array(text.utf8)
    }

    init(_ name: String, bytes: [UInt8]) {
        self.name = name
        self.text = bytes
    }

    var testDescription: String { name }
}
