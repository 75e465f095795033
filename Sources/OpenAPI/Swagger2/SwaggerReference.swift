import JSON

/// A reference, taken apart.
struct SwaggerReference {
    /// What precedes the fragment, as it is written.
    let resource: String
    /// The file that it leads to.
    let location: String
    /// The way in that file.
    let tokens: [String]
    /// Whether the fragment is a JSON Pointer.
    let isPointer: Bool

    /// Takes a reference apart.
    init(_ text: String, in location: String) {
        let hash = text.firstIndex(of: "#")
        resource = String(text[..<(hash ?? text.endIndex)])
        self.location = DocumentLocation.resolve(resource, against: location)
        let fragment = hash.map { String(text[text.index(after: $0)...]) } ?? ""
        let pointer = try? JSONPointer(uriFragment: fragment)
        tokens = pointer?.tokens ?? []
        isPointer = pointer != nil
    }

    /// The reference to another place in the same file.
    func text(to tokens: [String]) -> String { "\(resource)#\(Self.fragment(tokens))" }

    /// A JSON Pointer as a fragment, with what a URI may not have escaped.
    static func fragment(_ tokens: [String]) -> String {
        var text = ""
        for byte in JSONPointer(tokens: tokens).description.utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
                UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), 0...0x20,
                0x7F...:
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            default: text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return text
    }
}
