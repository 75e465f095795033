import Basics
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Reads `websocket`.
struct WebSocketReader {
    /// The shared state of the readers.
    let context: LoadContext
    private let templates: TemplateReader
    private let expectations: ExpectReader

    init(_ context: LoadContext) {
        self.context = context
        templates = TemplateReader(context)
        expectations = ExpectReader(context)
    }

    /// Returns the exchange of a sequence.
    ///
    /// - Parameters:
    ///   - node: The sequence.
    ///   - key: The key of the sequence.
    ///   - uses: On return, also contains the names that each element uses.
    func exchange(_ node: YAMLNode, _ key: YAMLNode, uses: inout [SuiteScope.ElementUses]) -> WebSocketSpec {
        var elements: [WebSocketSpec.Element] = []
        var captures = 0
        var end: SourceRange?
        for item in node.elements {
            guard item.kind == .mapping else {
                context.reportType(
                    item, expected: "a mapping",
                    suggestion: item.scalar.map { "write \"- send: \($0.text)\" or \"- receive: \($0.text)\"" })
                continue
            }
            if let end {
                context.report(
                    "invalid-websocket", "no element can follow the end of the connection", item.range,
                    related: [Diagnostic.Related(message: "the connection ends here", range: end)])
            }
            let first = context.uses.count
            let element = element(item)
            uses.append(SuiteScope.ElementUses(uses: first..<context.uses.count, captures: captures))
            guard let element else { continue }
            switch element.action {
            case .close: end = element.range
            case .receive(let receiving):
                captures += receiving.captures.count
                if receiving.close != nil { end = element.range }
            case .send, .silence, .ping, .wait: break
            }
            elements.append(element)
        }
        return WebSocketSpec(elements, range: key.range)
    }

    /// Checks that a request can open a WebSocket.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - node: The node of the request.
    func check(_ request: RequestSpec, _ node: YAMLNode) {
        func report(_ message: MessageText, _ key: String?, suggestion: MessageText? = nil) {
            let location = node.mapping?.first { $0.key.scalar?.text == key }?.key.range
            context.report("invalid-websocket", message, location ?? request.range, suggestion: suggestion)
        }
        if request.method != "GET" {
            report("a WebSocket must be opened with GET", "method", suggestion: "remove the method, or write GET")
        }
        if request.body != nil {
            let bodies = ["json", "form", "multipart", "text", "xml", "graphql", "file", "base64"]
            let key = node.mapping?.lazy.compactMap { $0.key.scalar?.text }.first(where: bodies.contains)
            report(
                "a request that opens a WebSocket cannot have a body", key,
                suggestion: "send it as a message: \"- send: …\" under \"websocket\"")
        }
        if request.extras?.stream != nil {
            report(
                "a request cannot both open a WebSocket and read a stream", "stream", suggestion: "remove \"stream\"")
        }
        switch request.extras?.httpVersion {
        case .http10, .http2:
            report("a WebSocket requires HTTP/1.1", "http", suggestion: "remove \"http\", or write 1.1")
        case .http11, .auto, nil: break
        }
    }

    // MARK: Elements

    private func element(_ node: YAMLNode) -> WebSocketSpec.Element? {
        var result: WebSocketSpec.Element?
        let found = MapReader(context, WebSocketKey.schema).read(node) { key, keyNode, value in
            let range = node.isFlow ? node.range : value.range
            result = action(key, keyNode, value).map { WebSocketSpec.Element($0, range: range) }
        }
        if !WebSocketKey.allCases.contains(where: found.contains) {
            context.report(
                "missing-key", "a \"websocket\" element needs an action", node.range,
                suggestion: "write \"send\", \"receive\", \"silence\", \"ping\", \"wait\" or \"close\"")
        }
        return result
    }

    private func action(_ key: WebSocketKey, _ keyNode: YAMLNode, _ value: YAMLNode) -> WebSocketSpec.Action? {
        switch key {
        case .send: return payload(value).map(WebSocketSpec.Action.send)
        case .receive: return .receive(receiving(value))
        case .silence: return context.duration(value, keyNode).map(WebSocketSpec.Action.silence)
        case .wait: return context.duration(value, keyNode).map(WebSocketSpec.Action.wait)
        case .ping:
            if value.scalar?.isString == true {
                return context.duration(value, keyNode).map(WebSocketSpec.Action.ping)
            }
            if !value.isTrue {
                context.report(
                    "invalid-websocket", "a ping must be true or the timeout of its pong", value.range,
                    suggestion: "write true")
            }
            return .ping(WebSocketSpec.standardTime)
        case .close: return .close(closing(value))
        }
    }

    // MARK: Sending

