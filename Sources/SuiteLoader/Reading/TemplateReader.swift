import Basics
import CEL
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Compiles scalars with `${…}` to templates, and records the names that their expressions use.
struct TemplateReader {
    /// The shared state of the readers.
    let context: LoadContext
    /// The phase in which the expressions are evaluated.
    private let phase: NameUse.Phase

    /// The maximum number of pieces of a scalar whose expressions get individual source ranges.
    private static let maximumLocations = 200

    /// Creates a reader of expressions that are evaluated in a phase.
    init(_ context: LoadContext, phase: NameUse.Phase = .request) {
        self.context = context
        self.phase = phase
    }

    /// Compiles a scalar's text, regardless of the YAML type of the scalar.
    ///
    /// Errors are reported, and the template is empty then.
    func template(_ node: YAMLNode) -> Template {
        guard let scalar = node.scalar else { return .constant("") }
        noteForeignTemplates(node)
        guard ExpressionScan.mayHoldExpression(node) else { return .constant(scalar.text) }
        return template(scalar.text[...], in: node, at: 0)
    }

    /// Records templates in the notation of other tools.
    func noteForeignTemplates(_ node: YAMLNode) {
        if node.hasText(where: { $0.contains(UInt8(ascii: "{")) }) {
            context.foreignTemplates += ForeignTemplate.all(in: node)
        }
    }

    /// Compiles a part of a scalar's text.
    ///
    /// - Parameters:
    ///   - text: The part.
    ///   - node: The scalar.
    ///   - offset: The number of Unicode scalars before the part.
    func template(_ text: Substring, in node: YAMLNode, at offset: Int) -> Template {
        guard ExpressionScan.mayHoldExpression(text) else { return .constant(String(text)) }
        let pieces: [ExpressionScan.Piece]
        do {
            pieces = try ExpressionScan.pieces(of: text, firstScalar: offset)
        } catch {
            context.report(
                "unterminated-expression", "the expression is not closed",
                ScalarLocator.range(in: node, from: error.offset, to: error.offset + 2),
                suggestion: "close it with \"}\", or write \"$${\" for a literal \"${\"")
            return .joined([])
        }
        if pieces.count == 1 {
            switch pieces[0] {
            case .text(let text): return .constant(text)
            case .expression(let source, let offset):
                return embedded(source, in: node, at: offset).map(Template.expression) ?? .joined([])
            }
        }
        // Computing a source range takes time proportional to the scalar, so beyond a limit all parts use that of the
        // scalar.
        let hasLocations = pieces.count <= Self.maximumLocations
        var parts: [Template.Part] = []
        parts.reserveCapacity(pieces.count)
        for piece in pieces {
            switch piece {
            case .text(let text): parts.append(.text(text))
            case .expression(let source, let offset):
                if let expression = embedded(source, in: node, at: offset, hasLocation: hasLocations) {
                    parts.append(.expression(expression))
                }
            }
        }
        return .joined(parts)
    }

    /// Compiles a node, with expressions at any depth.
    func value(_ node: YAMLNode) -> ValueTemplate {
        // Parsing limits the depth of nodes, so this recursion is bounded.
        if let scalar = node.scalar {
            if scalar.isString { noteForeignTemplates(node) }
            guard scalar.isString, ExpressionScan.mayHoldExpression(node) else { return .constant(scalar.value) }
            return switch template(scalar.text[...], in: node, at: 0) {
            case .constant(let text): .constant(.string(text))
            case let template: .template(template)
            }
        }
        if let sequence = node.sequence {
            let elements = sequence.map(value)
            var values: [JSONValue] = []
            values.reserveCapacity(elements.count)
            for element in elements {
                guard case .constant(let value) = element else { return .array(elements) }
                values.append(value)
            }
            return .constant(.array(values))
        }
        guard let mapping = node.mapping else { return .constant(.null) }
        var members: [ValueTemplate.Member] = []
        members.reserveCapacity(mapping.count)
        for (key, value) in mapping {
            members.append(ValueTemplate.Member(name: template(key), value: self.value(value)))
        }
        var object = JSONObject()
        object.reserveCapacity(members.count)
        for member in members {
            guard case .constant(let name) = member.name, case .constant(let value) = member.value else {
                return .object(members)
            }
            object.append(name, value)
        }
        return .constant(.object(object))
    }

