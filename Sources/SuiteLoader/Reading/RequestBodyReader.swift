import Basics
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Reads the bodies of requests.
struct RequestBodyReader {
    /// What the readers share.
    let context: LoadContext
    /// Reads what may hold expressions.
    let templates: TemplateReader
    /// Reads headers and named values.
    let requests: RequestReader

    /// Creates a reader.
    init(_ requests: RequestReader) {
        self.requests = requests
        context = requests.context
        templates = requests.templates
    }

    /// The body that the value of a key is; nil for a key that holds none.
    func body(_ key: RequestKey, _ value: YAMLNode) -> RequestSpec.Body? {
        switch key {
        case .json: .json(templates.value(value))
        case .form: .form(requests.parameters(value))
        case .multipart: .multipart(parts(value))
        case .text: .text(templates.template(value))
        case .xml: .xml(templates.template(value))
        case .graphql: .graphql(graphQL(value))
        case .file: .file(file(value), range: value.range)
        case .base64: .base64(base64(value), range: value.range)
        default: nil
        }
    }

    private func file(_ node: YAMLNode) -> Template {
        let template = templates.template(node)
        if let path = template.constantText { _ = context.existingFile(path, node.range) }
        return template
    }

    private func base64(_ node: YAMLNode) -> Template {
        let template = templates.template(node)
        if let text = template.constantText, Base64.decode(text.utf8, allowing: [.whitespace, .withoutPadding]) == nil {
            context.report(
                "invalid-base64", "the text is not base64", node.range,
                suggestion: "write \"text\" for a body that is text")
        }
        return template
    }

    private func graphQL(_ node: YAMLNode) -> RequestSpec.GraphQL {
        var request = RequestSpec.GraphQL(query: .constant(""))
        MapReader(context, GraphQLKey.schema).read(node) { key, _, value in
            switch key {
            case .query:
                request.query = templates.template(value)
                let isBlank = request.query.constantText?.utf8.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 }
                if isBlank == true { context.report("invalid-graphql", "the document is empty", value.range) }
            case .variables: request.variables = variables(value)
            case .operationName: request.operationName = templates.template(value)
            }
        }
        return request
    }

    private func variables(_ node: YAMLNode) -> ValueTemplate? {
        let value = templates.value(node)
        if case .constant(.string) = value {
            context.reportType(node, expected: "a map")
            return nil
        }
        return value
    }

    // MARK: Multipart

    private static let partKind = ValueKind.anyOf([.text, .map("part")])

    private func parts(_ node: YAMLNode) -> [RequestSpec.Part] {
        var parts: [RequestSpec.Part] = []
        let kind = ValueKind.anyOf([.text, .map("part"), .list(Self.partKind), .null])
        context.readMembers(node, kind) { name, key, value in
            if name.isEmpty { context.report("empty-name", "the name of a part is empty", key.range) }
            if value.isNull { return }
            let name = templates.template(key)
            guard let sequence = value.sequence else {
                if let part = part(name, value) { parts.append(part) }
                return
            }
            for element in sequence {
                guard Self.partKind.forms.contains(NodeForms(of: element)) else {
                    context.reportType(element, expected: Self.partKind.phrase)
                    continue
                }
                if let part = part(name, element) { parts.append(part) }
            }
        }
        return parts
    }

    private func part(_ name: Template, _ node: YAMLNode) -> RequestSpec.Part? {
        if node.kind == .scalar { return RequestSpec.Part(name: name, content: .text(templates.template(node))) }
        var part = RequestSpec.Part(name: name, content: .text(.constant("")))
        var contentKey: YAMLNode?
        let found = MapReader(context, PartKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .type: part.contentType = templates.template(value)
            case .filename: part.fileName = templates.template(value)
            case .headers: part.headers = requests.headers(value)
            case .file, .json, .text:
                if let contentKey {
                    context.report(
                        "conflicting-keys", "a part has one content", keyNode.range,
                        related: [Diagnostic.Related(message: "the first content is here", range: contentKey.range)],
                        suggestion: "write a list of parts to send several under one name")
                    return
                }
                contentKey = keyNode
                switch key {
                case .file: part.content = .file(file(value), range: value.range)
                case .json: part.content = .json(templates.value(value))
                default: part.content = .text(templates.template(value))
                }
            }
        }
        if contentKey == nil {
            if ![PartKey.file, .json, .text].contains(where: found.contains) {
                context.report(
                    "missing-key", "a part needs \"file\", \"json\" or \"text\"",
                    node.mapping?.first?.key.range ?? node.range,
                    suggestion: "write { json: … } to send an object")
            }
            return nil
        }
        return part
    }
}