    private func payload(_ node: YAMLNode) -> WebSocketSpec.Payload? {
        guard node.kind == .mapping else { return .text(templates.template(node)) }
        var payload: WebSocketSpec.Payload?
        var type: (kind: WebSocketSpec.Kind?, key: YAMLNode)?
        let found = MapReader(context, WebSocketSendKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .text: payload = .text(templates.template(value))
            case .json: payload = .json(templates.value(value))
            case .base64: payload = .base64(base64(value), range: value.range)
            case .file:
                let path = templates.template(value)
                if let path = path.constantText { _ = context.existingFile(path, value.range) }
                payload = .file(path, isText: false, range: value.range)
            case .type: type = (context.choice(value, WebSocketSpec.Kind.self), keyNode)
            }
        }
        if let type {
            if case .file(let path, _, let range)? = payload {
                payload = .file(path, isText: type.kind == .text, range: range)
            } else if payload != nil {
                context.report(
                    "conflicting-keys", "\"type\" applies only to a file; the content determines the type here",
                    type.key.range)
            }
        }
        if !WebSocketSendKey.allCases.contains(where: { $0 != .type && found.contains($0) }) {
            context.report(
                "missing-key", "a message to send needs content", node.range,
                suggestion: "add \"text\", \"json\", \"base64\" or \"file\"")
        }
        return payload
    }

    private func base64(_ node: YAMLNode) -> Template {
        let template = templates.template(node)
        if let text = template.constantText { check(base64: text, node) }
        return template
    }

    private func check(base64 text: String, _ node: YAMLNode) {
        guard Base64.decode(text.utf8, allowing: [.whitespace, .withoutPadding]) == nil else { return }
        context.report("invalid-base64", "the value is not valid base64", node.range)
    }

    private func closing(_ node: YAMLNode) -> WebSocketSpec.Closing {
        guard node.kind == .mapping else { return WebSocketSpec.Closing(code: code(node)) }
        var closing = WebSocketSpec.Closing()
        MapReader(context, WebSocketCloseKey.schema).read(node) { key, _, value in
            switch key {
            case .code: closing.code = code(value)
            case .reason:
                let reason = templates.template(value)
                if let problem = reason.constantText.flatMap(WebSocketSpec.Closing.problem(ofReason:)) {
                    context.report("invalid-websocket", problem, value.range)
                }
                closing.reason = reason
            }
        }
        return closing
    }

    private func code(_ node: YAMLNode) -> UInt16 {
        if case .number(let number)? = node.scalar?.value, let code = number.int64, (1_000...4_999).contains(code) {
            return UInt16(code)
        }
        context.report(
            "invalid-websocket", "a close code must be an integer from 1000 to 4999", node.range,
            suggestion: "write 1000 for a normal closure")
        return 1_000
    }

    // MARK: Receiving

    private func receiving(_ node: YAMLNode) -> WebSocketSpec.Receiving {
        var receiving = WebSocketSpec.Receiving()
        guard node.kind == .mapping else {
            receiving.expectations.body = expectations.matchers.matcher(node)
            return receiving
        }
        var closeKey: YAMLNode?
        var messageKey: YAMLNode?
        MapReader(context, WebSocketReceiveKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .type, .json, .body, .jsonSchema, .size, .sha256, .base64, .assert, .capture: messageKey = keyNode
            case .close: closeKey = keyNode
            case .within, .skip: break
            }
            read(key, keyNode, value, into: &receiving)
        }
        if let closeKey, let messageKey {
            context.report(
                "conflicting-keys", "an element expects either a message or \"close\", not both", messageKey.range,
                related: [Diagnostic.Related(message: "the other key is here", range: closeKey.range)],
                suggestion: "expect the end in a separate element")
        }
        return receiving
    }

    private func read(
        _ key: WebSocketReceiveKey, _ keyNode: YAMLNode, _ value: YAMLNode,
        into receiving: inout WebSocketSpec.Receiving
    ) {
        let matchers = expectations.matchers
        switch key {
        case .type: receiving.kind = context.choice(value, WebSocketSpec.Kind.self)
        case .json: receiving.expectations.json = expectations.json(value)
        case .body: receiving.expectations.body = matchers.matcher(value)
        case .size: receiving.expectations.size = matchers.matcher(value, domain: .size)
        case .jsonSchema: ExpectExtrasReader(expectations).read(.jsonSchema, value, into: &receiving.expectations)
        case .sha256: ExpectExtrasReader(expectations).read(.sha256, value, into: &receiving.expectations)
        case .base64:
            if let text = value.scalar?.text, !text.contains("${") { check(base64: text, value) }
            receiving.base64 = matchers.matcher(value)
        case .close: receiving.close = expectedClose(value)
        case .assert: receiving.expectations.assertions = AssertReader(context).assertions(value)
        case .capture: receiving.captures = CaptureReader(context).captures(value)
        case .within:
            context.duration(value, keyNode, isPositive: true).map { receiving.time = $0 }
        case .skip: receiving.skips = value.isTrue
        }
    }

    private func expectedClose(_ node: YAMLNode) -> WebSocketSpec.ExpectedClose? {
        var close = WebSocketSpec.ExpectedClose(range: node.range)
        guard node.kind == .mapping else {
            switch node.scalar?.value {
            case .bool(true)?: return close
            case .bool(false)?:
                context.report(
                    "invalid-websocket", "\"close: false\" is not allowed", node.range,
                    suggestion: "remove it, or use \"silence\" to expect no messages")
                return nil
            default:
                _ = code(node)
                close.code = expectations.matchers.matcher(node)
                return close
            }
        }
        MapReader(context, WebSocketCloseKey.expected).read(node) { key, _, value in
            switch key {
            case .code: close.code = expectations.matchers.matcher(value)
            case .reason: close.reason = expectations.matchers.matcher(value)
            }
        }
        return close
    }
}
