import Basics

/// The bodies of requests and responses.
extension HurlScanner {
    /// Reads a body; nil if none is at the position.
    mutating func body() throws(HurlSyntaxError) -> HurlBody? {
        guard let byte = current else { return nil }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .json(try json())
        case UInt8(ascii: "<"): return .xml(try xml())
        case UInt8(ascii: "`"): return try backticks()
        case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .json(try scalar())
        default: break
        }
        if let bytes = try encodedBytes() { return .bytes(bytes) }
        if take("file,") { return .file(try delimited()) }
        if ["true", "false", "null"].contains(word) { return .json(try scalar()) }
        return nil
    }

    // MARK: JSON

    private mutating func scalar() throws(HurlSyntaxError) -> HurlText {
        if current == UInt8(ascii: "\"") { return try json() }
        var text = try text(escapes: false) { $0.isAtEndOfLine }
        text.trimEnd()
        return text
    }

    /// Reads a JSON value with placeholders, without validating it.
    private mutating func json() throws(HurlSyntaxError) -> HurlText {
        let start = position
        var result = HurlText()
        var literal = position
        var depth = 0
        var isInString = false
        repeat {
            guard let byte = current else { throw fail("the end of the JSON value", at: start) }
            if starts(with: "{{"), isInString || depth == 0 || isValue {
                result.append(text(literal..<position))
                let isFirst = isInString && bytes[position - 1] == UInt8(ascii: "\"")
                var placeholder = try placeholder()
                placeholder.isQuoted = isFirst && current == UInt8(ascii: "\"")
                result.append(placeholder)
                literal = position
                continue
            }
            position += 1
            switch byte {
            case UInt8(ascii: "\\") where isInString: position = min(position + 1, bytes.count)
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString: depth += 1
            case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString: depth -= 1
            default: break
            }
        } while depth > 0 || isInString
        result.append(text(literal..<position))
        return result
    }

    /// Whether `{{` at the position is a placeholder: the name of a variable is within it.
    private var isValue: Bool {
        guard let next = peek(2) else { return false }
        return ASCII.isLetter(next) || next == 0x20 || next == UInt8(ascii: "_")
    }

    // MARK: XML

    /// Reads an XML document up to the end of its root element, without validating it.
    private mutating func xml() throws(HurlSyntaxError) -> String {
        let start = position
        var depth = 0
        repeat {
            guard let next = bytes[position...].firstIndex(of: UInt8(ascii: "<")) else {
                throw fail("the end of the XML document", at: start)
            }
            position = next
            if take("<!--") {
                try skip(past: "-->", from: start)
            } else if take("<![CDATA[") {
                try skip(past: "]]>", from: start)
            } else if take("<?") {
                try skip(past: "?>", from: start)
            } else if take("<!") {
                try skip(past: ">", from: start)
            } else {
                let isEnd = peek(1) == UInt8(ascii: "/")
                try skipTag(from: start)
                if isEnd { depth -= 1 } else if bytes[position - 2] != UInt8(ascii: "/") { depth += 1 }
                if depth <= 0 { return text(start..<position) }
            }
        } while true
    }

    private mutating func skip(past end: String, from start: Int) throws(HurlSyntaxError) {
        while !isAtEnd {
            if take(end) { return }
            position += 1
        }
        throw fail("the end of the XML document", at: start)
    }

    private mutating func skipTag(from start: Int) throws(HurlSyntaxError) {
        var quote: UInt8?
        while let byte = current {
            position += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return
            }
        }
        throw fail("the end of the XML document", at: start)
    }

    // MARK: Backticks

    /// Reads a string in one or three backticks.
    mutating func backticks() throws(HurlSyntaxError) -> HurlBody {
        let start = position
        guard take("```") else {
            position += 1
            let text = try text { $0.current == UInt8(ascii: "`") || $0.current == 0x0A }
            guard take("`") else { throw fail("a closing backtick", at: start) }
            return .text(text, language: nil)
        }
        // The language and attributes, if they end the line.
        let header = text(position..<endOfLine)
        let words = header.split { " ,\t\r".contains($0) }
        guard endOfLine < bytes.count, words.allSatisfy({ $0.utf8.allSatisfy(ASCII.isAlphanumeric) }) else {
            return try multiline(language: nil, attributes: [], from: start)
        }
        position = endOfLine + 1
        let language = words.first { Self.languages.contains(String($0)) }.map(String.init)
        return try multiline(language: language, attributes: words.map(String.init), from: start)
    }

    private static let languages: Set<String> = ["json", "xml", "graphql", "base64", "hex", "raw"]

    private mutating func multiline(
        language: String?, attributes: [String], from start: Int
    ) throws(HurlSyntaxError) -> HurlBody {
        if language == "raw" || attributes.contains("novariable") {
            let begin = position
            try skip(past: "```", from: start)
            return .text(HurlText(text(begin..<(position - 3))), language: language)
        }
        let isGraphQL = language == "graphql"
        let content = try text(escapes: attributes.contains("escape")) { scanner in
            scanner.starts(with: "```")
                || isGraphQL && scanner.bytes[scanner.position - 1] == 0x0A && scanner.starts(with: "variables")
        }
        if isGraphQL {
            var variables: HurlText?
            if take("variables") {
                skipWhitespace()
                guard current == UInt8(ascii: "{") else { throw fail("the variables as a JSON object") }
                variables = try json()
                skipWhitespace()
            }
            guard take("```") else { throw fail("closing backticks", at: start) }
            return .graphQL(content, variables: variables)
        }
        guard take("```") else { throw fail("closing backticks", at: start) }
        return .text(content, language: language)
    }
}
