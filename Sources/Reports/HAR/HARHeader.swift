import SuiteModel

/// What an archive says of a response beside its fields, found in one pass over them.
struct HARHeader {
    private(set) var contentType: String?
    private(set) var contentEncoding: String?
    private(set) var contentLength: String?
    private(set) var location: String?
    /// The values of `Set-Cookie`.
    private(set) var cookies: [String] = []
    /// Bytes of the fields in HTTP/1, with the line that ends the header.
    private(set) var size = 2

    init(_ fields: [HeaderField]) {
        for index in fields.indices {
            let count = fields[index].name.utf8.count
            size += count + fields[index].value.utf8.count + 4
            // Most fields are told from the others by their length.
            switch count {
            case 8 where location == nil && Self.isNamed(fields[index], "location"): location = fields[index].value
            case 10 where Self.isNamed(fields[index], "set-cookie"): cookies.append(fields[index].value)
            case 12 where contentType == nil && Self.isNamed(fields[index], "content-type"):
                contentType = fields[index].value
            case 14 where contentLength == nil && Self.isNamed(fields[index], "content-length"):
                contentLength = fields[index].value
            case 16 where contentEncoding == nil && Self.isNamed(fields[index], "content-encoding"):
                contentEncoding = fields[index].value
            default: break
            }
        }
    }

    /// Whether a field has a name in lower case of the same length.
    private static func isNamed(_ field: HeaderField, _ name: StaticString) -> Bool {
        var text = field.name
        return text.withUTF8 { bytes in
            for index in bytes.indices {
                let (byte, expected) = (bytes[index], name.utf8Start[index])
                // Only letters have a second case.
                if byte != expected, expected < UInt8(ascii: "a") || byte | 0x20 != expected { return false }
            }
            return true
        }
    }
}
