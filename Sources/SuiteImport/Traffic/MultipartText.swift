import Basics

/// Reads recorded multipart forms (RFC 7578).
enum MultipartText {
    private static let maximumParts = 1_000

    /// Returns the parts of a body; nil if it is not a multipart form.
    static func parts(of body: [UInt8], contentType: String) -> [ImportedBody.Part]? {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let boundary = parameter("boundary", of: contentType), !boundary.isEmpty
        else { return nil }
        let delimiter = Array("--\(boundary)".utf8)
        var parts: [ImportedBody.Part] = []
        var rest = body[...]
        guard rest.starts(with: delimiter) else { return nil }
        rest = rest.dropFirst(delimiter.count)
        while !rest.starts(with: "--".utf8) {
            guard parts.count < maximumParts, rest.starts(with: "\r\n".utf8) else { return nil }
            rest = rest.dropFirst(2)
            guard let end = range(of: Array("\r\n".utf8) + delimiter, in: rest),
                let part = part(rest[..<end.lowerBound])
            else { return nil }
            parts.append(part)
            rest = rest[end.upperBound...]
        }
        return parts
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> ImportedBody.Part? {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = range(of: separator, in: bytes) else { return nil }
        var name: String?
        var fileName: String?
        var type: String?
        var headers: [ImportedField] = []
        for line in String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let field = String(line[..<colon])
            let value = String(ASCII.trimmed(line[line.index(after: colon)...]))
            switch field.lowercased() {
            case "content-disposition":
                name = parameter("name", of: value)
                fileName = parameter("filename", of: value)
            case "content-type": type = value
            case "content-length": break
            default: headers.append(ImportedField(ImportedText(field), ImportedText(value)))
            }
        }
        guard let name, let text = String(validating: bytes[end.upperBound...], as: UTF8.self) else { return nil }
        var part = ImportedBody.Part(ImportedText(name), .text(ImportedText(text)))
        part.fileName = fileName.map { ImportedText($0) }
        part.type = type.map { ImportedText($0) }
        part.headers = headers
        return part
    }

    /// Returns the value of a parameter, such as `name="cover"`.
    private static func parameter(_ name: String, of field: String) -> String? {
        for piece in field.split(separator: ";").dropFirst() {
            let piece = ASCII.trimmed(piece)
            guard let equals = piece.firstIndex(of: "="), piece[..<equals].lowercased() == name else { continue }
            let value = piece[piece.index(after: equals)...]
            if value.first == "\"", value.last == "\"", value.count > 1 {
                return value.dropFirst().dropLast().split(separator: "%22", omittingEmptySubsequences: false)
                    .joined(separator: "\"")
            }
            return String(value)
        }
        return nil
    }

    private static func range(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        guard let first = pattern.first else { return nil }
        var start = bytes.startIndex
        while let index = bytes[start...].firstIndex(of: first) {
            if bytes[index...].starts(with: pattern) { return index..<(index + pattern.count) }
            start = index + 1
        }
        return nil
    }
}
