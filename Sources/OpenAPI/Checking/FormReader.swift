import Basics
import JSON

/// A reader of `application/x-www-form-urlencoded` bodies (Encoding Object).
enum FormReader {
    /// Returns the objects that a form can represent by its schema and encodings, most likely first.
    static func values(of pairs: [RequestFields.Pair], _ shape: ValueShape, encodings: [Encoding]) -> [JSONValue] {
        var members: [StyledValue.Member] = []
        var known: Set<String> = []
        func add(_ name: String, _ values: [JSONValue]) {
            known.insert(name)
            members.append((name, values))
        }
        var taken: Set<String> = []
        for (name, member) in shape.properties.sorted(by: { $0.key < $1.key }) {
            let encoding = encodings.first { $0.property == name }
            let style = StyledValue(
                name: name, style: encoding?.style ?? .form, isExploded: encoding?.isExploded ?? true, shape: member)
            // An object member is JSON unless its encoding names a style (section "Encoding Object").
            if encoding?.node["style"] == nil, member.types.contains(.object),
                let pair = pairs.first(where: { $0.name == name })
            {
                taken.insert(name)
                let text = PercentEncoding.decodedText(pair.value, plusIsSpace: true)
                add(name, [(try? JSONParser().parse(Array(text.utf8))) ?? .string(text)])
                continue
            }
            switch style.read(pairs, plusIsSpace: true, taken: &taken) {
            case .absent: break
            case .empty: add(name, member.readings(of: ""))
            case .values(let values): add(name, values)
            case .malformed: add(name, [.string("")])
            }
        }
        for pair in pairs where !taken.contains(pair.name) && !known.contains(pair.name) {
            add(
                pair.name,
                shape.member(pair.name).readings(of: PercentEncoding.decodedText(pair.value, plusIsSpace: true)))
        }
        return StyledValue.objects(of: members)
    }
}

/// A parser of multipart bodies (RFC 2046, section 5.1; RFC 7578).
enum MultipartReader {
    /// A part of a multipart body.
    struct Part {
        var name: String
        var headers: [ContractExchange.Field]
        var body: ArraySlice<UInt8>

        /// The media type of the part, `text/plain` by default.
        var mediaType: MediaRange { MediaRange(headers.first(named: "content-type") ?? "text/plain") }
    }

    /// The maximum number of parts to read.
    private static let maximumParts = 10_000

    /// Returns the parts of a body, or `nil` if the body is malformed.
    static func parts(of body: [UInt8], boundary: String) -> [Part]? {
        let delimiter = Array("--\(boundary)".utf8)
        guard !boundary.isEmpty, var position = find(delimiter, in: body, from: 0) else { return nil }
        var parts: [Part] = []
        while parts.count < maximumParts {
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
