import Basics
import Diagnostics

/// Creates the requests of a curl transfer.
struct CurlRequestBuilder {
    let transfer: CurlTransfer
    private let file: SourceFile
    /// The standard input of the command; nil if it is unknown.
    private let input: ShellInput?
    var scope: CurlScope
    private var notes: [ImportNote] = []

    /// The maximum number of URLs that a pattern stands for.
    private static let maximumURLs = 1_000

    /// Returns the exchanges of a transfer: one for each of its URLs.
    static func steps(
        _ transfer: CurlTransfer, input: ShellInput?, in file: SourceFile, _ scope: inout CurlScope,
        _ context: inout ImportContext
    ) -> [ImportedStep] {
        var builder = CurlRequestBuilder(transfer: transfer, file: file, input: input, scope: scope)
        let steps = builder.steps(&context)
        scope = builder.scope
        return steps
    }

    private init(transfer: CurlTransfer, file: SourceFile, input: ShellInput?, scope: CurlScope) {
        self.transfer = transfer
        self.file = file
        self.input = input
        self.scope = scope
    }

    private mutating func steps(_ context: inout ImportContext) -> [ImportedStep] {
        var urls: [ImportedText] = []
        for word in transfer.urls {
            let url = text(word, &context)
            if transfer.isGlobbingOff {
                urls.append(url)
            } else if let expanded = CurlGlob.expanded(url, maximum: Self.maximumURLs - urls.count) {
                urls += expanded
            } else {
                note("URL pattern", word.range.lowerBound, &context)
                urls.append(url)
            }
        }
        for option in transfer.untranslated { note(option.option, option.offset, &context) }
        var steps: [ImportedStep] = []
        let shared = notes
        for (index, url) in urls.enumerated() {
            notes = []
            let upload = index < transfer.uploads.count ? transfer.uploads[index] : nil
            var step = ImportedStep(request(url, upload: upload, &context))
            retry(&step, &context)
            // Notes about the command stand at its first request.
            step.notes = (index == 0 ? shared : []) + notes
            steps.append(step)
        }
        return steps
    }

    // MARK: Helpers

    mutating func note(_ construct: String, _ offset: Int, _ context: inout ImportContext) {
        notes.append(
            context.untranslated(construct, in: file, line: Int(file.position(atByteOffset: offset).line)))
    }

    mutating func text(_ word: ShellWord, _ context: inout ImportContext) -> ImportedText {
        var unknown: [String] = []
        let text = scope.text(word, unknown: &unknown)
        for expansion in unknown {
            notes.append(
                context.untranslated(
                    "shell expansion", in: file, line: Int(file.position(atByteOffset: word.range.lowerBound).line),
                    source: expansion))
        }
        return text
    }

    private mutating func contents(_ path: ShellWord, _ context: inout ImportContext) -> [UInt8]? {
        guard let name = path.text else {
            note("file with a name from an expansion", path.range.lowerBound, &context)
            return nil
        }
        if name == "-" || name == "." {
            if let bytes = input?.word.bytes { return bytes }
            note("standard input", path.range.lowerBound, &context)
            return nil
        }
        do throws(ImportFiles.Failure) {
            return try context.files.read(name, from: file)
        } catch {
            note("\"\(name)\", which \(error.reason)", path.range.lowerBound, &context)
            return nil
        }
    }

    mutating func suitePath(_ path: ShellWord, _ context: inout ImportContext) -> ImportedText? {
        guard let name = path.text else {
            note("file with a name from an expansion", path.range.lowerBound, &context)
            return nil
        }
        do throws(ImportFiles.Failure) {
            return ImportedText(try context.files.suitePath(name, from: file))
        } catch {
            note("\"\(name)\", which \(error.reason)", path.range.lowerBound, &context)
            return nil
        }
    }

    // MARK: The request

    private mutating func request(
        _ written: ImportedText, upload: ShellWord?, _ context: inout ImportContext
    ) -> ImportedRequest {
        var request = ImportedRequest(url: url(written, &context))
        var method = "GET"
        headers(of: &request, &context)
        if let upload {
            method = "PUT"
            self.upload(upload, to: &request, &context)
        } else if !transfer.form.isEmpty {
            method = "POST"
            request.body = .multipart(form(&context))
        } else if !transfer.data.isEmpty {
            if transfer.isGet {
                let (data, _) = data(&context)
                append(data, to: &request.url)
            } else {
                method = "POST"
                setData(of: &request, &context)
            }
        }
        if input?.isCompressed == true, request.header("Content-Encoding")?.literal?.lowercased() == "gzip" {
            request.removeHeader("Content-Encoding")
            request.set(.compress, "gzip")
        }
        if transfer.isHead { method = "HEAD" }
        request.method = transfer.method.flatMap(\.text) ?? method
        if let word = transfer.method, word.text == nil { request.method = text(word, &context).template }
        // A method in lowercase is another method, which servers reject.
        if let word = transfer.method, request.method != request.method.uppercased(), word.text != nil {
            note("method \"\(request.method)\" in lowercase", word.range.lowerBound, &context)
            request.method = request.method.uppercased()
        }
        authentication(of: &request, &context)
        connection(of: &request, &context)
        return request
    }

