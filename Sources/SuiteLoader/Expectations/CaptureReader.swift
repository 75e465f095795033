import Basics
import Diagnostics
import SuiteModel
import XML
import YAML

/// Reads `capture`.
struct CaptureReader {
    /// The shared state of the readers.
    let context: LoadContext
    /// The reader of expressions.
    let templates: TemplateReader
    private let subject: ExpectKey.Subject

    private static let sources: [CaptureKey] = [.json, .xpath, .header, .cookie, .text, .regex, .status, .body]

    init(_ context: LoadContext, of subject: ExpectKey.Subject = .response) {
        self.context = context
        self.subject = subject
        templates = TemplateReader(context, phase: .response)
    }

    /// Returns the captures of a mapping.
    func captures(_ node: YAMLNode) -> [Capture] {
        var captures: [Capture] = []
        let kind = ValueKind.anyOf([.captureSource, .map("capture")])
        context.readMembers(node, kind) { name, key, value in
            context.checkName(name, key, what: "a capture")
            let read = context.recordingUses(.duringCapture(Int32(captures.count))) { capture(name, key, value) }
            if let read { captures.append(read) }
        }
        return captures
    }

    private func capture(_ name: String, _ key: YAMLNode, _ value: YAMLNode) -> Capture? {
        if let text = value.scalar?.text {
            return source(value, text).map {
                Capture(name: name, source: $0, range: key.range, sourceRange: value.range)
            }
        }
        var capture = Capture(name: name, source: .body, range: key.range, sourceRange: value.range)
        var isComplete = true
        var all: YAMLNode?
        var filter: YAMLNode?
        let found = MapReader(context, CaptureKey.schema, hints: subject == .command ? CaptureKey.commandHints : [:])
            .read(value) {
                key, keyNode, operand in
                switch key {
                case .all: all = operand.isTrue ? keyNode : nil
                case .default: capture.defaultValue = templates.value(operand)
                case .secret: capture.isSecret = operand.isTrue
                case .as: capture.conversion = context.choice(operand, Capture.Conversion.self)
                case .regex:
                    filter = operand
                    capture.pattern = (operand.scalar?.text).flatMap { context.pattern($0, in: operand) }
                    if capture.pattern == nil { isComplete = false }
                case .json, .xpath, .header, .cookie, .text, .status, .body:
                    capture.sourceRange = operand.range
                    if let source = source(key, operand) { capture.source = source } else { isComplete = false }
                }
            }
        if found.chosen == nil {
            // A pattern without another source is searched for in the body.
            if let filter {
                capture.source = .text
                capture.sourceRange = filter.range
                return isComplete ? capture : nil
            }
            if !Self.sources.contains(where: found.contains) {
                context.report(
                    "missing-key", "a capture needs a source", value.range,
                    suggestion: subject == .command
                        ? "add json, xpath, text, regex or body, or write \"${exit}\" instead of the mapping"
                        : "add json, xpath, header, cookie, text, regex, status or body")
            }
            return nil
        }
        if let all, isComplete { takeAll(all, &capture) }
        if let filter, found.contains(.status) {
            context.report(
                "invalid-capture", "\"regex\" requires a string, but the status is a number", filter.range,
                suggestion: "remove \"regex\"")
        }
        return isComplete ? capture : nil
    }

    /// Captures all values of a header; reports `all` with any other source.
    private func takeAll(_ key: YAMLNode, _ capture: inout Capture) {
        if case .header(let name) = capture.source {
            capture.source = .headers(name)
        } else {
            context.report(
                "invalid-capture", "\"all\" applies only to a header", key.range,
                suggestion: "remove it; a JSONPath such as $.items[*].id and an XPath yield all values")
        }
    }

    private func source(_ node: YAMLNode, _ text: String) -> Capture.Source? {
        if text.hasPrefix("${") {
            switch templates.template(node) {
            case .expression(let expression): return .expression(expression)
            case .constant: return nil
            case .joined(let parts) where parts.isEmpty: return nil
            case .joined:
                context.report(
                    "invalid-capture", "the source of a capture must be a single expression", node.range,
                    suggestion: "combine the parts in it, as in ${string(body.a) + string(body.b)}")
                return nil
            }
        }
        if text.hasPrefix("$") { return context.jsonPath(node, templates).map(Capture.Source.json) }
        if text.hasPrefix("/"), (try? XPathExpression(text)) != nil {
            let isQuoted = text.utf8.contains(where: "[]{},'\"#:".utf8.contains)
            context.report(
                "invalid-capture", "an XPath capture must be a mapping", node.range,
                suggestion: isQuoted ? "write { xpath: \"…\" }" : "write { xpath: \(text) }")
            return nil
        }
        let isExpression = NameRules.responseNames.contains {
            text == $0 || text.hasPrefix($0 + ".") || text.hasPrefix($0 + "[")
        }
        context.report(
            "invalid-capture", "a capture must be a JSONPath, an expression in ${…}, or a mapping", node.range,
            suggestion: isExpression
                ? "write \"${\(text)}\"" : "for example, write \"\(LoadContext.rooted(text) ?? "$.id")\"")
        return nil
    }

    private func source(_ key: CaptureKey, _ node: YAMLNode) -> Capture.Source? {
        switch key {
        case .json: return context.jsonPath(node, templates).map(Capture.Source.json)
        case .xpath: return context.xpath(node).map(Capture.Source.xpath)
        case .header:
            return .header(context.fieldName(node, of: .header, templates))
        case .cookie: return .cookie(context.fieldName(node, of: .cookie, isToken: false, templates))
        case .text: return flag(node, .text)
        case .status: return flag(node, .status)
        case .body: return flag(node, .body)
        case .all, .regex, .default, .secret, .as: return nil
        }
    }

    private func flag(_ node: YAMLNode, _ source: Capture.Source) -> Capture.Source? {
        if node.isTrue { return source }
        context.report(
            "invalid-capture", "a source that is false captures nothing", node.range, suggestion: "write true")
        return nil
    }
}
