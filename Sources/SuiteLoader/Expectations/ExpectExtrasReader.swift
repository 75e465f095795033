import Basics
import Diagnostics
import JSON
import JSONPath
import SuiteModel
import YAML

/// Reads the expectations that few steps have.
struct ExpectExtrasReader {
    /// The reader of common expectations.
    let reader: ExpectReader

    private var context: LoadContext { reader.context }
    private var matchers: MatcherReader { reader.matchers }

    init(_ reader: ExpectReader) {
        self.reader = reader
    }

    /// Reads the value of a key into a set, replacing the value it has for that key; null removes it.
    func read(_ key: ExpectKey, _ value: YAMLNode, into set: inout ExpectationSet) {
        var extras = set.extras ?? ExpectationExtras()
        let isRemoved = value.isNull
        switch key {
        case .xml: extras.xml = isRemoved ? [] : xpaths(value)
        case .html: extras.html = isRemoved ? [] : xpaths(value)
        case .text: extras.text = isRemoved ? nil : matchers.matcher(value)
        case .redirects: extras.redirects = isRemoved ? nil : matchers.matcher(value)
        case .hops: extras.hops = isRemoved ? nil : hops(value)
        case .http: extras.http = isRemoved ? nil : matchers.matcher(value)
        case .timings: extras.timings = isRemoved ? [] : timings(value)
        case .certificate: extras.certificate = isRemoved ? nil : certificate(value)
        case .trailers: extras.trailers = isRemoved ? [] : reader.headers(value)
        case .events:
            // Events are checked as they arrive, before anything is captured.
            extras.events = isRemoved ? [] : context.recordingUses(.beforeCaptures) { events(value) }
        case .sha256: extras.sha256 = isRemoved ? nil : digest(value)
        case .image: extras.image = isRemoved ? nil : image(value)
        case .snapshot:
            extras.snapshot = isRemoved ? nil : SnapshotReader(context: context, matchers: matchers).snapshot(value)
        case .contract:
            extras.contract = isRemoved ? nil : ContractExpectationReader(context).expectation(value)
        case .jsonSchema: extras.schema = isRemoved ? nil : schema(value)
        case .exit: extras.exit = isRemoved ? nil : exit(value)
        case .stderr: extras.stderr = isRemoved ? nil : matchers.matcher(value)
        case .status, .headers, .cookies, .json, .body, .duration, .size: return
        }
        set.extras = extras.isEmpty ? nil : extras
    }

    private func schema(_ node: YAMLNode) -> ExpectationExtras.Schema? {
        SchemaReader(context).schema(node).map { ExpectationExtras.Schema($0, range: node.range) }
    }

    /// Returns the expected exit status; a sequence contains the possible ones.
    private func exit(_ node: YAMLNode) -> Matcher {
        guard let statuses = node.sequence else { return matchers.matcher(node) }
        let operands = statuses.map { matchers.templates.value($0) }
        return Matcher([Matcher.Operation(.oneOf(operands), range: node.range)], range: node.range)
    }

    private func xpaths(_ node: YAMLNode) -> [ExpectationExtras.XPath] {
        var expectations: [ExpectationExtras.XPath] = []
        context.readMembers(node, .matcher(.value)) { _, key, value in
            if value.isNull, !value.isReported {
                context.report(
                    "wrong-type", "the result of an XPath is never null",
                    value.scalar?.text.isEmpty == true ? key.range : value.range,
                    suggestion: "write { exists: false } for nodes that must not exist")
            }
            let query = context.xpath(key)
            let matcher = matchers.matcher(value)
            if let query {
                expectations.append(ExpectationExtras.XPath(query: query, range: key.range, matcher: matcher))
            }
        }
        return expectations
    }

    private func hops(_ node: YAMLNode) -> ExpectationExtras.Hops {
        guard let sequence = node.sequence else { return .list(matchers.matcher(node)) }
        var hops: [ExpectationExtras.Hop] = []
        for element in sequence {
            guard element.kind == .mapping else {
                context.reportType(
                    element, expected: "a mapping",
                    suggestion: element.scalar.map { "write { status: \($0.text) } or { location: \($0.text) }" })
                continue
            }
            var hop = ExpectationExtras.Hop(range: element.range)
            MapReader(context, HopKey.schema).read(element) { key, _, value in
                switch key {
                case .status: hop.status = reader.status(value)
                case .url: hop.url = matchers.matcher(value)
                case .location: hop.location = matchers.matcher(value)
                }
            }
            hops.append(hop)
        }
        return .each(hops, range: node.range)
    }

    private func timings(_ node: YAMLNode) -> [(phase: ExpectationExtras.Phase, matcher: Matcher)] {
        var timings: [(phase: ExpectationExtras.Phase, matcher: Matcher)] = []
        MapReader(context, TimingsKey.schema).read(node) { key, _, value in
            guard let phase = ExpectationExtras.Phase(rawValue: key.rawValue) else { return }
            timings.append((phase, matchers.matcher(value, domain: .duration)))
        }
        return timings
    }