    private mutating func url(_ written: ImportedText, _ context: inout ImportContext) -> ImportedText {
        var url = written
        if case .literal(let first)? = url.parts.first, first.firstRange(of: "://") == nil {
            let scheme = transfer.defaultProtocol?.text ?? "http"
            url = ImportedText(scheme + "://") + url
        }
        if case .literal(let first)? = url.parts.first, let end = first.firstRange(of: "://") {
            let scheme = first[..<end.lowerBound].lowercased()
            if scheme != "http", scheme != "https" {
                note("\(scheme) URL", transfer.offset, &context)
                url = ImportedText("http") + (url.dropping(prefix: String(first[..<end.lowerBound])) ?? url)
            } else if scheme != first[..<end.lowerBound] {
                url = ImportedText(scheme) + (url.dropping(prefix: String(first[..<end.lowerBound])) ?? url)
            }
        }
        if !transfer.isPathAsIs { url = CurlGlob.withoutDotSegments(url) }
        for query in transfer.queries {
            if query.leadingBytes.first == UInt8(ascii: "+") {
                append(text(query.dropFirst(1), &context), to: &url)
            } else {
                append(encoded(CurlTransfer.encodedPiece(query), &context), to: &url)
            }
        }
        return url
    }

    /// Appends a query to a URL.
    private func append(_ query: ImportedText, to url: inout ImportedText) {
        let parts = URLParts(url)
        url = parts.origin + (parts.path.isEmpty ? "/" : parts.path) + "?"
        if let old = parts.query, !old.isEmpty {
            url = url + old
            if !query.isEmpty { url.append(literal: "&") }
        }
        url.append(query)
    }

    // MARK: Headers

    private mutating func headers(of request: inout ImportedRequest, _ context: inout ImportContext) {
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

    // MARK: Bodies

    private mutating func setData(of request: inout ImportedRequest, _ context: inout ImportContext) {
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
    private mutating func data(_ context: inout ImportContext) -> (text: ImportedText, bytes: [UInt8]?) {
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

    private mutating func encoded(_ piece: CurlTransfer.Piece, _ context: inout ImportContext) -> ImportedText {
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

    private mutating func upload(
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

    private mutating func form(_ context: inout ImportContext) -> [ImportedBody.Part] {
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

    // MARK: Credentials

    private mutating func authentication(of request: inout ImportedRequest, _ context: inout ImportContext) {
        if let bearer = transfer.bearer { request.auth = .bearer(text(bearer, &context)) }
        guard let user = transfer.user else { return }
        let halves = text(user, &context).split(UInt8(ascii: ":"), maximum: 2)
        // curl asks for a password that is missing.
        let password = halves.count > 1 ? halves[1] : .variable(scope.environmentVariable("PASSWORD"))
        if let signature = transfer.signature {
            let parts = (signature.text ?? "").split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            var members: [ImportedValue.Member] = [
                .init("accessKey", .text(halves[0])), .init("secretKey", .text(password)),
            ]
            let host = (URLParts(request.url).authority ?? "").split(separator: ".").map(String.init)
            // Without a region and a service, curl takes them from the host: SERVICE.REGION.….
            let region = parts.count > 2 ? parts[2] : host.count > 1 ? host[1] : ""
            let service = parts.count > 3 ? parts[3] : host.first ?? ""
            members.append(.init("region", .literal(region)))
            members.append(.init("service", .literal(service)))
            if parts.first?.lowercased() != "aws" {
                note("--aws-sigv4 \(parts[0])", signature.range.lowerBound, &context)
            }
            request.auth = .awsSigV4(members)
        } else if transfer.isDigest {
            request.auth = .digest(username: halves[0], password: password)
        } else if request.header("Authorization") == nil {
            request.auth = .basic(username: halves[0], password: password)
        }
    }

    private mutating func retry(_ step: inout ImportedStep, _ context: inout ImportContext) {
        guard let word = transfer.retries, let times = word.text.flatMap({ Int($0) }), times > 0 else { return }
        guard let delay = transfer.retryDelay?.text.flatMap(Self.duration) else {
            step.retry = .integer(times)
            return
        }
        step.retry = .map([("times", .integer(times)), ("delay", .literal(delay))])
    }
}
