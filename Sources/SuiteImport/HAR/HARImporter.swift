import Basics
package import Diagnostics
import FileSystem
import JSON

/// Reads HTTP Archives (HAR 1.2) of browsers, proxies, and apitest.
package enum HARImporter: Importer {
    package static var format: ImportFormat { .har }

    package static func recognizes(_ file: SourceFile) -> Bool {
        let start = file.text.starts(with: [0xEF, 0xBB, 0xBF]) ? file.text.dropFirst(3) : file.text[...]
        guard start.first(where: { !ASCII.isWhitespace($0) }) == UInt8(ascii: "{") else { return false }
        let text = String(decoding: start.prefix(1 << 16), as: UTF8.self)
        return text.contains("\"log\"") && (text.contains("\"entries\"") || text.contains("\"creator\""))
    }

    package static func suites(of files: [SourceFile], _ context: inout ImportContext) -> [ImportedSuite] {
        files.compactMap { file in
            guard let entries = entries(of: file, &context) else { return nil }
            let lines = ElementLines.lines(of: "entries", in: file.text)
            var exchanges: [RecordedExchange] = []
            for (index, entry) in entries.enumerated() {
                let line = index < lines.count ? lines[index] : nil
                if let exchange = exchange(entry, line: line) {
                    exchanges.append(exchange)
                } else {
                    context.omitted("entries without a request")
                }
            }
            var name = Path.lastComponent(of: file.name)
            if let dot = name.lastIndex(of: "."), dot != name.startIndex { name = String(name[..<dot]) }
            return TrafficTranslator.suite(of: exchanges, name: name, file: file, &context)
        }
    }

    private static func entries(of file: SourceFile, _ context: inout ImportContext) -> [JSONValue]? {
        guard let root = context.json(of: file, maximumDepth: ImportLimits.depth) else { return nil }
        guard let entries = root["log"]?["entries"]?.arrayValue else {
            context.report(
                "invalid-har", "the file is not an HTTP Archive: it has no array \"log.entries\"",
                SourceRange(file: file, bytes: 0..<0))
            return nil
        }
        return entries
    }

    // MARK: Entries

    private static func exchange(_ entry: JSONValue, line: Int?) -> RecordedExchange? {
        guard let request = entry["request"], let method = request["method"]?.stringValue,
            let url = request["url"]?.stringValue, !url.isEmpty
        else { return nil }
        let response = entry["response"]
        let status = response?["status"]?.numberValue?.int64 ?? 0
        let messages = entry["_webSocketMessages"]?.arrayValue
        var exchange = RecordedExchange(
            method: method, url: messages == nil ? url : withHTTPScheme(url),
            status: (100...999).contains(status) ? Int(status) : 0)
        exchange.messages = messages.map { self.messages($0) }
        exchange.line = line
        exchange.headers = fields(request["headers"])
        exchange.responseHeaders = fields(response?["headers"])
        exchange.body = body(request["postData"], exchange)
        let content = response?["content"]
        exchange.mediaType = mediaType(content?["mimeType"]?.stringValue ?? "")
        if let text = content?["text"]?.stringValue {
            exchange.responseBody =
                content?["encoding"]?.stringValue == "base64"
                ? Base64.decode(text.utf8, allowing: [.whitespace, .withoutPadding]) : Array(text.utf8)
        }
        return exchange
    }

    // MARK: WebSockets

    /// Returns the URL of a WebSocket with the scheme of its handshake.
    private static func withHTTPScheme(_ url: String) -> String {
        for (scheme, replacement) in [("ws://", "http://"), ("wss://", "https://")] where url.hasPrefix(scheme) {
            return replacement + url.dropFirst(scheme.count)
        }
        return url
    }

    /// Reads the messages in the format of browsers, in which the opcodes are those of RFC 6455, section 11.8.
    private static func messages(_ list: [JSONValue]) -> [RecordedMessage] {
        var messages: [RecordedMessage] = []
        var previous: Double?
        for message in list {
            // apitest keeps only the start of a large message, and states its size.
            let data = message["_size"] == nil ? message["data"]?.stringValue : nil
            let content: RecordedMessage.Content? =
                switch message["opcode"]?.numberValue?.int64 {
                case 1: .some(data.map { .text($0) } ?? .omitted(isBinary: false))
                case 2:
                    .some(
                        data.flatMap { Base64.decode($0.utf8, allowing: [.whitespace, .withoutPadding]) }
                            .map { .binary($0) } ?? .omitted(isBinary: true))
                case 8: .close(message["_code"]?.numberValue?.int64.map { Int(clamping: $0) } ?? 1_005)
                default: nil
                }
            guard let content else { continue }
            let time = message["time"]?.numberValue?.double
            var delay: Int64 = 0
            if let time, let previous { delay = Int64(min(max(time - previous, 0), 3_600) * 1e9) }
            previous = time ?? previous
            messages.append(
                RecordedMessage(isSent: message["type"]?.stringValue == "send", content: content, delay: delay))
        }
        return messages
    }

    private static func mediaType(_ text: String) -> String {
        String(ASCII.trimmed(text.prefix { $0 != ";" })).lowercased()
    }

    private static func fields(_ value: JSONValue?) -> [(name: String, value: String)] {
        (value?.arrayValue ?? []).compactMap { field in
            guard let name = field["name"]?.stringValue, let value = field["value"]?.stringValue, !name.isEmpty else {
                return nil
            }
            return (name, value)
        }
    }

    /// The comment of bodies in base64, for which the format has no member; apitest and others write it.
    private static let base64Comment = "base64"

    private static func body(_ data: JSONValue?, _ exchange: RecordedExchange) -> RecordedExchange.Body {
        guard let data else { return .none }
        if let text = data["text"]?.stringValue, !text.isEmpty {
            let isEncoded =
                data["encoding"]?.stringValue == "base64"
                || data["comment"]?.stringValue?.contains(base64Comment) == true
            if isEncoded, let bytes = Base64.decode(text.utf8, allowing: [.whitespace, .withoutPadding]) {
                return .bytes(bytes)
            }
            return .bytes(Array(text.utf8))
        }
        guard let parameters = data["params"]?.arrayValue, !parameters.isEmpty else { return .none }
        let type = mediaType(exchange.header("Content-Type") ?? data["mimeType"]?.stringValue ?? "")
        guard type == "multipart/form-data" else {
            return .form(
                parameters.map { parameter in
                    ImportedField(
                        ImportedText(parameter["name"]?.stringValue ?? ""),
                        ImportedText(parameter["value"]?.stringValue ?? ""))
                })
        }
        return .multipart(
            parameters.map { parameter in
                var part = ImportedBody.Part(
                    ImportedText(parameter["name"]?.stringValue ?? ""),
                    .text(ImportedText(parameter["value"]?.stringValue ?? "")))
                part.fileName = parameter["fileName"]?.stringValue.map { ImportedText($0) }
                part.type = parameter["contentType"]?.stringValue.map { ImportedText($0) }
                return part
            })
    }
}
