import Basics

/// Parses Hurl files, with the names of sections and options of all versions of Hurl.
struct HurlParser {
    private var scanner: HurlScanner

    /// The sections of requests and responses, by their current names.
    private enum Section: String {
        case query = "Query"
        case form = "Form"
        case multipart = "Multipart"
        case cookies = "Cookies"
        case basicAuth = "BasicAuth"
        case options = "Options"
        case captures = "Captures"
        case asserts = "Asserts"

        private static let formerNames: [String: Section] = [
            "QueryStringParams": .query, "FormParams": .form, "MultipartFormData": .multipart,
        ]

        init?(name: String) {
            guard let section = Section(rawValue: name) ?? Self.formerNames[name] else { return nil }
            self = section
        }
    }

    /// Returns the entries of a file, and the comments after the last one.
    static func parse(_ text: [UInt8]) throws(HurlSyntaxError) -> (entries: [HurlEntry], comments: [String]) {
        var parser = HurlParser(scanner: HurlScanner(text))
        var entries: [HurlEntry] = []
        while true {
            parser.scanner.skipLines()
            if parser.scanner.isAtEnd { break }
            entries.append(try parser.entry())
            if entries.count > ImportLimits.requests { throw parser.scanner.fail("fewer entries") }
        }
        return (entries, parser.scanner.takeComments().map(\.text))
    }

    /// Returns whether a text begins like a Hurl file: with a request, and with a response or a section in it.
    static func recognizes(_ text: ArraySlice<UInt8>) -> Bool {
        var scanner = HurlScanner(Array(text))
        scanner.skipLines()
        guard isRequestLine(scanner) else { return false }
        while !scanner.isAtEnd {
            scanner.position = min(scanner.endOfLine + 1, scanner.bytes.count)
            scanner.skipLines()
            if isResponseLine(scanner) || isSectionLine(scanner) != nil || isRequestLine(scanner) { return true }
        }
        // A single request.
        return true
    }

    // MARK: Lines

    private static func isRequestLine(_ scanner: HurlScanner) -> Bool {
        let method = scanner.bytes[scanner.position...].prefix { (0x41...0x5A).contains($0) }
        guard method.count > 1, let next = scanner.peek(method.count), ASCII.isBlank(next) else { return false }
        let url = ASCII.trimmed(
            scanner.bytes[(scanner.position + method.count)..<scanner.endOfLine], ASCII.isWhitespace)
        if url.first == UInt8(ascii: ":") { return false }
        return url.starts(with: "http".utf8) || url.starts(with: "{{".utf8) || url.starts(with: "/".utf8)
            || url.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
                && !url.contains { ASCII.isBlank($0) }
    }

    private static func isResponseLine(_ scanner: HurlScanner) -> Bool {
        guard scanner.starts(with: "HTTP"), let next = scanner.peek(4) else { return false }
        if next == UInt8(ascii: "/") { return true }
        let rest = ASCII.trimmed(scanner.bytes[(scanner.position + 4)..<scanner.endOfLine], ASCII.isWhitespace)
        return ASCII.isBlank(next) && (rest.first.map(ASCII.isDigit) ?? false || rest.first == UInt8(ascii: "*"))
    }

