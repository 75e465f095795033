import JSON
import SuiteModel

extension MockCollection.Identifier {
    /// What an identifier is, for messages.
    var phrase: String {
        switch self {
        case .integer: "a whole number"
        case .uuid: "a UUID"
        case .string: "a text that is not empty"
        }
    }

    /// Whether a value given by a client can be an identifier.
    func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.integer, .number(let number)): number.int64 != nil
        case (.uuid, .string(let text)): MockCollection.Identifier.isUUID(text)
        case (.string, .string(let text)): !text.isEmpty
        default: false
        }
    }

    /// Whether a text has the form of a UUID (RFC 9562, section 4).
    static func isUUID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 36
            && bytes.indices.allSatisfy { index in
                if index == 8 || index == 13 || index == 18 || index == 23 { return bytes[index] == UInt8(ascii: "-") }
                switch bytes[index] {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "A")...UInt8(ascii: "F"):
                    return true
                default: return false
                }
            }
    }
}

extension JSONValue {
    /// The value as an identifier stands in a URL, not encoded.
    var identifierText: String {
        switch self {
        case .string(let text): text
        case .number(let number): number.int64.map { String($0) } ?? number.literal
        default: serialized()
        }
    }
}
