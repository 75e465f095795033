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
        for field in fields {
            let count = field.name.utf8.count
            size += count + field.value.utf8.count + 4
            switch count {
            case 8 where location == nil && field.isNamed("Location"): location = field.value
            case 10 where field.isNamed("Set-Cookie"): cookies.append(field.value)
            case 12 where contentType == nil && field.isNamed("Content-Type"): contentType = field.value
            case 14 where contentLength == nil && field.isNamed("Content-Length"): contentLength = field.value
            case 16 where contentEncoding == nil && field.isNamed("Content-Encoding"): contentEncoding = field.value
            default: break
            }
        }
    }
}
