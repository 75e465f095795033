import Basics
import Diagnostics
import JSON
package import RunModel

extension SecretRedactor {
    /// Returns an event with its secrets and its request credentials masked; nil if it cannot contain any.
    package func redacted(_ event: RunEvent) -> RunEvent? {
        switch event {
        case .testFinished(var result):
            guard mayChange(result) else { return nil }
            redact(&result)
            return .testFinished(result)
        case .testCompleted(var result):
            guard mayChange(result) else { return nil }
            redact(&result)
            return .testCompleted(result)
        case .runStarted(var info):
            if isEmpty, !info.suites.contains(where: Self.hasPassword) { return nil }
            for index in info.suites.indices { redact(&info.suites[index]) }
            redact(&info.origin.revision)
            redact(&info.origin.branch)
            redact(&info.origin.job)
            return .runStarted(info)
        case .suiteStarted(var info):
            if isEmpty, !Self.hasPassword(info) { return nil }
            redact(&info)
            return .suiteStarted(info)
        case .testStarted(var test):
            if isEmpty { return nil }
            redact(&test)
            return .testStarted(test)
        case .notice(var notice):
            if isEmpty { return nil }
            redact(&notice.wording)
            for index in notice.details.indices { redact(&notice.details[index]) }
            return .notice(notice)
        case .runFinished(var summary):
            if isEmpty { return nil }
            for index in summary.repeatArguments.options.indices {
                redact(option: &summary.repeatArguments.options[index])
            }
            for index in summary.coverages.indices {
                summary.coverages[index].changeUndocumented { redact(&$0) }
            }
            return .runFinished(summary)
        case .load(.finished(var summary)):
            redact(&summary)
            return .load(.finished(summary))
        case .load(.progress(var progress)):
            if isEmpty { return nil }
            redact(&progress.profile)
            redact(&progress.steps)
            return .load(.progress(progress))
        case .load(.second), .secretRegistered, .suiteFinished, .interrupted:
            return nil
        }
    }

    private func redact(_ summary: inout LoadSummary) {
        redact(&summary.profile)
        redact(&summary.range)
        for index in summary.thresholds.indices { redact(&summary.thresholds[index]) }
        if var abort = summary.abort {
            redact(&abort)
            summary.abort = abort
        }
        redact(&summary.steps)
        for index in summary.causes.indices {
            redact(&summary.causes[index].finding)
            redact(&summary.causes[index].step)
            redact(&summary.causes[index].exchange)
        }
        for index in summary.slowest.indices {
            redact(&summary.slowest[index].step)
            _ = redact(&summary.slowest[index].exchange)
        }
    }

    private func redact(_ condition: inout LoadSummary.Condition) {
        redact(&condition.source)
        redact(&condition.range)
    }

    private func redact(_ steps: inout [LoadSummary.Step]) {
        for index in steps.indices {
            redact(&steps[index].test)
            redact(&steps[index].step)
        }
    }

    /// Masks the secrets and credentials of a result, and records the generation of secrets in the result.
    package func prepare(_ result: inout TestResult) {
        if mayChange(result) { redact(&result) }
        result.maskedSecrets = generation
    }

    /// Returns whether a result may contain a secret or request credentials.
    private func mayChange(_ result: TestResult) -> Bool {
        if let masked = result.maskedSecrets, masked == generation { return false }
        return !isEmpty || Self.hasCredentials(result)
    }

    /// Returns whether an event may contain a secret or request credentials.
    package func mayChange(_ event: RunEvent) -> Bool {
        switch event {
        case .testFinished(let result), .testCompleted(let result): return mayChange(result)
        default: break
        }
        if case .load(.finished) = event { return true }
        if !isEmpty { return true }
        switch event {
        case .testFinished, .testCompleted: return false
        case .runStarted(let info): return info.suites.contains(where: Self.hasPassword)
        case .suiteStarted(let info): return Self.hasPassword(info)
        case .testStarted, .secretRegistered, .load, .notice, .suiteFinished, .interrupted, .runFinished: return false
        }
    }

    private func redact(_ info: inout SuiteInfo) {
        redact(&info.name)
        if var url = info.baseURL, Self.maskPassword(&url) { info.baseURL = url }
        redact(&info.baseURL)
        redact(&info.environment)
        redact(&info.annotations)
    }

    private func redact(_ annotations: inout Annotations?) {
        guard let original = annotations else { return }
        var (description, owner, properties) = (original.description, original.owner, original.properties)
        redact(&description)
        redact(&owner)
        for index in properties.indices {
            redact(&properties[index].name)
            redact(&properties[index].value)
        }
        // Rows share their annotations as long as these contain no secret.
        guard description != original.description || owner != original.owner || properties != original.properties
        else { return }
        annotations = Annotations(description: description, owner: owner, properties: properties)
    }

