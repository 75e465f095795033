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
            case 8 where location == nil && fields[index].isNamed("Location"): location = fields[index].value
            case 10 where fields[index].isNamed("Set-Cookie"): cookies.append(fields[index].value)
            case 12 where contentType == nil && fields[index].isNamed("Content-Type"):
                contentType = fields[index].value
            case 14 where contentLength == nil && fields[index].isNamed("Content-Length"):
                contentLength = fields[index].value
            case 16 where contentEncoding == nil && fields[index].isNamed("Content-Encoding"):
                contentEncoding = fields[index].value
            default: break
            }
        }
    }
}
