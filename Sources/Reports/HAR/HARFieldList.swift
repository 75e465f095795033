import Basics
import ExchangeFormats
import Output
import RunModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A cache of the last written header fields.
///
/// Fields that a message shares with the previous one are copied.
struct HARFieldList: ~Copyable {
    /// The cached state of the field at an index.
    private struct Slot {
        /// Whether the name and the value were written verbatim.
        var isPlain = false
        /// The number of bytes of the object, including the leading comma.
        var textCount = 0
        var role = HARHeader.Role.other
        /// Whether the next field at this index equals the cached one.
        var isSame = false
    }

    private var slots: [Slot] = []
    /// The cached objects of the fields, separated by commas.
    private var text = ByteBuffer()
    private var isSame = false
    /// The result of the last call of ``read(_:)``.
    private var header = HARHeader()
    /// Whether the last read fields were written.
    private var isWritten = false
    /// The fields in the cached text.
    private var last: [HeaderField] = []

    init() {}

    /// Reads the fields to be written next.
    mutating func read(_ fields: [HeaderField]) -> HARHeader {
        // The requests of most runs share one array.
        if isWritten, Self.areOne(fields, last) {
            isSame = true
            return header
        }
        isWritten = false
        isSame = fields.count == slots.count
        if fields.count < slots.count { slots.removeLast(slots.count - fields.count) }
        while slots.count < fields.count { slots.append(Slot()) }
        header = HARHeader()
        for index in fields.indices {
            let slot = slots[index]
            let isKept = index < last.count
            let isNamed = isKept && slot.isPlain && Self.isEqual(fields[index].name, last[index].name)
            if !isNamed { slots[index].role = Self.role(of: fields[index].name) }
            slots[index].isSame = isNamed && Self.isEqual(fields[index].value, last[index].value)
            header.add(
                slots[index].role, at: index, count: fields[index].name.utf8.count + fields[index].value.utf8.count)
            isSame = isSame && slots[index].isSame
        }
        return header
    }

    private static func role(of name: String) -> HARHeader.Role {
        name.withBytes { HARHeader.role(of: $0) }
    }

    /// Appends the last read fields as array elements.
    mutating func write(_ fields: [HeaderField], into json: inout JSONText) {
        last = fields
        isWritten = true
        if isSame { return json.buffer.append(text) }
        let start = json.buffer.count
        var slots: [Slot] = []
        swap(&slots, &self.slots)
        text.withUnsafeBytes { text in
            let text = text.assumingMemoryBound(to: UInt8.self)
            // The start of the run of cached text to copy.
            var run = 0
            var offset = 0
            for index in fields.indices {
                let end = offset &+ slots[index].textCount
                if !slots[index].isSame {
                    json.buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[run..<offset]))
                    run = end
                    slots[index].textCount = 0
                    let count = json.buffer.count
                    if index > 0 { json.continueArray() } else { json.beginElement() }
                    slots[index].isPlain = json.pair(fields[index].name, fields[index].value)
                    slots[index].textCount = json.buffer.count &- count
                }
                offset = end
            }
            json.buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[run..<offset]))
        }
        swap(&slots, &self.slots)
        text.removeAll()
        text.append(json.buffer, from: start)
    }

    /// Returns whether a string has the same bytes as one that needed no escaping.
    ///
    /// Such a string is ASCII. A canonically equivalent string with other bytes has more of them.
    private static func isEqual(_ text: String, _ plain: String) -> Bool {
        text.utf8.count == plain.utf8.count && text == plain
    }

    /// Returns whether two arrays share storage, which cannot be modified while one of them is kept here.
    private static func areOne(_ first: [HeaderField], _ second: [HeaderField]) -> Bool {
        guard first.count == second.count else { return false }
        return first.withUnsafeBufferPointer { first in
            second.withUnsafeBufferPointer { second in first.baseAddress == second.baseAddress }
        }
    }
}

/// Arrays of names and values in an HTTP Archive.
enum HARFields {
    static func writeEmpty(_ name: StaticString, into json: inout JSONText) {
        json.beginArray(name)
        json.endArray()
    }

    /// Writes the query parameters of a URL as array elements.
    static func writeQuery(of url: String, into json: inout JSONText) {
        guard index(of: UInt8(ascii: "?"), in: url) != nil else { return }
        let text = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        if let mark = text.firstIndex(of: UInt8(ascii: "?")) {
            writePairs(String(decoding: text[mark...].dropFirst(), as: UTF8.self), into: &json)
        }
    }

    /// Writes the elements for pairs such as `a=1&b=2` (WHATWG URL standard, section 5.1).
    static func writePairs(_ text: String, into json: inout JSONText) {
        PercentEncoding.eachFormPair(of: text) { name, value in json.pair(name, value) }
    }