    /// Masks the value of an option, or a value that follows its option as another argument.
    private func redact(option text: inout String) {
        guard text.hasPrefix("--") else { return redact(&text) }
        guard let sign = text.firstIndex(of: "=") else { return }
        let value = String(text[text.index(after: sign)...])
        if let masked = redacted(value) { text.replaceSubrange(text.index(after: sign)..., with: masked) }
    }

    private func redact(_ link: inout RunOrigin.Link?) {
        guard var masked = link else { return }
        redact(&masked.name)
        redact(&masked.url)
        link = masked
    }

    private func redact(_ test: inout TestReference) {
        if let wording = test.wording {
            if let masked = redacted(wording) {
                test.wording = masked
                test.name = masked.text
            }
        } else {
            redact(&test.name)
        }
        redact(&test.id)
        redact(&test.tags)
        if test.annotations != nil { redact(&test.annotations) }
    }

    private static func hasPassword(_ info: SuiteInfo) -> Bool {
        info.baseURL.map { URLPassword.range(in: $0) != nil } ?? false
    }

    /// Returns whether a request of a test has credentials in a header or URL, which are masked even if no secret is
    /// known.
    private static func hasCredentials(_ result: TestResult) -> Bool {
        if hasCredentials(result.steps) { return true }
        return !result.previousAttempts.isEmpty && result.previousAttempts.contains { hasCredentials($0.steps) }
    }

    private static func hasCredentials(_ steps: [TestResult.Step]) -> Bool {
        for index in steps.indices {
            if let exchange = steps[index].exchange, hasCredentials(exchange) { return true }
            if let outline = steps[index].outline, URLPassword.range(in: outline.url) != nil { return true }
            if !steps[index].previousAttempts.isEmpty,
                steps[index].previousAttempts.contains(where: { $0.exchange.map(hasCredentials) ?? false })
            {
                return true
            }
        }
        return false
    }

    private static func hasCredentials(_ exchange: Exchange) -> Bool {
        let fields = exchange.requestHeaders
        for index in fields.indices {
            // The length is compared first because this runs for each test, and few names have it.
            let count = fields[index].name.utf8.count
            if count == 13 || count == 19, isCredentials(fields[index]) { return true }
        }
        if URLPassword.range(in: exchange.requestURL) != nil { return true }
        let hops = exchange.hops
        return !hops.isEmpty
            && hops.contains { URLPassword.range(in: $0.url) != nil || URLPassword.range(in: $0.location) != nil }
    }

    private static func isCredentials(_ field: HeaderField) -> Bool {
        field.isNamed("Authorization") || field.isNamed("Proxy-Authorization")
    }

    private func redact(_ result: inout TestResult) {
        let name = result.test.wording == nil ? nil : result.test.name
        redact(&result.test)
        redact(&result.outcome)
        redact(&result.steps, of: name.map { (name: $0, masked: result.test.name) })
        for index in result.previousAttempts.indices { redact(&result.previousAttempts[index].steps) }
        for index in result.variables.indices {
            if let masked = redacted(result.variables[index].value) { result.variables[index].value = masked }
        }
    }

    /// Masks the secrets and credentials of steps.
    ///
    /// - Parameter test: The name of a test that the program has composed, which its step shares, and the masked name.
    private func redact(_ steps: inout [TestResult.Step], of test: (name: String, masked: String)? = nil) {
        for index in steps.indices {
            if !isEmpty {
                if let test, steps[index].name == test.name {
                    steps[index].name = test.masked
                } else {
                    redact(&steps[index].name)
                }
                redact(&steps[index].outcome)
            }
            redact(&steps[index].findings)
            for printed in steps[index].printed.indices {
                redact(&steps[index].printed[printed].name)
                if let masked = redacted(steps[index].printed[printed].value) {
                    steps[index].printed[printed].value = masked
                }
            }
            redact(&steps[index].exchange)
            redact(&steps[index].outline)
            for attempt in steps[index].previousAttempts.indices {
                redact(&steps[index].previousAttempts[attempt].findings)
                redact(&steps[index].previousAttempts[attempt].exchange)
            }
        }
    }

    private func redact(_ findings: inout [Finding]) {
        guard !isEmpty else { return }
        for index in findings.indices { redact(&findings[index]) }
    }

    private func redact(_ outline: inout ExchangeOutline?) {
        guard var masked = outline else { return }
        _ = Self.maskPassword(&masked.url)
        redact(&masked.method)
        redact(&masked.url)
        outline = masked
    }

