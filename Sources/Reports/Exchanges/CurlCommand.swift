import Basics
import Diagnostics
import Output
import RunModel

/// The equivalent `curl` command of a request.
enum CurlCommand {
    /// The maximum size in bytes of a body in the command line. curl reads longer bodies from a file.
    private static let longestBody = 8_192
    /// Header fields that curl or the connection sets.
    private static let ownFields = ["Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive"]

    /// Returns the command as one line, or `nil` for a WebSocket exchange, which curl cannot reproduce.
    static func text(for exchange: Exchange) -> String? {
        if exchange.details?.webSocket != nil { return nil }
        let request = exchange.request
        let origin = redirectedOrigin(exchange)
        var words = ["curl"]
        if request.method == "HEAD" {
            words.append("--head")
        } else if request.method != "GET" || !request.body.isEmpty || request.streamedSize != nil {
            words += ["-X", ShellQuoting.word(request.method)]
        }
        if origin != nil { words.append("--location") }
        let url = origin ?? request.url
        if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("--globoff") }
        if hasDotSegment(url) { words.append("--path-as-is") }
        words += request.curlOptions.map { $0.hasPrefix("--") ? $0 : ShellQuoting.word($0) }
        words.append(ShellQuoting.word(url))

        let form = formWords(request)
        let body = BodyOption(request, isForm: form != nil)
        let hasUser = authority(of: url).utf8.contains(UInt8(ascii: "@"))
        for field in request.headers where isShown(field, url: request.url, body: body) {
            // curl creates this field from the URL.
            if hasUser, field.isNamed("Authorization"), field.value.hasPrefix("Basic ") { continue }
            // curl removes the field for "Name:", and sends an empty value for "Name;".
            let text = field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
            words += ["-H", ShellQuoting.word(text)]
        }
        if let form { return (words + form).joined(separator: " ") }
        if let size = request.streamedSize {
            words += ["--data-binary", "@request-body"]
            return words.joined(separator: " ") + "  # request-body: a file with the body of \(NumberText.size(size))"
        }
        guard !request.body.isEmpty else { return words.joined(separator: " ") }
        if !request.headers.contains(where: { $0.isNamed("Content-Type") }) { words += ["-H", "'Content-Type:'"] }
        if request.encodedSize != nil { return encoded(request, words) }
        if request.body.count > longestBody {
            words += ["--data-binary", "@request-body"]
            return words.joined(separator: " ")
                + "  # request-body: a file with the body of \(NumberText.size(request.body.count))"
        }
        if request.body.contains(0) {
            // An argument cannot contain NUL.
            words += ["--data-binary", "@-"]
            return "printf " + ShellQuoting.printfWord(request.body) + " | " + words.joined(separator: " ")
        }
        words += [body.option, ShellQuoting.word(request.body)]
        return words.joined(separator: " ")
    }

    /// Returns the command for a body that is sent compressed but recorded uncompressed.
    private static func encoded(_ request: Exchange.Request, _ words: [String]) -> String {
        let codings = request.headers.filter { $0.isNamed("Content-Encoding") }.map { $0.value.lowercased() }
        if codings == ["gzip"], request.body.count <= longestBody {
            let body = ShellQuoting.printfWord(request.body)
            return "printf " + body + " | gzip -c | " + (words + ["--data-binary", "@-"]).joined(separator: " ")
        }
        let size = NumberText.size(request.encodedSize ?? 0)
        return (words + ["--data-binary", "@request-body"]).joined(separator: " ")
            + "  # request-body: a file with the encoded body of \(size)"
    }

    /// Returns the options of a multipart form, or `nil` for any other body and for a form that curl cannot create.
    private static func formWords(_ request: Exchange.Request) -> [String]? {
        // A redirect may have changed the request to one without a body.
        guard !request.form.isEmpty, !request.body.isEmpty || request.streamedSize != nil else { return nil }
        return CurlForm.words(request.form)?.map { ShellQuoting.word($0) }
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
            let isInline = isSentAsShown && request.body.count <= longestBody && !request.body.contains(0)
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
        // Without this field, a rejected handshake such as a WebSocket's would be rejected for another reason.
        if field.isNamed("Connection"), field.value == "Upgrade" { return true }
        if ownFields.contains(where: field.isNamed) { return false }
        if field.isNamed("User-Agent") { return !field.value.hasPrefix("apitest") }
        if field.isNamed("Accept-Encoding") { return field.value != "gzip, deflate" }
        if field.isNamed("Accept") { return field.value != "*/*" || body.option == "--json" }
        if field.isNamed("Host") { return field.value != authority(of: url) }
        if field.isNamed("Content-Type") { return !body.addsContentType }
        return true
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

    /// Returns whether curl would normalize the path (RFC 3986, section 5.2.4).
    private static func hasDotSegment(_ url: String) -> Bool {
        url.utf8.split(omittingEmptySubsequences: false) { "/?#".utf8.contains($0) }.contains { segment in
            segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8)
        }
    }
}

