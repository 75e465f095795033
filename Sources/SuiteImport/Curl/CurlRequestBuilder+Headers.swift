import Basics

/// The header fields and cookies of a request.
extension CurlRequestBuilder {
    mutating func headers(of request: inout ImportedRequest, _ context: inout ImportContext) {
        for word in transfer.headers {
            if word.leadingBytes.first == UInt8(ascii: "@") {
                guard let bytes = contents(word.dropFirst(1), &context) else { continue }
                for line in bytes.split(separator: 0x0A) {
                    let line = ASCII.trimmed(line, ASCII.isWhitespace)
                    if !line.isEmpty { header(ShellWord(Array(line), range: word.range), of: &request, &context) }
                }
            } else {
                header(word, of: &request, &context)
            }
        }
        if let agent = transfer.userAgent {
            let value = text(agent, &context)
            if value.isEmpty {
                note("request without User-Agent", agent.range.lowerBound, &context)
            } else if request.header("User-Agent") == nil {
                request.headers.append(ImportedField("User-Agent", value))
            }
        }
        if let referer = transfer.referer, request.header("Referer") == nil {
            let value = text(referer, &context)
            let plain = value.literal.map { $0.hasSuffix(";auto") ? ImportedText($0.dropLast(5)) : value } ?? value
            if !plain.isEmpty { request.headers.append(ImportedField("Referer", plain)) }
        }
        if let range = transfer.range {
            request.headers.append(ImportedField("Range", "bytes=" + text(range, &context)))
        }
        cookies(of: &request, &context)
    }

    private mutating func header(
        _ word: ShellWord, of request: inout ImportedRequest, _ context: inout ImportContext
    ) {
        let leading = word.leadingBytes
        guard let end = leading.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }) else {
            // Without a colon, curl sends nothing.
            if word.bytes == nil { note("header with a name from an expansion", word.range.lowerBound, &context) }
            return
        }
        let name = String(decoding: ASCII.trimmed(leading[..<end], ASCII.isBlank), as: UTF8.self)
        let lower = name.lowercased()
        if leading[end] == UInt8(ascii: ";") {
            // "Name;" sends the header with an empty value.
            if leading.count == end + 1, word.parts.count == 1 {
                request.headers.append(ImportedField(ImportedText(name), ImportedText()))
            }
            return
        }
        var rest = word.dropFirst(end + 1)
        while let first = rest.leadingBytes.first, ASCII.isWhitespace(first) { rest = rest.dropFirst(1) }
        var value = text(rest, &context)
        if let literal = value.literal { value = ImportedText(ASCII.trimmed(literal[...], ASCII.isWhitespace)) }
        if value.isEmpty {
            if ["accept", "user-agent", "host"].contains(lower) {
                note("request without \(name)", word.range.lowerBound, &context)
            } else if lower == "content-type" {
                request.suppressedHeaders.append("Content-Type")
            }
            return
        }
        switch lower {
        // apitest computes these.
        case "content-length": return
        case "transfer-encoding": return note("Transfer-Encoding", word.range.lowerBound, &context)
        case "expect": return note("Expect", word.range.lowerBound, &context)
        case "host": if value.literal == URLParts(request.url).authority { return }
        case "accept": if value.literal == "*/*" { return }
        case "accept-encoding": if value.literal == "gzip, deflate" { return }
        default: break
        }
        request.headers.append(ImportedField(ImportedText(name), value))
    }

    private mutating func cookies(of request: inout ImportedRequest, _ context: inout ImportContext) {
        var values: [ImportedText] = []
        for word in transfer.cookies {
            if word.leadingBytes.contains(UInt8(ascii: "=")) {
                values.append(text(word, &context))
            } else if let path = word.text, scope.jars.contains(path) {
                // The cookies of earlier requests.
                scope.keepsCookies = true
            } else if word.bytes == nil {
                values.append(text(word, &context))
            } else if word.bytes?.isEmpty == false {
                note("cookies of a file", word.range.lowerBound, &context)
            }
        }
        if let jar = transfer.cookieJar?.text { scope.jars.insert(jar) }
        if let header = request.header("Cookie"), request.headers.count(where: { $0.isNamed("Cookie") }) == 1 {
            if values.isEmpty, let fields = Self.cookieFields(header) {
                request.removeHeader("Cookie")
                request.cookies = fields
            }
            return
        }
        if values.isEmpty { return }
        var value = values[0]
        for next in values.dropFirst() { value = value + ";" + next }
        if let fields = Self.cookieFields(value) {
            request.cookies = fields
        } else {
            request.headers.append(ImportedField("Cookie", value))
        }
    }

    /// Returns the cookies of a field if they are sent in the same way; otherwise nil.
    private static func cookieFields(_ value: ImportedText) -> [ImportedField]? {
        var fields: [ImportedField] = []
        for (index, pair) in value.split(UInt8(ascii: ";"), maximum: .max).enumerated() {
            var pair = pair
            if index > 0 {
                guard let rest = pair.dropping(prefix: " ") else { return nil }
                pair = rest
            }
            let halves = pair.split(UInt8(ascii: "="), maximum: 2)
            guard halves.count == 2, let name = halves[0].literal, !name.isEmpty, !name.hasPrefix(" "),
                !fields.contains(where: { $0.name == halves[0] })
            else { return nil }
            if let literal = halves[1].literal, literal != String(ASCII.trimmed(literal[...])) { return nil }
            fields.append(ImportedField(halves[0], halves[1]))
        }
        return fields
    }
}