    private func redact(_ exchange: inout Exchange?) {
        if var masked = exchange, redact(&masked) { exchange = masked }
    }

    private func redact(_ outcome: inout TestResult.Outcome) {
        switch outcome {
        case .passed, .flaky, .failed, .errored: break
        case .known(let reason):
            if let reason = redacted(reason) { outcome = .known(reason: reason) }
        case .skipped(let reason):
            if let reason = redacted(reason) { outcome = .skipped(reason: reason) }
        case .blocked(let blocker):
            if let blocker = redacted(blocker) { outcome = .blocked(by: blocker) }
        }
    }

    private func redact(_ finding: inout Finding) {
        finding.subject = finding.subject.masked { redacted($0) ?? $0 }
        redact(&finding.wording)
        for index in finding.details.indices { redact(&finding.details[index]) }
        redact(&finding.expected)
        redact(&finding.actual)
        redact(&finding.range)
    }

    // MARK: Exchanges

    /// Masks the secrets and credentials of an exchange.
    ///
    /// - Returns: Whether the exchange may have contained any.
    private func redact(_ exchange: inout Exchange) -> Bool {
        var isChanged = false
        for index in exchange.request.headers.indices {
            let field = exchange.request.headers[index]
            guard Self.isCredentials(field) else { continue }
            exchange.request.headers[index].value = Self.withoutCredentials(field.value)
            isChanged = true
        }
        if Self.maskPassword(&exchange.request.url) { isChanged = true }
        for index in exchange.hops.indices {
            if Self.maskPassword(&exchange.hops[index].url) { isChanged = true }
            if Self.maskPassword(&exchange.hops[index].location) { isChanged = true }
        }
        guard !isEmpty else { return isChanged }
        var request = exchange.request
        redact(&request.method)
        redact(&request.url)
        let size = request.wholeSize ?? 0
        redactBody(
            &request.body, size: &request.wholeSize,
            charset: Self.systemCharset(of: request.headers),
            isReadable: request.encodedSize != nil || !Self.hasCoding(request.headers), isCut: size > request.body.count
        )
        redact(&request.headers)
        redact(&request.curlOptions)
        for index in request.form.indices { redact(&request.form[index]) }
        exchange.request = request
        if var response = exchange.response {
            redact(&response.reason)
            // The body is truncated if the exchange failed, or if the body was measured or too large.
            let size = response.wholeSize ?? exchange.details?.measuredBody?.size
            let isCut = exchange.failure != nil || size ?? 0 > response.body.count
            // The session always decodes gzip and deflate, and other codings only if their libraries are installed.
            redactBody(
                &response.body, size: &response.wholeSize, charset: Self.systemCharset(of: response.headers),
                isReadable: response.isDecoded || response.encodedSize != nil
                    || !Self.hasUnknownCoding(response.headers), isCut: isCut)
            redact(&response.headers)
            exchange.response = response
        }
        if var failure = exchange.failure {
            redact(&failure.message)
            exchange.failure = failure
        }
        for index in exchange.hops.indices {
            redact(&exchange.hops[index].url)
            redact(&exchange.hops[index].location)
        }
        for index in exchange.cookies.indices {
            redact(&exchange.cookies[index].name)
            redact(&exchange.cookies[index].value)
            redact(&exchange.cookies[index].field)
        }
        if var details = exchange.details {
            redact(&details.trailers)
            redact(&details.events)
            details.webSocket?.replaceBytes { $0.isCut ? redacted(firstBytes: $0.bytes) : redacted($0.bytes) }
            if var command = details.command {
                redact(&command)
                details.command = command
                // Quotation marks in the command line may separate the parts of a secret.
                exchange.request.url = command.line
            }
            exchange.details = details
        }
        return true
    }

    private func redact(_ command: inout CommandExecution) {
        redact(&command.arguments)
        let errors = command.isErrorCut ? redacted(firstBytes: command.errors) : redacted(command.errors)
        if let errors { command.errors = errors }
    }

    /// Returns an `Authorization` value with everything but its scheme masked (RFC 9110, section 11.6.2).
    private static func withoutCredentials(_ value: String) -> String {
        guard !value.isEmpty else { return value }
        guard let space = value.firstIndex(of: " "), space > value.startIndex else { return mask }
        return value[..<space] + " " + mask
    }

    /// Masks the password in a URL.
    ///
    /// - Returns: Whether the URL has a password.
    private static func maskPassword(_ url: inout String) -> Bool {
        guard let range = URLPassword.range(in: url) else { return false }
        url.replaceSubrange(range, with: mask)
        return true
    }

    // MARK: Bodies

