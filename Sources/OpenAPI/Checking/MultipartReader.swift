/// Takes a multipart body apart (RFC 2046, section 5.1; RFC 7578).
enum MultipartReader {
    /// One part of a body.
    struct Part {
        var name: String
        var headers: [ContractExchange.Field]
        var body: ArraySlice<UInt8>

        /// The media type, `text/plain` unless the part says otherwise.
        var mediaType: MediaRange { MediaRange(headers.first(named: "content-type") ?? "text/plain") }
    }

    /// How many parts are read.
    private static let mostParts = 10_000

    /// The parts of a body, or nil when it does not follow the format.
    static func parts(of body: [UInt8], boundary: String) -> [Part]? {
        let delimiter = Array("--\(boundary)".utf8)
        guard !boundary.isEmpty, var position = find(delimiter, in: body, from: 0) else { return nil }
        var parts: [Part] = []
        while parts.count < mostParts {
            position += delimiter.count
            if body[position...].starts(with: "--".utf8) { return parts }
            guard let lineEnd = find([0x0A], in: body, from: position),
                let next = find([0x0D, 0x0A] + delimiter, in: body, from: lineEnd > 0 ? lineEnd - 1 : 0)
            else { return nil }
            let start = min(lineEnd + 1, next)
            if let part = part(body[start..<max(start, next)]) { parts.append(part) }
            position = next + 2
        }
        return parts
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
        var headers: [ContractExchange.Field] = []
        var rest = bytes
        while let lineEnd = rest.firstIndex(of: 0x0A) {
            var line = rest[rest.startIndex..<lineEnd]
            rest = rest[(lineEnd + 1)...]
            if line.last == 0x0D { line = line.dropLast() }
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            headers.append(
                (String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        guard let disposition = headers.first(named: "content-disposition") else { return nil }
        let name = MediaRange("x/x;" + disposition.drop { $0 != ";" }.dropFirst()).parameters["name"]
        return name.map { Part(name: $0, headers: headers, body: rest) }
    }

    private static func find(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = needle.first, start >= 0, bytes.count >= needle.count else { return nil }
        var index = start
        let last = bytes.count - needle.count
        return bytes.withUnsafeBufferPointer { bytes in
            while index <= last {
                if bytes[index] == first {
                    var length = 1
                    while length < needle.count, bytes[index + length] == needle[length] { length += 1 }
                    if length == needle.count { return index }
                }
                index += 1
            }
            return nil
        }
    }
}
