import Basics
import Diagnostics
import JSON
import SuiteModel
import YAML

extension MockReader {
    /// Returns the responses of a route's `respond`, and the behavior after the last one.
    func answers(_ node: YAMLNode) -> ([MockResponse], MockRoute.Order) {
        guard let sequence = node["sequence"] else {
            return (response(node).map { [$0] } ?? [], .repeatLast)
        }
        var responses: [MockResponse] = []
        var order = MockRoute.Order.repeatLast
        MapReader(context, RespondKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .sequence:
                responses = value.sequence?.compactMap { response($0) } ?? []
            case .cycle:
                if value.scalar?.value.boolValue == true { order = .cycle }
            default:
                context.report(
                    "conflicting-keys", "\"\(key.rawValue)\" cannot be used together with \"sequence\"", keyNode.range,
                    suggestion: "move it into the responses of the sequence")
            }
        }
        if sequence.sequence?.isEmpty == true {
            context.report("empty-list", "a sequence needs at least one response", sequence.range)
        }
        return (responses, order)
    }

    private func response(_ node: YAMLNode) -> MockResponse? {
        var response = MockResponse(range: node.range)
        if node.kind == .scalar {
            guard let status = status(node) else { return nil }
            response.status = status
            return response
        }
        var body: YAMLNode?
        MapReader(context, RespondKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .status:
                if let status = status(value) { response.status = status }
            case .headers:
                let read = headers(value)
                // A removed default is represented by a header without values.
                response.headers = read.headers + read.removed.map { RequestSpec.Header(name: $0, values: []) }
            case .json, .text, .file, .base64, .body:
                if let body {
                    context.report(
                        "conflicting-keys", "a response can have only one body", keyNode.range,
                        related: [Diagnostic.Related(message: "the other one is here", range: body.range)])
                } else {
                    body = keyNode
                    self.body(key, value, of: &response)
                }
            case .delay: response.delay = context.duration(value, keyNode)
            case .close: response.drop = drop(value)
            case .sequence:
                context.report("nested-sequence", "a sequence cannot contain another sequence", keyNode.range)
            case .cycle:
                context.report("missing-key", "\"cycle\" needs a \"sequence\"", keyNode.range)
            }
        }
        return response
    }

    private func status(_ node: YAMLNode) -> MockResponse.Status? {
        guard let scalar = node.scalar else {
            context.reportType(node, expected: "a status or a response")
            return nil
        }
        if scalar.isString {
            let template = templates.template(node)
            if template.constantText == nil { return .template(template, range: node.range) }
        } else if let code = scalar.value.numberValue?.int64, (200...599).contains(code) {
            return .code(Int(code))
        }
        context.report("invalid-status", "a status must be an integer from 200 to 599", node.range)
        return nil
    }

    private func drop(_ node: YAMLNode) -> MockResponse.Drop? {
        switch node.scalar?.value {
        case .bool(true): return .beforeResponse
        case .string("body"): return .withinBody
        case .string(let word):
            context.report(
                "invalid-value", "unknown value \"\(word)\"", node.range,
                suggestion: "write true or body")
            return nil
        default: return nil
        }
    }

    private func body(_ key: RespondKey, _ node: YAMLNode, of response: inout MockResponse) {
        switch key {
        case .text:
            response.body = .text(templates.template(node))
            response.contentType = "text/plain; charset=utf-8"
        case .body where node.scalar?.isString == true:
            response.body = .text(templates.template(node))
            response.contentType = "text/plain; charset=utf-8"
        case .file:
            let path = templates.constant(node, what: "the path of a file")
            guard let bytes = context.bytes(ofFile: path, node.range) else { return }
            response.body = .bytes(bytes)
            response.contentType = MediaTypes.contentType(ofFile: path)
        case .base64:
            let text = templates.constant(node, what: "base64")
            guard let bytes = Base64.decode(text.utf8, allowing: [.whitespace, .withoutPadding]) else {
                context.report("invalid-base64", "the value is not valid base64", node.range)
                return
            }
            response.body = .bytes(bytes)
            response.contentType = "application/octet-stream"
        default:
            response.body = .json(templates.value(node))
            response.contentType = "application/json"
        }
    }
}
