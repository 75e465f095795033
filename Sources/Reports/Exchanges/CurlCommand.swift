import Basics
import Diagnostics
import ExchangeFormats
import Output
import RunModel

/// The equivalent `curl` command of a request.
enum CurlCommand {
    /// The maximum size in bytes of a body in the command line. curl reads longer bodies from a file.
    private static let maximumBodySize = 8_192

    /// Returns the command as one line; nil for a WebSocket or a program, which curl cannot reproduce, and for a request
    /// that was not sent.
    static func text(for exchange: Exchange) -> String? {
        if exchange.details?.webSocket != nil || exchange.details?.command != nil { return nil }
        if exchange.failure?.phase == .request { return nil }
        let request = exchange.request
        let origin = redirectedOrigin(exchange)
        var line = CurlLine()
        if request.method == "HEAD" {
            line.option("--head")
        } else if request.method != "GET" || !request.body.isEmpty || request.streamedSize != nil {
            line.option("-X", request.method)
        }
        if origin != nil { line.option("--location") }
        let url = origin ?? request.url
        line.keep(url: url)
        line.option(request.curlOptions)
        line.option(url)
        let form = formOptions(request)
        addFields(of: request, url: url, body: BodyOption(request, isForm: form != nil), to: &line)
        if let form {
            for option in form { line.option(option) }
        } else {
            addBody(of: request, to: &line)
        }
        return line.text(.terminal)
    }

    private static func addFields(
        of request: Exchange.Request, url: String, body: BodyOption, to line: inout CurlLine
    ) {
        let hasUser = authority(of: url).utf8.contains(UInt8(ascii: "@"))
        for field in request.headers where isShown(field, url: request.url, body: body) {
            // curl creates this field from the URL.
            if hasUser, field.isNamed("Authorization"), field.value.hasPrefix("Basic ") { continue }
            line.field(field.name, field.value)
        }
    }

    private static func addBody(of request: Exchange.Request, to line: inout CurlLine) {
        if let size = request.streamedSize { return line.file(note: fileNote("body", size)) }
        guard !request.body.isEmpty else { return }
        if !request.headers.contains(where: { $0.isNamed("Content-Type") }) {
            line.option(["-H", "Content-Type:"], isQuoted: true)
        }
        guard let encodedSize = request.encodedSize else {
            return line.data(
                request.body, option: BodyOption(request, isForm: false).option, limit: maximumBodySize, isText: false,
                note: fileNote("body", request.body.count))
        }
        // The body was sent compressed, but the request contains it decoded.
        let codings = request.headers.filter { $0.isNamed("Content-Encoding") }.map { $0.value.lowercased() }
        if codings == ["gzip"], request.body.count <= maximumBodySize {
            line.pipe(request.body, through: "gzip -c")
        } else {
            line.file(note: fileNote("encoded body", encodedSize))
        }
    }

    private static func fileNote(_ what: String, _ size: Int) -> String {
        "request-body: a file that contains the \(what) (\(NumberText.size(size)))"
    }

    /// Returns the options of a multipart form, or `nil` for any other body and for a form that curl cannot create.
    private static func formOptions(_ request: Exchange.Request) -> [[String]]? {
        // A redirect may have changed the request to one without a body.
        guard !request.form.isEmpty, !request.body.isEmpty || request.streamedSize != nil else { return nil }
        return CurlPart.options(
            request.form.map { part in
                let content: CurlPart.Content =
                    switch part.content {
                    case .text(let text): .text(text)
                    case .file(let path): .file(path)
                    }
                return CurlPart(
                    name: part.name, content: content, fileName: part.fileName, contentType: part.contentType,
                    headers: part.headers.map { ($0.name, $0.value) })
            })
    }

    /// The curl option for a body, and the fields that curl adds because of it.
    private struct BodyOption {
        var option = "--data-binary"
        var addsContentType = false

        init(_ request: Exchange.Request, isForm: Bool) {
            if isForm {
                // Including its own boundary.
                addsContentType = true
                return
            }
            let contentType = request.headers.filter { $0.isNamed("Content-Type") }
            let only = contentType.count == 1 ? contentType[0].value : nil
            let isSentAsShown = request.encodedSize == nil && request.streamedSize == nil
            let isInline = isSentAsShown && request.body.count <= maximumBodySize && !request.body.contains(0)
            // For these options, a leading @ names a file. --data-raw has no such special case.
            let namesFile = request.body.first == UInt8(ascii: "@")
            if only == "application/x-www-form-urlencoded" {
                addsContentType = true
                if isInline { option = "--data-raw" }
            } else if isInline, !namesFile, only == "application/json",
                request.headers.contains(where: { $0.isNamed("Accept") })
            {
                // --json also sets Accept, which an explicit field overrides.
                option = "--json"
                addsContentType = true
            } else if namesFile {
                option = "--data-raw"
            }
        }
    }

    /// Returns whether the command has to set a field.
    private static func isShown(_ field: HeaderField, url: String, body: BodyOption) -> Bool {
        if field.isNamed("User-Agent") { return !field.value.hasPrefix("apitest") }
        if field.isNamed("Accept-Encoding") { return field.value != "gzip, deflate" }
        if field.isNamed("Accept"), body.option == "--json" { return true }
        if field.isNamed("Content-Type") { return !body.addsContentType }
        return !CurlLine.makes(field: field.name, field.value, authority: authority(of: url))
    }

    /// Returns the URL of the first request if curl, by following redirects from it, would send the same final request.
    ///
    /// Only the final request is known. A 303, and in practice also a 301 or 302 after a POST, changes the request to a
    /// GET of another resource. The first request can then not be reconstructed, and the command repeats the final one.
    private static func redirectedOrigin(_ exchange: Exchange) -> String? {
        guard let first = exchange.hops.first, !exchange.hops.contains(where: { $0.status == 303 }) else { return nil }
        return first.url
    }

    static func authority(of url: String) -> Substring {
        let bytes = url.utf8
        guard let scheme = bytes.firstIndex(of: UInt8(ascii: ":")) else { return "" }
        let start = bytes[scheme...].dropFirst().drop { $0 == UInt8(ascii: "/") }.startIndex
        let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        return url[start..<end]
    }
}

extension ShellDialect {
    /// The dialect for terminals, in which control characters are written as escapes.
    static let terminal = ShellDialect(plain: "-_./:@%+,", printsEscapes: true) { text in
        DisplayWidth.printable(text).utf8.count == text.utf8.count
    }
}
