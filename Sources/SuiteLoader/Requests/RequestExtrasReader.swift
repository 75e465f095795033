import Basics
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Reads the settings of a request that few requests have.
struct RequestExtrasReader {
    /// The shared state of the readers.
    let context: LoadContext
    /// The reader of templates.
    let templates: TemplateReader

    init(_ context: LoadContext) {
        self.context = context
        templates = TemplateReader(context)
    }

    /// Reads the value of a key into the settings, which contain the defaults; null removes a default.
    func read(_ key: RequestKey, _ node: YAMLNode, into extras: inout RequestExtras) {
        switch key {
        case .compress:
            extras.compression = node.isNull ? nil : context.choice(node, RequestExtras.Compression.self)
        case .auth: extras.authentication = AuthenticationReader(context).authentication(node)
        case .http: version(node, RequestExtras.HTTPVersion.self).map { extras.httpVersion = $0 }
        case .tls: extras.tls = node.isNull ? nil : tls(node, defaults: extras.tls)
        case .proxy: extras.proxy = proxy(node)
        case .unixSocket:
            extras.unixSocket = node.isNull ? nil : context.rebased(templates.template(node))
            extras.unixSocketRange = node.isNull ? nil : node.range
            if extras.unixSocket?.constantText?.isEmpty == true {
                context.report("empty-name", "the path of the socket is empty", node.range)
            }
        case .resolve:
            if node.isNull { extras.resolutions = [] } else { resolve(node, into: &extras.resolutions) }
        case .trace: extras.isTraced = node.isTrue
        case .stream: extras.stream = context.choice(node, RequestExtras.Stream.self)
        default: break
        }
    }

    /// Returns the version that a scalar names; reports an error and returns nil if it is unknown.
    private func version<Version: RawRepresentable<String> & CaseIterable>(
        _ node: YAMLNode, _: Version.Type
    ) -> Version? {
        guard let text = node.scalar?.text else { return nil }
        if let version = Version(rawValue: text) { return version }
        let words = Version.allCases.map(\.rawValue)
        context.report(
            "unknown-value", "unknown version \"\(text)\"", node.range,
            suggestion: "write \(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")")
        return nil
    }

    // MARK: TLS

    private func tls(_ node: YAMLNode, defaults: TLSSpec?) -> TLSSpec {
        var tls = defaults ?? TLSSpec(range: node.range)
        tls.range = node.range
        var keys: [TLSKey: YAMLNode] = [:]
        MapReader(context, TLSKey.schema).read(node) { key, keyNode, value in
            keys[key] = keyNode
            switch key {
            case .ca: tls.authorities = value.listed.compactMap(file)
            case .certificate: tls.certificate = file(value)
            case .key: tls.key = file(value)
            case .passphrase: tls.passphrase = templates.template(value)
            case .pins: tls.pins = value.listed.compactMap(pin)
            case .verify: tls.verifies = value.isTrue
            case .serverName: tls.serverName = templates.template(value)
            case .minVersion: version(value, TLSSpec.Version.self).map { tls.minimumVersion = $0 }
            case .maxVersion: version(value, TLSSpec.Version.self).map { tls.maximumVersion = $0 }
            }
        }
        if let key = keys[.key], tls.certificate == nil {
            context.report(
                "missing-key", "\"key\" needs a \"certificate\"", key.range,
                suggestion: "add \"certificate: …\"")
        }
        if let passphrase = keys[.passphrase], tls.certificate == nil {
            context.report("missing-key", "\"passphrase\" needs a \"certificate\" and its key", passphrase.range)
        }
        if let minimum = tls.minimumVersion, let maximum = tls.maximumVersion, maximum < minimum {
            context.report(
                "invalid-version", "no TLS version is between \(minimum.rawValue) and \(maximum.rawValue)",
                (keys[.maxVersion] ?? keys[.minVersion])?.range ?? node.range)
        }
        return tls
    }

    private func file(_ node: YAMLNode) -> TLSSpec.File? {
        guard node.scalar?.isString == true else {
            context.reportType(node, expected: "a string")
            return nil
        }
        let path = templates.template(node)
        if let text = path.constantText { _ = context.existingFile(text, node.range) }
        return TLSSpec.File(path: context.rebased(path), range: node.range)
    }

