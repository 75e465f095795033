import Basics
package import Diagnostics
import JSON

/// Turns recorded traffic into a suite: requests, expectations derived from the responses, and captures of the values
/// that later requests contain.
package enum TrafficTranslator {
    /// Returns the suite of exchanges in the order in which they were sent.
    package static func suite(
        of exchanges: [RecordedExchange], name: String, file: SourceFile, _ context: inout ImportContext
    ) -> ImportedSuite {
        var kept: [RecordedExchange] = []
        for exchange in exchanges {
            if let kind = TrafficFilter.omission(exchange, context.filter) {
                context.omitted(kind)
            } else {
                kept.append(exchange)
            }
        }
        var jar = RecordedCookies()
        var inference = CaptureInference()
        var requests: [ImportedRequest] = []
        var notes: [[ImportNote]] = []
        var bodies: [JSONValue?] = []
        var conversations: [ConversationTranslator?] = []
        for (index, exchange) in kept.enumerated() {
            var found: [ImportNote] = []
            let request = self.request(exchange, &jar, &found, file, &context)
            requests.append(inference.apply(to: request))
            notes.append(found)
            let json = exchange.responseJSON
            inference.add(exchange, json: json, index: index)
            jar.add(exchange)
            bodies.append(json)
            conversations.append(
                exchange.messages.map {
                    ConversationTranslator($0, of: exchange.url, exchange: index, &inference)
                })
        }
        let hosts = Set(kept.compactMap { URLParts(ImportedText($0.url)).authority })
        let redirects = kept.contains { (300..<400).contains($0.status) && !$0.responseHeaders("Location").isEmpty }
        var suite = ImportedSuite(name: name, source: file.name)
        suite.isRecorded = true
        for (index, exchange) in kept.enumerated() {
            var request = requests[index]
            // Each redirect was recorded as an exchange of its own.
            if redirects { request.set(.redirects, false) }
            var step = ImportedStep(request)
            let place = CaptureInference.Place(exchange: index)
            step.captures = inference.captures[place] ?? []
            step.notes = notes[index]
            if let conversation = conversations[index] {
                step.messages = conversation.elements(inference) {
                    step.notes.append(
                        context.untranslated("content of a WebSocket message", in: file, line: exchange.line))
                }
            } else {
                step.checks = ExpectationInference.checks(for: exchange, json: bodies[index]) { value in
                    inference.variable(of: value, before: place)
                }
            }
            var test = ImportedTest(steps: [step])
            if hosts.count > 1, let host = URLParts(ImportedText(exchange.url)).authority { test.group = [host] }
            suite.tests.append(test)
        }
        suite.keepsCookies = jar.areSentBack
        suite.isFiltered = true
        return suite
    }

    private static func request(
        _ exchange: RecordedExchange, _ jar: inout RecordedCookies, _ notes: inout [ImportNote], _ file: SourceFile,
        _ context: inout ImportContext
    ) -> ImportedRequest {
        var request = ImportedRequest(method: exchange.method, url: ImportedText(exchange.url))
        for field in exchange.headers where !TrafficFilter.isOfClient(field.name, field.value) {
            if ASCII.equalIgnoringCase(field.name, "Cookie") {
                request.cookies += jar.cookies(of: field.value)
            } else {
                request.headers.append(ImportedField(ImportedText(field.name), ImportedText(field.value)))
            }
        }
        let contentType = exchange.header("Content-Type")
        switch exchange.body {
        case .none: request.removeHeader("Content-Type")
        case .bytes(let bytes):
            if let contentType, let parts = MultipartText.parts(of: bytes, contentType: contentType) {
                request.body = .multipart(parts)
            } else {
                request.body = ImportedBody(bytes: bytes, contentType: contentType)
            }
            if contentType == nil { request.suppressedHeaders.append("Content-Type") }
        case .form(let fields): request.body = .form(fields)
        case .multipart(let parts): request.body = .multipart(parts)
        }
        if case .multipart(let parts)? = request.body {
            for part in parts where part.fileName != nil {
                guard case .text(let text) = part.content, text.isEmpty else { continue }
                notes.append(
                    context.untranslated("content of an uploaded file", in: file, line: exchange.line))
            }
        }
        return request
    }
}

/// The cookies that recorded responses have set.
private struct RecordedCookies {
    private var values: [String: String] = [:]
    /// Whether a request contains a cookie that an earlier response has set.
    private(set) var areSentBack = false

    mutating func add(_ exchange: RecordedExchange) {
        // Some recorders join several fields with line breaks.
        for field in exchange.responseHeaders("Set-Cookie").flatMap({ $0.split(separator: "\n") }) {
            let pair = field.prefix { $0 != ";" }
            guard let equals = pair.firstIndex(of: "=") else { continue }
            values[String(ASCII.trimmed(pair[..<equals]))] = String(ASCII.trimmed(pair[pair.index(after: equals)...]))
        }
    }

    /// Returns the cookies of a field that no earlier response has set.
    mutating func cookies(of field: String) -> [ImportedField] {
        var result: [ImportedField] = []
        for pair in field.split(separator: ";") {
            let pair = ASCII.trimmed(pair)
            guard let equals = pair.firstIndex(of: "=") else { continue }
            let name = String(pair[..<equals])
            let value = String(pair[pair.index(after: equals)...])
            if values[name] == value {
                areSentBack = true
            } else if !result.contains(where: { $0.name.literal == name }) {
                result.append(ImportedField(ImportedText(name), ImportedText(value)))
            }
        }
        return result
    }
}
