import Basics
import Diagnostics

/// Creates the requests of a curl transfer.
struct CurlRequestBuilder {
    let transfer: CurlTransfer
    private let file: SourceFile
    /// The standard input of the command; nil if it is unknown.
    let input: ShellInput?
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

    mutating func contents(_ path: ShellWord, _ context: inout ImportContext) -> [UInt8]? {
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

    /// Returns the scheme of a URL with an authority; nil if it has none.
    static func scheme(of url: String) -> String? {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), url[colon...].utf8.starts(with: "://".utf8) else {
            return nil
        }
        return String(url[..<colon])
    }

    private mutating func url(_ written: ImportedText, _ context: inout ImportContext) -> ImportedText {
        var url = written
        if case .literal(let first)? = url.parts.first, Self.scheme(of: first) == nil {
            let scheme = transfer.defaultProtocol?.text ?? "http"
            url = ImportedText(scheme + "://") + url
        }
        if case .literal(let first)? = url.parts.first, let written = Self.scheme(of: first) {
            let scheme = written.lowercased()
            if scheme != "http", scheme != "https" {
                note("\(scheme) URL", transfer.offset, &context)
                url = ImportedText("http") + (url.dropping(prefix: written) ?? url)
            } else if scheme != written {
                url = ImportedText(scheme) + (url.dropping(prefix: written) ?? url)
            }
        }
        if !transfer.isPathAsIs { url = url.withoutDotSegments }
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

    // MARK: Credentials

    private mutating func authentication(of request: inout ImportedRequest, _ context: inout ImportContext) {
        if let bearer = transfer.bearer { request.auth = .bearer(text(bearer, &context)) }
        if !transfer.otherSchemes.isEmpty { request.url = request.url.withoutUserInformation }
        guard let user = transfer.user else { return }
        let halves = text(user, &context).split(UInt8(ascii: ":"), maximum: 2)
        // curl asks for a password that is missing.
        let password = halves.count > 1 ? halves[1] : .variable(scope.environmentVariable("PASSWORD"))
        if let signature = transfer.signature {
            let signed = CurlSignature(signature.text ?? "", of: request.url)
            if let provider = signed.otherProvider {
                note("--aws-sigv4 \(provider)", signature.range.lowerBound, &context)
            }
            guard signed.isComplete else {
                return note("--aws-sigv4 without a region and a service", signature.range.lowerBound, &context)
            }
            request.auth = signed.auth(accessKey: halves[0], secretKey: password)
        } else if !transfer.otherSchemes.isEmpty {
            return
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
