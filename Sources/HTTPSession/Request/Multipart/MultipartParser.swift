/// A parser that splits a multipart form in memory into its parts (RFC 2046, section 5.1.1; RFC 7578).
enum MultipartParser {
    /// Returns the parts of a body, or nil unless it has exactly the format that ``MultipartFormData`` writes.
    static func parts(of body: [UInt8], contentType: String?) -> [MultipartPart]? {
        guard let contentType, let boundary = boundary(of: contentType) else { return nil }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        guard body.starts(with: delimiter.dropFirst(2)) else { return nil }
        var parts: [MultipartPart] = []
        var rest = body[(delimiter.count - 2)...]
        while !rest.elementsEqual("--\r\n".utf8) {
            guard rest.starts(with: "\r\n".utf8), let end = find(delimiter, in: rest),
                let part = part(rest[(rest.startIndex + 2)..<max(end, rest.startIndex + 2)])
            else { return nil }
            parts.append(part)
            rest = rest[(end + delimiter.count)...]
        }
        return parts
    }

    private static func boundary(of contentType: String) -> String? {
        let prefix = "multipart/form-data; boundary="
        guard contentType.hasPrefix(prefix) else { return nil }
        var text = contentType.dropFirst(prefix.count)
        if text.count > 2, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
        return text.isEmpty ? nil : String(text)
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> MultipartPart? {
        var part = MultipartPart(name: "", body: .empty)
        var isNamed = false
        var rest = bytes
        while let end = find([13, 10], in: rest) {
            let line = rest[..<end]
            rest = rest[(end + 2)...]
            if line.isEmpty {
                part.body = .bytes(Array(rest))
                return isNamed ? part : nil
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = String(decoding: line[(colon + 1)...].drop { $0 == 32 }, as: UTF8.self)
            switch name.lowercased() {
            case "content-disposition":
                guard let names = names(value) else { return nil }
                (part.name, part.fileName) = names
                isNamed = true
            case "content-type": part.contentType = value
            default: part.headers.append(name: name, value: value)
            }
        }
        return nil
    }

    /// Returns the names of the field and the file.
    private static func names(_ disposition: String) -> (name: String, fileName: String?)? {
        let start = "form-data; name=\""
        guard disposition.hasPrefix(start), disposition.last == "\"" else { return nil }
        let names = disposition.dropFirst(start.count).dropLast()
        // A quotation mark within a name is written as %22.
        guard let middle = names.firstRange(of: "\"; filename=\"") else {
            return names.contains("\"") ? nil : (unescaped(names), nil)
        }
        return (unescaped(names[..<middle.lowerBound]), unescaped(names[middle.upperBound...]))
    }

    private static func unescaped(_ name: Substring) -> String {
        String(name).replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }

    private static func find(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = needle.first, bytes.count >= needle.count else { return nil }
        return bytes.withUnsafeBufferPointer { buffer in
            for index in 0...(buffer.count - needle.count) where buffer[index] == first {
                var length = 1
                while length < needle.count, buffer[index + length] == needle[length] { length += 1 }
                if length == needle.count { return bytes.startIndex + index }
            }
            return nil
        }
    }
}