    /// Masks the secrets of a body.
    ///
    /// - Parameters:
    ///   - body: The body to mask.
    ///   - size: The size of the whole body; set if masking changes the number of bytes.
    ///   - charset: The charset of the body if only the system can decode it.
    ///   - isReadable: Whether all content codings are decoded. Secrets cannot be found in an encoded body.
    ///   - isCut: Whether the body is truncated.
    private func redactBody(
        _ body: inout [UInt8], size: inout Int?, charset: SystemCharset?, isReadable: Bool, isCut: Bool
    ) {
        guard !body.isEmpty else { return }
        // Valid UTF-8 is not compressed, no matter what the header says.
        var masked =
            isReadable || String(validating: body, as: UTF8.self) != nil
            ? isCut ? redacted(firstBytes: body) : redacted(body) : Array(Self.mask.utf8)
        if let text = charset?.decodeRepairing(masked ?? body), redacted(text) != nil { masked = Array(Self.mask.utf8) }
        guard let masked else { return }
        if size == nil, masked.count != body.count { size = body.count }
        body = masked
    }

    /// Returns the charset in `Content-Type` if only the system can decode it.
    private static func systemCharset(of fields: [HeaderField]) -> SystemCharset? {
        guard let type = fields.first(where: { $0.isNamed("Content-Type") }) else { return nil }
        for part in type.value.split(separator: ";").dropFirst() {
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, ASCII.equalIgnoringCase(String(ASCII.trimmed(sides[0])), "charset") else {
                continue
            }
            return SystemCharset(label: ASCII.trimmed(sides[1]).filter { $0 != "\"" })
        }
        return nil
    }

    /// Returns whether a `Content-Encoding` field lists a content coding.
    private static func hasCoding(_ fields: [HeaderField]) -> Bool {
        fields.contains { $0.isNamed("Content-Encoding") && !codings(of: $0).isEmpty }
    }

    /// Returns whether a `Content-Encoding` field lists a coding that the session does not always decode.
    private static func hasUnknownCoding(_ fields: [HeaderField]) -> Bool {
        fields.contains { field in
            field.isNamed("Content-Encoding")
                && codings(of: field).contains { !["gzip", "x-gzip", "deflate"].contains($0) }
        }
    }

    /// Returns the content codings that a field lists, in lowercase and without `identity`.
    private static func codings(of field: HeaderField) -> [String] {
        field.value.utf8.split(separator: UInt8(ascii: ",")).map { part in
            String(decoding: part.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).lowercased()
        }.filter { !$0.isEmpty && $0 != "identity" }
    }

    /// Masks the secrets of stream events.
    private func redact(_ events: inout [JSONValue]) {
        // Most streams contain no secret, and one search of the concatenated events detects that.
        var joined: [UInt8] = []
        for event in events {
            joined += event.serializedBytes()
            joined.append(0x0A)
        }
        guard redacted(joined) != nil else { return }
        for index in events.indices {
            if let masked = redacted(events[index]) { events[index] = masked }
        }
    }

    private func redact(_ part: inout FormPart) {
        redact(&part.name)
        switch part.content {
        case .text(var text):
            redact(&text)
            part.content = .text(text)
        case .file(var path):
            redact(&path)
            part.content = .file(path)
        }
        redact(&part.fileName)
        redact(&part.contentType)
        redact(&part.headers)
    }

    // MARK: Values

    private func redact(_ text: inout String) {
        if let masked = redacted(text) { text = masked }
    }

    private func redact(_ message: inout MessageText) {
        if let masked = redacted(message) { message = masked }
    }

    private func redact(_ text: inout String?) {
        if let original = text, let masked = redacted(original) { text = masked }
    }

    private func redact(_ texts: inout [String]) {
        for index in texts.indices {
            if let masked = redacted(texts[index]) { texts[index] = masked }
        }
    }

    private func redact(_ bytes: inout [UInt8]) {
        if let masked = redacted(bytes) { bytes = masked }
    }

    private func redact(_ fields: inout [HeaderField]) {
        for index in fields.indices {
            if let masked = redacted(fields[index].name) { fields[index].name = masked }
            if let masked = redacted(fields[index].value) { fields[index].value = masked }
        }
    }

    private func redact(_ value: inout JSONValue?) {
        if let original = value, let masked = redacted(original) { value = masked }
    }

    /// Returns a value with the secrets in its strings, names, and numbers masked; nil if it contains none.
    private func redacted(_ value: JSONValue) -> JSONValue? {
        // Masking the serialized value and parsing it again finds secrets at any depth, without a recursive walk.
        guard let text = redacted(value.serializedBytes()) else { return nil }
        return (try? JSONValue(parsing: text)) ?? .string(Self.mask)
    }
}