    private static func isSectionLine(_ scanner: HurlScanner) -> String? {
        guard scanner.current == UInt8(ascii: "[") else { return nil }
        let name = scanner.bytes[(scanner.position + 1)...].prefix(while: ASCII.isLetter)
        guard let first = name.first, (0x41...0x5A).contains(first),
            scanner.peek(name.count + 1) == UInt8(ascii: "]")
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    private var startsStatement: Bool {
        scanner.isAtEnd || Self.isResponseLine(scanner) || Self.isRequestLine(scanner)
            || Self.isSectionLine(scanner) != nil
    }

    /// Whether a name with a colon is at the position.
    private var startsField: Bool {
        var position = scanner.position
        let bytes = scanner.bytes
        var isName = false
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: ":") { return isName }
            if byte == UInt8(ascii: "{"), position + 1 < bytes.count, bytes[position + 1] == byte {
                guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "}")) else { return false }
                position = end + 2
                isName = true
            } else if byte == UInt8(ascii: "\\") {
                position += 2
                // `\u{…}`
                if position < bytes.count, bytes[position] == UInt8(ascii: "{"),
                    bytes[position - 1] == UInt8(ascii: "u")
                {
                    position = (bytes[position...].firstIndex(of: UInt8(ascii: "}")) ?? position) + 1
                }
                isName = true
            } else if ASCII.isAlphanumeric(byte) || byte >= 0x80 || "_-.@$".utf8.contains(byte)
                || isName && "[]/+*'()".utf8.contains(byte)
            {
                position += 1
                isName = true
            } else if ASCII.isBlank(byte), isName {
                position += 1
            } else {
                return false
            }
        }
        return false
    }

    // MARK: Entries

    private mutating func entry() throws(HurlSyntaxError) -> HurlEntry {
        let comments = scanner.takeComments()
        let start = scanner.position
        guard Self.isRequestLine(scanner) else { throw scanner.fail("a request such as `GET https://example.org`") }
        let method = scanner.word
        scanner.position += method.utf8.count
        scanner.skipBlanks()
        var url = try scanner.text { $0.current == 0x0A || $0.current == UInt8(ascii: " ") }
        url.trimEnd()
        try scanner.finishLine()
        var entry = HurlEntry(offset: start, request: HurlRequest(method: method, url: url))
        for comment in comments {
            if comment.isAfterBlank || entry.comments.isEmpty { entry.comments.append([]) }
            entry.comments[entry.comments.count - 1].append(comment.text)
        }
        entry.request.headers = try fields()
        try sections(of: &entry)
        entry.request.body = try body(&entry.request.headers)
        scanner.skipLines()
        if !Self.isResponseLine(scanner) {
            entry.requestComments = scanner.takeOwnComments()
            return entry
        }
        entry.requestComments = scanner.takeComments().map(\.text)
        entry.response = try response()
        entry.responseComments = scanner.takeOwnComments()
        return entry
    }

    private mutating func response() throws(HurlSyntaxError) -> HurlResponse {
        let version = scanner.bytes[scanner.position...].prefix { !ASCII.isWhitespace($0) }
        scanner.position += version.count
        scanner.skipBlanks()
        let status = scanner.bytes[scanner.position...].prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: "*") }
        guard !status.isEmpty else { throw scanner.fail("a status such as `200`, or `*`") }
        scanner.position += status.count
        // The reason phrase of former versions.
        scanner.skipBlanks()
        while !scanner.isAtEndOfLine { scanner.position += 1 }
        try scanner.finishLine()
        var response = HurlResponse(
            version: String(decoding: version, as: UTF8.self), status: String(decoding: status, as: UTF8.self))
        response.headers = try fields()
        while let section = try section() {
            switch section {
            case .captures: response.captures += try captures()
            case .asserts: response.asserts += try asserts()
            default: throw scanner.fail("`[Captures]` or `[Asserts]`")
            }
        }
        scanner.skipLines()
        response.bodyOffset = scanner.position
        response.body = try body(&response.headers)
        return response
    }

    /// Reads a body and the rest of its line.
    private mutating func body(_ headers: inout [HurlField]) throws(HurlSyntaxError) -> HurlBody? {
        scanner.skipLines()
        if startsStatement { return nil }
        let start = scanner.position
        guard let body = try scanner.body() else { throw scanner.fail("a header, a section or a body", at: start) }
        try scanner.finishLine()
        return body
    }

    // MARK: Sections

    /// Reads the name of a section; nil if no section begins.
    private mutating func section() throws(HurlSyntaxError) -> Section? {
        scanner.skipLines()
        guard let name = Self.isSectionLine(scanner) else { return nil }
        guard let section = Section(name: name) else { throw scanner.fail("the name of a section") }
        scanner.position += name.utf8.count + 2
        try scanner.finishLine()
        return section
    }

    private mutating func sections(of entry: inout HurlEntry) throws(HurlSyntaxError) {
        while let section = try section() {
            switch section {
            case .query: entry.request.query += try fields()
            case .form: entry.request.form += try fields()
            case .multipart: entry.request.multipart += try fields(hasFiles: true)
            case .cookies: entry.request.cookies += try fields()
            case .basicAuth: entry.request.credentials += try fields()
            case .options: entry.request.options += try fields()
            case .captures, .asserts: throw scanner.fail("a response such as `HTTP 200` before its section")
            }
        }
    }

    private mutating func fields(hasFiles: Bool = false) throws(HurlSyntaxError) -> [HurlField] {
        var fields: [HurlField] = []
        while true {
            scanner.skipLines()
            guard !startsStatement, startsField else { return fields }
            let offset = scanner.position
            var name = try name()
            name.trimEnd()
            scanner.skipBlanks()
            if hasFiles, scanner.take("file,") {
                let file = try scanner.delimited()
                let type = try scanner.value()
                fields.append(
                    HurlField(name: name, value: HurlText(), file: file, type: type.literal, offset: offset))
            } else {
                fields.append(HurlField(name: name, value: try scanner.value(), offset: offset))
            }
            try scanner.finishLine()
        }
    }

    private mutating func name() throws(HurlSyntaxError) -> HurlText {
        let name = try scanner.text { $0.current == UInt8(ascii: ":") || $0.current == 0x0A }
        guard scanner.take(":") else { throw scanner.fail("a colon") }
        return name
    }

    private mutating func captures() throws(HurlSyntaxError) -> [HurlLine<HurlCapture>] {
        var lines: [HurlLine<HurlCapture>] = []
        while true {
            scanner.skipLines()
            guard !startsStatement, startsField else { return lines }
            let start = scanner.position
            var name = try name()
            name.trimEnd()
            scanner.skipBlanks()
            var capture: HurlCapture?
            if let query = try scanner.query() {
                capture = HurlCapture(name: name, query: query, isRedacted: scanner.take("redact"))
            }
            lines.append(try line(capture, from: start))
        }
    }

    private mutating func asserts() throws(HurlSyntaxError) -> [HurlLine<HurlAssert>] {
        var lines: [HurlLine<HurlAssert>] = []
        while true {
            scanner.skipLines()
            let word = scanner.word
            guard !startsStatement, let first = word.utf8.first, ASCII.isLetter(first),
                !["true", "false", "null"].contains(word), !scanner.starts(with: "base64,"),
                !scanner.starts(with: "hex,"), !scanner.starts(with: "file,")
            else { return lines }
            let start = scanner.position
            var assert: HurlAssert?
            if let query = try scanner.query(), let predicate = try scanner.predicate() {
                assert = HurlAssert(query: query, predicate: predicate)
            }
            lines.append(try line(assert, from: start))
        }
    }

    /// Ends a line; the rest of a line with something unknown is skipped.
    private mutating func line<Content>(
        _ content: Content?, from start: Int
    ) throws(HurlSyntaxError) -> HurlLine<Content> {
        scanner.skipBlanks()
        let isKnown = content != nil && scanner.isAtEndOfLine
        if !isKnown { scanner.position = scanner.endOfLine }
        let range = start..<scanner.position
        try scanner.finishLine()
        return HurlLine(content: isKnown ? content : nil, range: range)
    }
}