    private func pin(_ node: YAMLNode) -> Template? {
        guard node.scalar?.isString == true else {
            context.reportType(node, expected: "a string")
            return nil
        }
        let pin = templates.template(node)
        guard let text = pin.constantText else { return pin }
        let digest =
            text.hasPrefix("sha256/")
            ? Base64.decode(text.dropFirst(7).utf8, allowing: [.whitespace, .withoutPadding]) : nil
        if digest?.count != 32 {
            context.report(
                "invalid-pin", "a pin must be \"sha256/\" followed by the base64 of a SHA-256 digest", node.range,
                suggestion: text.hasPrefix("sha256//") ? "write it with a single \"/\"" : nil)
        }
        return pin
    }

    // MARK: Connections

    private func proxy(_ node: YAMLNode) -> RequestExtras.Proxy? {
        if node.isNull { return nil }
        if case .bool(let isOn)? = node.scalar?.value {
            if isOn {
                context.report(
                    "unknown-value", "\"proxy\" must be a URL, or false for no proxy", node.range,
                    suggestion: "for example, write http://127.0.0.1:3128")
            }
            return RequestExtras.Proxy.none
        }
        let url = templates.template(node)
        if let text = url.constantText {
            let schemes = ["http://", "https://", "socks5://", "socks5h://"]
            if let scheme = schemes.first(where: text.hasPrefix) {
                if text.utf8.count == scheme.utf8.count {
                    context.report("invalid-url", "the proxy URL has no host", node.range)
                }
            } else {
                context.report(
                    "invalid-url", "the proxy URL must start with \"http://\", \"https://\" or \"socks5://\"",
                    node.range, suggestion: text.contains("://") ? nil : "write \"http://\(text)\"")
            }
        }
        return .url(url, range: node.range)
    }

    private func resolve(_ node: YAMLNode, into resolutions: inout [RequestExtras.Resolution]) {
        context.readMembers(node, .text) { name, key, value in
            let target = templates.template(key)
            if let text = target.constantText, !Self.isHostAndPort(text) {
                context.report(
                    "invalid-name", "\"\(text)\" is not a host and port", key.range,
                    suggestion: "for example, write \"api.example.org:443\": 127.0.0.1")
            }
            let address = templates.template(value)
            if let text = address.constantText, !IPAddressText.isAddress(text, allowsPort: true) {
                context.report(
                    "invalid-address", "\"\(text)\" is not an IP address with an optional port", value.range,
                    suggestion: "for example, write 127.0.0.1 or 127.0.0.1:8443")
            }
            resolutions.removeAll { $0.target.source == target.source }
            resolutions.append(RequestExtras.Resolution(target: target, address: address, range: key.range))
        }
    }

    /// Returns whether a text is a host and a port. Each of them may be `*`.
    private static func isHostAndPort(_ text: String) -> Bool {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), colon > text.startIndex else { return false }
        let port = text[text.index(after: colon)...]
        return port == "*" || (Int(port).map { (1...65535).contains($0) } ?? false)
    }
}

/// Reads request bodies.
struct RequestBodyReader {
    /// The shared state of the readers.
    let context: LoadContext
    /// The reader of templates.
    let templates: TemplateReader
    /// The reader of headers and parameters.
    let requests: RequestReader

    init(_ requests: RequestReader) {
        self.requests = requests
        context = requests.context
        templates = requests.templates
    }

    /// Returns the body for the value of a key; nil if the key does not define a body.
    func body(_ key: RequestKey, _ keyNode: YAMLNode, _ value: YAMLNode) -> RequestSpec.Body? {
        switch key {
        case .json: .json(templates.value(value))
        case .form: .form(requests.parameters(value, keyNode, keepsNulls: false)?.setting ?? .constant([]))
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
                "invalid-base64", "the value is not valid base64", node.range,
                suggestion: "use \"text\" for a text body")
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
                if isBlank == true { context.report("invalid-graphql", "the GraphQL document is empty", value.range) }
            case .variables: request.variables = variables(value)
            case .operationName: request.operationName = templates.template(value)
            }
        }
        return request
    }

    private func variables(_ node: YAMLNode) -> ValueTemplate? {
        let value = templates.value(node)
        if case .constant(.string) = value {
            context.reportType(node, expected: "a mapping")
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
        let found = MapReader(context, PartKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .type: part.contentType = templates.template(value)
            case .filename: part.fileName = templates.template(value)
            case .headers:
                if let headers = requests.headers(value, keyNode, keepsNulls: false) { part.headers = headers.setting }
            case .file: part.content = .file(file(value), range: value.range)
            case .json: part.content = .json(templates.value(value))
            case .text: part.content = .text(templates.template(value))
            }
        }
        if found.chosen == nil {
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