/// The `curl` options of a multipart form.
///
/// Masking happens first: the parts contain plain values, and curl's quoting is applied to the masked result.
enum CurlForm {
    /// Returns the options, each followed by its value without shell quoting, or `nil` if curl cannot create the form.
    ///
    /// - Parameter parts: The parts, in order.
    static func words(_ parts: [FormPart]) -> [String]? {
        var words: [String] = []
        for part in parts {
            // curl ends the name at the first "=".
            guard !part.name.isEmpty, !part.name.utf8.contains(UInt8(ascii: "=")) else { return nil }
            if case .text(let text) = part.content, part.fileName == nil, part.contentType == nil, part.headers.isEmpty
            {
                words += ["--form-string", part.name + "=" + text]
            } else {
                words += ["-F", part.name + "=" + value(of: part)]
            }
        }
        return words.contains { $0.utf8.contains(0) } ? nil : words
    }

    private static func value(of part: FormPart) -> String {
        var text: String
        switch part.content {
        case .text(let content): text = quoted(content)
        case .file(let path):
            // Omits unnecessary quotation marks, as people usually do.
            let isPlain = path.utf8.allSatisfy { $0 > 0x20 && !";,\"\\".utf8.contains($0) }
            text = "@" + (isPlain ? path : quoted(path))
            let last = path.split(separator: "/").last.map(String.init) ?? path
            if part.fileName == last {
                return text + type(of: part) + fields(of: part)
            }
        }
        if let name = part.fileName { text += ";filename=" + quoted(name) }
        return text + type(of: part) + fields(of: part)
    }

    private static func type(of part: FormPart) -> String {
        guard let type = part.contentType else { return "" }
        let halves = type.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain =
            halves.count == 2
            && halves.allSatisfy { half in
                !half.isEmpty
                    && half.utf8.allSatisfy {
                        ASCII.isAlphanumeric($0) || ".+-_".utf8.contains($0)
                    }
            }
        return isPlain ? ";type=" + type : ";headers=" + quoted("Content-Type: " + type)
    }

    private static func fields(of part: FormPart) -> String {
        part.headers.map { ";headers=" + quoted("\($0.name): \($0.value)") }.joined()
    }

    /// Returns a string quoted for a parameter of `-F`.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}

/// Quoting of words for shell commands.
enum ShellQuoting {
    /// Returns a shell word for exactly these bytes, which must not contain NUL.
    ///
    /// Plain words are not quoted, and printable ones are put in single quotes. Others are written as `$'…'`
    /// (POSIX.1-2024, section 2.2.4), which bash, zsh, and ksh support.
    static func word(_ bytes: some Collection<UInt8>) -> String {
        if bytes.isEmpty { return "''" }
        if bytes.allSatisfy(isPlain) { return String(decoding: bytes, as: UTF8.self) }
        if let text = String(validating: bytes, as: UTF8.self), DisplayWidth.printable(text).utf8.count == bytes.count {
            var word = "'"
            // An apostrophe and a combining mark may form one character, but a shell reads bytes.
            for scalar in text.unicodeScalars {
                if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
            }
            return word + "'"
        }
        return "$'" + escaped(bytes) + "'"
    }

    /// Returns a shell word for a string, which must not contain NUL.
    static func word(_ text: String) -> String { word(text.utf8) }

    /// Returns a shell command of these words, which must not contain NUL.
    static func command(_ words: [String]) -> String { words.map(word).joined(separator: " ") }

    /// Returns a `printf` operand that prints exactly these bytes.
    static func printfWord(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        var bytes = bytes[...]
        // Implementations of printf differ in how they treat options and "--".
        if bytes.first == UInt8(ascii: "-") { text = octal(bytes.removeFirst()) }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "%"): text += "%%"
            case UInt8(ascii: "\\"): text += "\\\\"
            case UInt8(ascii: "'"): text += "'\\''"
            case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += octal(byte)
            }
        }
        return "'" + text + "'"
    }

    private static func escaped(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            switch byte {
            case 0x0A: text += "\\n"
            case 0x0D: text += "\\r"
            case 0x09: text += "\\t"
            case UInt8(ascii: "'"): text += "\\'"
            case UInt8(ascii: "\\"): text += "\\\\"
            case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
            // An octal escape has at most three digits, but some shells read any number of hexadecimal ones.
            default: text += octal(byte)
            }
        }
        return text
    }

    private static func octal(_ byte: UInt8) -> String { "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)" }

    private static func isPlain(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "-_./:@%+,".utf8.contains(byte)
    }
}
