import Basics

/// The bodies of a request: data, uploads, and forms.
extension CurlRequestBuilder {
    mutating func setData(of request: inout ImportedRequest, _ context: inout ImportContext) {
        let isJSON = transfer.data.contains(where: \.isJSON)
        if isJSON {
            if request.header("Accept") == nil { request.headers.append(ImportedField("Accept", "application/json")) }
        }
        let suppresses = request.suppressedHeaders.contains("Content-Type")
        if request.header("Content-Type") == nil, !suppresses {
            let type = isJSON ? "application/json" : "application/x-www-form-urlencoded"
            request.headers.append(ImportedField("Content-Type", ImportedText(type)))
        }
        // A single file is sent as it is, so the suite can name it.
        if transfer.data.count == 1, case .file(let path, strips: false) = transfer.data[0].content,
            path.text != "-"
        {
            if let name = suitePath(path, &context) { request.body = .file(name) }
            return
        }
        let type = suppresses ? nil : request.header("Content-Type")?.literal
        let (text, bytes) = data(&context)
        if let bytes {
            request.body = ImportedBody(bytes: bytes, contentType: type)
        } else {
            request.body = ImportedBody(text: text, contentType: type)
        }
    }

    /// Returns the data of all pieces, and its bytes if it contains no expressions.
    mutating func data(_ context: inout ImportContext) -> (text: ImportedText, bytes: [UInt8]?) {
        var result = ImportedText()
        var bytes: [UInt8]? = []
        for (index, piece) in transfer.data.enumerated() {
            if index > 0, !piece.isJSON {
                result.append(literal: "&")
                bytes?.append(UInt8(ascii: "&"))
            }
            switch piece.content {
            case .word(let word):
                result.append(text(word, &context))
                if let known = scope.bytes(word) { bytes?.append(contentsOf: known) } else { bytes = nil }
            case .file(let path, let strips):
                if path.text == "-", let input, input.word.bytes == nil {
                    result.append(text(input.word, &context))
                    bytes = nil
                    continue
                }
                var content = contents(path, &context) ?? []
                if strips { content.removeAll { $0 == 0x0A || $0 == 0x0D || $0 == 0 } }
                result.append(literal: String(decoding: content, as: UTF8.self))
                bytes?.append(contentsOf: content)
            case .encoded, .encodedFile:
                let text = encoded(piece, &context)
                result.append(text)
                if let literal = text.literal { bytes?.append(contentsOf: literal.utf8) } else { bytes = nil }
            }
        }
        return (result, bytes)
    }

    mutating func encoded(_ piece: CurlTransfer.Piece, _ context: inout ImportContext) -> ImportedText {
        func encoded(_ bytes: [UInt8]) -> String {
            var result: [UInt8] = []
            for byte in bytes {
                if byte == 0x20 {
                    result.append(UInt8(ascii: "+"))
                } else if ASCII.isUnreserved(byte) {
                    result.append(byte)
                } else {
                    PercentEncoding.append(byte, to: &result)
                }
            }
            return String(decoding: result, as: UTF8.self)
        }
        var result = ImportedText()
        switch piece.content {
        case .word, .file: break
        case .encoded(let name, let word):
            if !name.isEmpty { result.append(literal: String(decoding: name, as: UTF8.self) + "=") }
            if let bytes = scope.bytes(word) {
                result.append(literal: encoded(bytes))
            } else {
                let parts = text(word, &context).parts.map { part -> ImportedText.Part in
                    switch part {
                    case .literal(let text): .literal(encoded(Array(text.utf8)))
                    case .expression(let source): .expression("url.encode(string(\(source))).replace(\"%20\", \"+\")")
                    }
                }
                result.append(ImportedText(parts))
            }
        case .encodedFile(let name, let path):
            if !name.isEmpty { result.append(literal: String(decoding: name, as: UTF8.self) + "=") }
            result.append(literal: encoded(contents(path, &context) ?? []))
        }
        return result
    }

    mutating func upload(
        _ path: ShellWord, to request: inout ImportedRequest, _ context: inout ImportContext
    ) {
        if request.header("Content-Type") == nil { request.suppressedHeaders.append("Content-Type") }
        if path.text == "-" || path.text == "." {
            let bytes = contents(path, &context) ?? []
            request.body = ImportedBody(bytes: bytes, contentType: request.header("Content-Type")?.literal)
            return
        }
        let parts = URLParts(request.url)
        // Without a file name in the URL, curl appends that of the file.
        if parts.path.isEmpty || parts.path.template.hasSuffix("/"), let name = path.text {
            let last = PercentEncoding.encode(name.split(separator: "/").last.map(String.init) ?? name)
            request.url = parts.origin + (parts.path.isEmpty ? "/" : parts.path) + ImportedText(last)
            if let query = parts.query { request.url = request.url + "?" + query }
        }
        if let name = suitePath(path, &context) { request.body = .file(name) }
    }

    mutating func form(_ context: inout ImportContext) -> [ImportedBody.Part] {
        var parts: [ImportedBody.Part] = []
        for (value, isString) in transfer.form {
            let (found, untranslated) = CurlForm.parts(value, isString: isString)
            for construct in untranslated { note(construct, value.range.lowerBound, &context) }
            for part in found { if let part = self.part(part, &context) { parts.append(part) } }
        }
        return parts
    }

    private mutating func part(_ part: CurlForm.Part, _ context: inout ImportContext) -> ImportedBody.Part? {
        var result: ImportedBody.Part
        let name = text(part.name, &context)
        switch part.content {
        case .text(let word): result = ImportedBody.Part(name, .text(text(word, &context)))
        case .textFile(let path):
            guard let bytes = contents(path, &context) else { return nil }
            result = ImportedBody.Part(name, .text(ImportedText(String(decoding: bytes, as: UTF8.self))))
        case .file(let path):
            if path.text == "-" {
                guard let bytes = contents(path, &context) else { return nil }
                result = ImportedBody.Part(name, .text(ImportedText(String(decoding: bytes, as: UTF8.self))))
                result.fileName = "-"
            } else {
                guard let suitePath = suitePath(path, &context) else { return nil }
                result = ImportedBody.Part(name, .file(suitePath))
                // apitest knows more types by their extensions.
                let type = Self.type(ofFile: path.text ?? "")
                if part.type == nil, type != MediaTypes.contentType(ofFile: suitePath.template) {
                    result.type = ImportedText(type)
                }
            }
        }
        if let type = part.type { result.type = text(type, &context) }
        if let fileName = part.fileName { result.fileName = text(fileName, &context) }
        for header in part.headers {
            let halves = text(header, &context).split(UInt8(ascii: ":"), maximum: 2)
            guard halves.count == 2 else { continue }
            let value = halves[1].literal.map { ImportedText(ASCII.trimmed($0[...])) } ?? halves[1]
            if halves[0].literal?.lowercased() == "content-type" {
                result.type = value
            } else {
                result.headers.append(ImportedField(halves[0], value))
            }
        }
        return result
    }

    /// Returns the media type that curl sends for a file.
    private static func type(ofFile name: String) -> String {
        let types = [
            ".gif": "image/gif", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png",
            ".svg": "image/svg+xml", ".txt": "text/plain", ".htm": "text/html", ".html": "text/html",
            ".pdf": "application/pdf", ".xml": "application/xml",
        ]
        let lower = name.lowercased()
        return types.first { lower.hasSuffix($0.key) }?.value ?? "application/octet-stream"
    }
}