    private func certificate(_ node: YAMLNode) -> ExpectationExtras.Certificate {
        var certificate = ExpectationExtras.Certificate(range: node.range)
        MapReader(context, CertificateKey.schema).read(node) { key, _, value in
            switch key {
            case .subject: certificate.subject = matchers.matcher(value)
            case .issuer: certificate.issuer = matchers.matcher(value)
            case .names:
                certificate.names = matchers.matcher(value)
                if let text = value.scalar?.text, value.scalar?.isString == true, !text.hasPrefix("${") {
                    context.reportType(
                        value, expected: "a sequence or a mapping of operators",
                        suggestion: "write { includes: \(text) }")
                }
            case .expiresIn: certificate.expiresIn = matchers.matcher(value, domain: .duration)
            }
        }
        return certificate
    }

    private func image(_ node: YAMLNode) -> ExpectationExtras.Image {
        var image = ExpectationExtras.Image(range: node.range)
        MapReader(context, ImageKey.schema).read(node) { key, _, value in
            switch key {
            case .format:
                image.format = matchers.matcher(value)
                if value.scalar?.text == "jpg" {
                    context.report(
                        "unknown-value", "unknown format \"jpg\"", value.range, suggestion: "write \"jpeg\"")
                }
            case .width: image.width = matchers.matcher(value)
            case .height: image.height = matchers.matcher(value)
            }
        }
        return image
    }

    /// Returns a matcher for a digest; a literal digest is converted to lowercase.
    private func digest(_ node: YAMLNode) -> Matcher {
        let matcher = matchers.matcher(node)
        guard let scalar = node.scalar else { return matcher }
        // YAML parses digests without letters as numbers, so their text is used.
        let template = matchers.templates.template(node)
        guard let text = template.constantText else { return matcher }
        let isDigest =
            scalar.text.utf8.count == 64
            && scalar.text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
        if !isDigest {
            context.report(
                "invalid-digest", "a SHA-256 digest must have 64 hexadecimal digits", node.range,
                suggestion: scalar.text.isEmpty ? nil : "it has \(scalar.text.utf8.count) characters")
        }
        let operand = ValueTemplate.constant(.string(text.lowercased()))
        return Matcher([Matcher.Operation(.equals(operand), range: node.range)], range: node.range)
    }

    // MARK: Events

    private func events(_ node: YAMLNode) -> [ExpectationExtras.Event] {
        if node.sequence?.isEmpty == true {
            context.report("invalid-events", "a sequence of events must have at least one event", node.range)
        }
        return node.elements.map(event)
    }

    /// Reads a mapping of `event`, `data`, and `id`, or any matcher.
    private func event(_ node: YAMLNode) -> ExpectationExtras.Event {
        let isMap = node.mapping?.contains { member in
            member.key.scalar.flatMap { EventKey(rawValue: $0.text) } != nil
        }
        guard isMap == true else { return .value(matchers.matcher(node)) }
        var members: [(name: String, matcher: Matcher)] = []
        MapReader(context, EventKey.schema).read(node) { key, _, value in
            members.append((key.rawValue, matchers.matcher(value)))
        }
        return .members(members, range: node.range)
    }
}

/// Reads `snapshot`.
struct SnapshotReader {
    /// The shared state of the readers.
    let context: LoadContext
    /// The reader of matchers for redacted parts.
    let matchers: MatcherReader

    /// Reads `true`, a name, or a mapping; returns nil for `false`, which removes a default.
    func snapshot(_ node: YAMLNode) -> SnapshotExpectation? {
        var expectation = SnapshotExpectation(range: node.range)
        if let scalar = node.scalar {
            if !scalar.isString { return node.isTrue ? expectation : nil }
            expectation.name = name(node)
            return expectation
        }
        MapReader(context, SnapshotKey.schema).read(node) { key, _, value in
            switch key {
            case .name:
                expectation.name = name(value)
                expectation.range = value.range
            case .ignore: expectation.ignored = paths(value)
            case .keep: expectation.kept = paths(value)
            case .redact:
                for (key, operand) in value.members {
                    let path = context.jsonPath(key, matchers.templates)
                    let matcher = matchers.matcher(operand)
                    guard let path else { continue }
                    expectation.redactions.append(
                        SnapshotExpectation.Redaction(path: path, range: key.range, matcher: matcher))
                }
            }
        }
        return expectation
    }

    private func name(_ node: YAMLNode) -> String {
        let name = matchers.templates.name(node, what: "the name of a snapshot")
        if name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            context.report(
                "invalid-snapshot", "the name of a snapshot must not be a path", node.range,
                suggestion: "the files are in __snapshots__ next to the suite; write \"\(SnapshotName.stem([name]))\"")
        }
        return name
    }

    private func paths(_ node: YAMLNode) -> [Templated<JSONPath>] {
        guard let sequence = node.sequence else {
            return context.jsonPath(node, matchers.templates).map { [$0] } ?? []
        }
        var paths: [Templated<JSONPath>] = []
        for element in sequence {
            guard element.scalar?.isString == true else {
                context.reportType(element, expected: "a JSONPath")
                continue
            }
            if let path = context.jsonPath(element, matchers.templates) { paths.append(path) }
        }
        return paths
    }
}
