import SuiteModel

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
                        ShellQuoting.isAlphanumeric($0) || ".+-_".utf8.contains($0)
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
