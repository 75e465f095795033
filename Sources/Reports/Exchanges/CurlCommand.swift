import Basics
import Diagnostics
import Output
import RunModel

/// The `curl` command that sends a request again.
enum CurlCommand {
    /// Longer bodies are left out of the command; curl is told to read them from a file.
    private static let longestBody = 8_192
    /// Fields that curl or the connection decides.
    private static let ownFields = ["Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive"]

    /// The command, in one line; nil for what went over a WebSocket, which curl cannot repeat.
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
            // curl makes it of the URL by itself.
            if hasUser, field.isNamed("Authorization"), field.value.hasPrefix("Basic ") { continue }
            // curl takes "Name:" as a request to leave the field out, and "Name;" as one with an empty value.
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
            // An argument cannot hold a NUL.
            words += ["--data-binary", "@-"]
            return "printf " + ShellQuoting.printfWord(request.body) + " | " + words.joined(separator: " ")
        }
        words += [body.option, ShellQuoting.word(request.body)]
        return words.joined(separator: " ")
    }

    /// The command for a body that is sent compressed, of which the request has the text.
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

    /// The options of a multipart form; nil for any other body, and for a form that curl cannot make.
    private static func formWords(_ request: Exchange.Request) -> [String]? {
        // A redirect may have changed the request to one without a body.
        guard !request.form.isEmpty, !request.body.isEmpty || request.streamedSize != nil else { return nil }
        return CurlForm.words(request.form)?.map { ShellQuoting.word($0) }
    }

    /// How curl is given a body, and which fields it adds by itself then.
    private struct BodyOption {
        var option = "--data-binary"
        var addsContentType = false

        init(_ request: Exchange.Request, isForm: Bool) {
            if isForm {
                // With its own boundary.
                addsContentType = true
                return
            }
            let contentType = request.headers.filter { $0.isNamed("Content-Type") }
            let only = contentType.count == 1 ? contentType[0].value : nil
            let isSentAsShown = request.encodedSize == nil && request.streamedSize == nil
            let isInline = isSentAsShown && request.body.count <= longestBody && !request.body.contains(0)
            // At the beginning of these options' values, @ names a file; --data-raw has no such meaning.
            let namesFile = request.body.first == UInt8(ascii: "@")
            if only == "application/x-www-form-urlencoded" {
                addsContentType = true
                if isInline { option = "--data-raw" }
            } else if isInline, !namesFile, only == "application/json",
                request.headers.contains(where: { $0.isNamed("Accept") })
            {
                // --json also sets Accept, which a field of one's own replaces.
                option = "--json"
                addsContentType = true
            } else if namesFile {
                option = "--data-raw"
            }
        }
    }

    /// Whether the command has to give a field.
    private static func isShown(_ field: HeaderField, url: String, body: BodyOption) -> Bool {
        // A handshake that was refused, such as a WebSocket's, is refused for another reason without it.
        if field.isNamed("Connection"), field.value == "Upgrade" { return true }
        if ownFields.contains(where: field.isNamed) { return false }
        if field.isNamed("User-Agent") { return !field.value.hasPrefix("apitest") }
        if field.isNamed("Accept-Encoding") { return field.value != "gzip, deflate" }
        if field.isNamed("Accept") { return field.value != "*/*" || body.option == "--json" }
        if field.isNamed("Host") { return field.value != authority(of: url) }
        if field.isNamed("Content-Type") { return !body.addsContentType }
        return true
    }

    /// The URL that was asked for first, when curl would follow from it to the same request.
    ///
    /// What is known is the last request. A 303, and in practice a 301 or 302 of a POST, makes it a GET of another
    /// resource; then the first request cannot be told from it, and the command repeats the last.
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

    /// Whether curl would shorten the path (RFC 3986, section 5.2.4).
    private static func hasDotSegment(_ url: String) -> Bool {
        url.utf8.split(omittingEmptySubsequences: false) { "/?#".utf8.contains($0) }.contains { segment in
            segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8)
        }
    }
}

/// The options of `curl` that send a multipart form.
///
/// Masking comes first: the parts hold values as they are, and curl's quotes are put around what is left to show.
enum CurlForm {
    /// The options, each followed by its value and not yet quoted for a shell; nil for a form that curl cannot make.
    ///
    /// - Parameter parts: The parts, in order.
    static func words(_ parts: [FormPart]) -> [String]? {
        var words: [String] = []
        for part in parts {
            // curl takes what is before the first "=" for the name.
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
            // Without quotes where none are needed, as people write it.
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

    /// A text as curl reads it back from a parameter of `-F`.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}

/// Words of a shell command.
enum ShellQuoting {
    /// A word that a shell reads as exactly these bytes, which hold no NUL.
    ///
    /// Plain words stay as they are and printable ones are put in apostrophes; others are written as `$'…'` (POSIX.1-2024,
    /// section 2.2.4), which bash, zsh and ksh know.
    static func word(_ bytes: some Collection<UInt8>) -> String {
        if bytes.isEmpty { return "''" }
        if bytes.allSatisfy(isPlain) { return String(decoding: bytes, as: UTF8.self) }
        if let text = String(validating: bytes, as: UTF8.self), DisplayWidth.printable(text).utf8.count == bytes.count {
            var word = "'"
            // An apostrophe may be a part of a character, with what combines with it: a shell reads bytes.
            for scalar in text.unicodeScalars {
                if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
            }
            return word + "'"
        }
        return "$'" + escaped(bytes) + "'"
    }

    /// A word that a shell reads as a text, which holds no NUL.
    static func word(_ text: String) -> String { word(text.utf8) }

    /// A command that a shell reads as these words, which hold no NUL.
    static func command(_ words: [String]) -> String { words.map(word).joined(separator: " ") }

    /// The operand of `printf` that prints exactly these bytes.
    static func printfWord(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        var bytes = bytes[...]
        // Neither an option nor "--" is read the same way by every printf.
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
            // Three octal digits end by themselves, where a shell may read any number of hexadecimal ones.
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
