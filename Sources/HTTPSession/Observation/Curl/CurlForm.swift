import ExchangeFormats

/// The `curl` options that send a multipart form.
enum CurlForm {
    /// Returns the options, each with its value and without shell quoting; nil if curl cannot send the form.
    /// - Parameters:
    ///   - parts: The parts, in order.
    ///   - maximumBodySize: The maximum size of all in-memory parts in bytes.
    ///   - redaction: The values to hide; nil hides nothing.
    static func options(_ parts: [MultipartPart], maximumBodySize: Int, _ redaction: Redaction?) -> [[String]]? {
        var shown: [CurlPart] = []
        var size = 0
        for part in parts {
            let content: CurlPart.Content
            switch part.body {
            case .empty: content = .text("")
            case .bytes(let bytes):
                size += bytes.count
                guard size <= maximumBodySize, let plain = String(validating: bytes, as: UTF8.self) else { return nil }
                content = .text(redaction.map { $0.hides(parameter: part.name) ? $0.replacement : plain } ?? plain)
            case .file(let path): content = .file(path)
            case .stream: return nil
            }
            let headers = redaction?.header(part.headers) ?? part.headers
            shown.append(
                CurlPart(
                    name: part.name, content: content, fileName: part.fileName, contentType: part.contentType,
                    headers: headers.map { ($0.name, $0.value) }))
        }
        return CurlPart.options(shown)
    }
}
