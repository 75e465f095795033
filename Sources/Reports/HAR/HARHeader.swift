import SuiteModel

/// Where the fields of a message are that an archive says more of than their names and values.
struct HARHeader {
    /// What an archive says of a field.
    enum Role: UInt8 {
        case other, location, cookie, setCookie, contentType, contentLength, contentEncoding
    }

    // The indices of fields; the first of a name where one alone counts.
    private(set) var contentType: Int?
    private(set) var contentEncoding: Int?
    private(set) var contentLength: Int?
    private(set) var location: Int?
    /// The indices of the fields `Cookie`.
    private(set) var cookies: [Int] = []
    /// The indices of the fields `Set-Cookie`.
    private(set) var setCookies: [Int] = []
    /// Bytes of the fields in HTTP/1, with the line that ends the header.
    private(set) var size = 2

    /// Adds a field.
    ///
    /// - Parameter count: The bytes of its name and value.
    mutating func add(_ role: Role, at index: Int, count: Int) {
        size += count + 4
        switch role {
        case .other: break
        case .location: location = location ?? index
        case .cookie: cookies.append(index)
        case .setCookie: setCookies.append(index)
        case .contentType: contentType = contentType ?? index
        case .contentLength: contentLength = contentLength ?? index
        case .contentEncoding: contentEncoding = contentEncoding ?? index
        }
    }

    /// The role of a field by its name; most are told from the others by their length.
    static func role(of name: UnsafeBufferPointer<UInt8>) -> Role {
        switch name.count {
        case 6 where isSame(name, "cookie"): .cookie
        case 8 where isSame(name, "location"): .location
        case 10 where isSame(name, "set-cookie"): .setCookie
        case 12 where isSame(name, "content-type"): .contentType
        case 14 where isSame(name, "content-length"): .contentLength
        case 16 where isSame(name, "content-encoding"): .contentEncoding
        default: .other
        }
    }

    /// Whether a name is one in lower case of the same length, without regard to case.
    private static func isSame(_ name: UnsafeBufferPointer<UInt8>, _ expected: StaticString) -> Bool {
        for index in name.indices {
            let (byte, expected) = (name[index], expected.utf8Start[index])
            // Only letters have a second case.
            if byte != expected, expected < UInt8(ascii: "a") || byte | 0x20 != expected { return false }
        }
        return true
    }
}
