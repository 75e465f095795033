/// The `curl` options that send a multipart form.
enum CurlForm {
    /// Returns the options with their values, not quoted for a shell; nil for a form that curl cannot send.
    /// - Parameters:
    ///   - parts: The parts, in order.
    ///   - largestBody: The maximum size of all in-memory parts in bytes.
    ///   - redaction: The values to hide; nil hides nothing.
    static func options(
        _ parts: [MultipartPart], largestBody: Int, _ redaction: Redaction?
    ) -> [(option: String, value: String)]? {
        var options: [(option: String, value: String)] = []
        var size = 0
        for part in parts {
            // curl splits the argument at the first "=".
            guard !part.name.isEmpty, !part.name.utf8.contains(UInt8(ascii: "=")) else { return nil }
            let content: String
            switch part.body {
            case .empty: content = quoted("")
            case .bytes(let bytes):
                size += bytes.count
                guard size <= largestBody, let plain = String(validating: bytes, as: UTF8.self) else { return nil }
                let text = redaction.map { $0.hides(parameter: part.name) ? $0.replacement : plain } ?? plain
                if part.fileName == nil, part.contentType == nil, part.headers.isEmpty {
                    options.append(("--form-string", part.name + "=" + text))
                    continue
                }
                content = quoted(text)
            case .file(let path): content = "@" + quoted(path)
            case .stream: return nil
            }
            var value = part.name + "=" + content
            if let name = part.fileName { value += ";filename=" + quoted(name) }
            if let type = part.contentType { value += self.type(type) }
            let headers = redaction?.header(part.headers) ?? part.headers
            for field in headers { value += ";headers=" + quoted("\(field.name): \(field.value)") }
            options.append(("-F", value))
        }
        // A command-line argument cannot contain NUL.
        return options.contains { $0.value.utf8.contains(0) } ? nil : options
    }

    private static let typeBytes = ByteClass.Set(alphanumericAnd: ".+-_")

    private static func type(_ type: String) -> String {
        let halves = type.split(separator: "/", omittingEmptySubsequences: false)
        let set = typeBytes
        let isPlain = halves.count == 2 && halves.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(set.contains) }
        return isPlain ? ";type=" + type : ";headers=" + quoted("Content-Type: " + type)
    }

    /// Quotes a string for a parameter of `-F`.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