    /// Returns the text of a scalar that must not contain expressions; errors are reported.
    ///
    /// - Parameters:
    ///   - node: The scalar.
    ///   - what: A description of the scalar: `a name`.
    ///   - suggestion: The suggestion if it contains an expression, if there is one.
    func constant(_ node: YAMLNode, what: String, suggestion: MessageText? = nil) -> String {
        guard let scalar = node.scalar else { return "" }
        if !ExpressionScan.mayHoldExpression(node) { return scalar.text }
        let count = context.uses.count
        let problems = context.diagnostics.count
        let template = template(node)
        if let text = template.constantText { return text }
        context.uses.removeLast(context.uses.count - count)
        if context.diagnostics.count > problems { return scalar.text }
        context.report(
            "expression-not-allowed", "\(what) cannot contain an expression", node.range, suggestion: suggestion)
        return scalar.text
    }

    /// Returns the text of a scalar that must not be empty or contain expressions; errors are reported.
    ///
    /// - Parameters:
    ///   - node: The scalar.
    ///   - what: A description of the scalar: `an id`.
    ///   - suggestion: The suggestion if it contains an expression, if there is one.
    func name(_ node: YAMLNode, what: String, suggestion: MessageText? = nil) -> String {
        let text = constant(node, what: what, suggestion: suggestion)
        if text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t") }) {
            context.report("empty-name", "\(what) is empty", node.range)
        }
        return text
    }

    /// Compiles an expression of `assert` or `if`, whose `${` and `}` are optional.
    ///
    /// - Parameters:
    ///   - node: The scalar.
    ///   - what: A description of the expression.
    func bareExpression(_ node: YAMLNode, what: String = "an assertion") -> EmbeddedExpression? {
        guard let text = node.scalar?.text else { return nil }
        let trimmed = text.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        if trimmed.starts(with: "${".utf8) {
            switch template(text.hasSuffix("\n") ? text.dropLast() : text[...], in: node, at: 0) {
            case .expression(let expression): return expression
            case .joined(let parts) where parts.isEmpty: return nil
            case .joined:
                context.report(
                    "invalid-expression", "\(what) must be a single expression", node.range,
                    suggestion: "write it without \"${\" and \"}\"")
                return nil
            case .constant: return nil
            }
        }
        return embedded(text, in: node, at: 0)
    }

    /// Compiles an expression and records the names that it uses.
    func embedded(_ source: String, in node: YAMLNode, at offset: Int, hasLocation: Bool = true) -> EmbeddedExpression?
    {
        let isBlank = source.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        let length = source.unicodeScalars.count
        if isBlank {
            context.report(
                "invalid-expression", "the expression is empty",
                ScalarLocator.range(in: node, from: offset - 2, to: offset + length + 1))
            return nil
        }
        guard let compiled = context.expression(source, in: node, at: offset) else { return nil }
        let moment: NameUse.Moment = phase == .expectation || phase == .response ? .afterCaptures : .beforeCaptures
        for reference in compiled.references {
            context.uses.append(
                NameUse(
                    name: reference.name, path: reference.path, phase: phase, moment: moment,
                    isTypeName: reference.isTypeName, node: node,
                    offset: Int32(clamping: offset + reference.offset), length: Int32(clamping: reference.length),
                    misreadCall: compiled.expression.misreadCall(of: reference)))
        }
        for call in compiled.fileCalls {
            _ = context.existingFile(
                call.path,
                ScalarLocator.range(
                    in: node, from: offset + call.offset, to: offset + call.offset + call.length))
        }
        return EmbeddedExpression(
            compiled.expression,
            range: hasLocation ? ScalarLocator.range(in: node, from: offset, to: offset + length) : node.range)
    }
}