    /// Returns the offset of the first occurrence of a byte, or `nil` if there is none.
    static func index(of byte: UInt8, in text: String) -> Int? {
        text.withBytes { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base, Int32(byte), bytes.count) else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}

/// The fields of a message header that an archive repeats or interprets elsewhere.
struct HARHeader {
    /// The role of a field in an archive.
    enum Role: UInt8 {
        case other, location, cookie, setCookie, contentType, contentLength, contentEncoding
    }

    // The indices of fields. If only one field of a name counts, it is the first.
    private(set) var contentType: Int?
    private(set) var contentEncoding: Int?
    private(set) var contentLength: Int?
    private(set) var location: Int?
    /// The indices of the `Cookie` fields.
    private(set) var cookies: [Int] = []
    /// The indices of the `Set-Cookie` fields.
    private(set) var setCookies: [Int] = []
    /// The size of the header section in HTTP/1 in bytes, including its final empty line.
    private(set) var size = 2

    /// Adds a field.
    ///
    /// - Parameter count: The total number of bytes of its name and value.
    mutating func add(_ role: Role, at index: Int, count: Int) {
        size += HARParts.sizeOfField(count)
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

    /// Returns the role of a field by its name.
    ///
    /// The length alone rules out most names.
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

    /// Returns whether a name equals a lowercase one of the same length, ignoring case.
    private static func isSame(_ name: UnsafeBufferPointer<UInt8>, _ expected: StaticString) -> Bool {
        for index in name.indices {
            let (byte, expected) = (name[index], expected.utf8Start[index])
            // Only letters have an uppercase form.
            if byte != expected, expected < UInt8(ascii: "a") || byte | 0x20 != expected { return false }
        }
        return true
    }
}

/// A cookie set by a response, in the format of an HTTP Archive (RFC 6265, section 5.2).
struct HARSetCookie {
    private let name: String
    private let value: String
    private var path: String?
    private var domain: String?
    private var expires: String?
    private var maximumAge: Int64?
    private var isHTTPOnly = false
    private var isSecure = false

    init(_ field: String) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        let first = parts.first ?? ""
        if let equals = first.firstIndex(of: "=") {
            name = String(ASCII.trimmed(first[..<equals]))
            value = String(ASCII.trimmed(first[first.index(after: equals)...]))
        } else {
            name = ""
            value = String(ASCII.trimmed(first))
        }
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count > 1 ? String(ASCII.trimmed(pair[1])) : ""
            switch ASCII.trimmed(pair.first ?? "").lowercased() {
            case "path": path = value
            case "domain": domain = value
            case "expires": expires = Self.date(value)
            case "max-age": maximumAge = Int64(value)
            case "httponly": isHTTPOnly = true
            case "secure": isSecure = true
            default: break
            }
        }
    }

    /// Writes the cookie as an object.
    ///
    /// - Parameter start: Nanoseconds from the start of the run to the time at which the cookie was set.
    func write(clock: RunClock, start: Int64, into json: inout JSONText) {
        json.beginObject()
        json.member("name", name)
        json.member("value", value)
        if let path { json.member("path", path) }
        if let domain { json.member("domain", domain) }
        if let maximumAge {
            // Limits the lifetime to a hundred years.
            let seconds = min(max(0, maximumAge), 3_155_760_000)
            json.member("expires", clock.text(at: start + seconds * 1_000_000_000))
        } else if let expires {
            json.member("expires", expires)
        }
        json.member("httpOnly", isHTTPOnly)
        json.member("secure", isSecure)
        json.endObject()
    }

    /// Converts a date such as `Wed, 21 Oct 2015 07:28:00 GMT` (RFC 9110, section 5.6.7) to `2015-10-21T07:28:00.000Z`.
    private static func date(_ text: String) -> String? {
        let words = text.split { " ,-:".contains($0) }
        guard words.count >= 7, let day = Int(words[1]), 1...31 ~= day,
            let month = CalendarDate.monthNames.firstIndex(where: { ASCII.equalIgnoringCase($0, String(words[2])) }),
            let year = Int(words[3]), 1_000...9_999 ~= year
        else { return nil }
        let time = words[4...6].compactMap { Int($0) }
        guard time.count == 3, 0...23 ~= time[0], 0...59 ~= time[1], 0...60 ~= time[2] else { return nil }
        let parts = ([month + 1, day] + time).map { ASCII.padded($0, 2) }
        return "\(year)-\(parts[0])-\(parts[1])T" + parts[2...].joined(separator: ":") + ".000Z"
    }
}
