import Basics
import Digests
import JSON
import JSONPath
import RunModel
import SuiteModel

/// A renderer of snapshots, which masks secrets, removes ignored values, and replaces changing values by placeholders.
struct SnapshotRenderer {
    /// The maximum number of reported values for a redaction that does not match.
    private static let maximumReported = 5

    private let expectation: SnapshotExpectation
    private let content: ResponseContent
    private let evaluator: MatcherEvaluator
    private let mask: SnapshotMask?
    private let volatile: VolatileText
    /// The paths of the parts that are left out.
    private var ignored: [JSONPath] = []
    /// The paths of the parts whose values are kept.
    private var kept: [JSONPath] = []
    /// The parts that are checked, with their paths.
    private var redactions: [(path: JSONPath, part: SnapshotExpectation.Redaction)] = []
    private var numbering = PlaceholderNumbering()
    private var locations = SnapshotLocations()
    private var findings: [Finding] = []

    /// Creates a renderer for one response.
    ///
    /// - Parameters:
    ///   - evaluator: The evaluator for the matchers of redacted values.
    ///   - baseURL: The suite's base URL, which is replaced by a placeholder.
    ///   - mask: The mask for secrets; nil if there are none.
    init(
        _ expectation: SnapshotExpectation, content: ResponseContent, evaluator: MatcherEvaluator, baseURL: String?,
        mask: SnapshotMask?
    ) {
        self.expectation = expectation
        self.content = content
        self.evaluator = evaluator
        self.mask = mask
        volatile = VolatileText(baseURL: baseURL)
    }

    /// Returns the snapshot, and the findings about redacted values.
    mutating func render() -> (snapshot: Snapshot, findings: [Finding]) {
        findPaths()
        let type = content.exchange.response?.header("content-type").map { masked($0) }
        let snapshot = Snapshot(status: content.status, contentType: type, content: rendered())
        return (snapshot, findings)
    }

    /// Evaluates the paths. Those that cannot be evaluated become findings.
    private mutating func findPaths() {
        for path in expectation.ignored { if let path = value(of: path) { ignored.append(path) } }
        for path in expectation.kept { if let path = value(of: path) { kept.append(path) } }
        for redaction in expectation.redactions {
            if let path = value(of: redaction.path) { redactions.append((path, redaction)) }
        }
    }

    private mutating func value(of path: Templated<JSONPath>) -> JSONPath? {
        do {
            return try path.value(in: evaluator.scope, context: evaluator.context)
        } catch {
            findings.append(error.finding(subject: "snapshot \(path.template ?? "")"))
            return nil
        }
    }

    private mutating func rendered() -> Snapshot.Content {
        if let details = content.exchange.details, details.streamEnd != nil {
            return json(.array(details.events)).map { .events($0.arrayValue ?? [$0]) } ?? .none
        }
        if content.bytes.isEmpty, redactions.isEmpty { return .none }
        if content.isDeclaredJSON || expectation.hasPaths {
            do {
                return json(try content.json()).map(Snapshot.Content.json) ?? .none
            } catch {
                // An ineffective path must be reported.
                let redaction = redactions.first
                if let path = redaction?.path ?? ignored.first ?? kept.first {
                    findings.append(
                        BodyProblem.finding(
                            error, content: content, range: redaction?.part.range ?? expectation.range,
                            subject: "snapshot \(path.source)"))
                }
            }
        }
        if content.bytes.isEmpty { return .none }
        guard let text = content.printableText else {
            let digest = SHA256.hash(content.bytes).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            return .binary(size: content.bytes.count, sha256: digest.joined())
        }
        let plain = masked(Snapshot.withoutLastLineEnd(Snapshot.withSimpleLineEnds(text)))
        return .text(volatile.replaced(in: plain, &numbering) ?? plain)
    }

    // MARK: JSON

    private mutating func json(_ body: JSONValue) -> JSONValue? {
        for path in ignored { select(path, in: body) { _ in .ignore } }
        for (path, part) in redactions { redact(part, at: path, in: body) }
        for path in kept { select(path, in: body) { _ in .keep } }
        return normalized(body, at: locations.root, name: nil, keeps: false)
    }

    private mutating func select(
        _ path: JSONPath, in body: JSONValue, _ action: (JSONPathNode) -> SnapshotLocations.Action
    ) {
        do {
            for node in try path.nodes(in: body) { locations.add(action(node), at: node.path) }
        } catch {
            findings.append(
                Finding(
                    kind: .error, subject: "snapshot \(path.source)", type: .json, message: error.wording,
                    range: expectation.range))
        }
    }

    private mutating func redact(
        _ redaction: SnapshotExpectation.Redaction, at path: JSONPath, in body: JSONValue
    ) {
        let subject: Finding.Subject = "snapshot \(path.source)"
        let nodes: [JSONPathNode]
        do {
            nodes = try path.nodes(in: body)
        } catch {
            findings.append(
                Finding(
                    kind: .error, subject: subject, type: .json, message: error.wording,
                    range: redaction.range))
            return
        }
        if nodes.isEmpty, var mismatch = evaluator.matches(nil, redaction.matcher) {
            if mismatch.kind == .failure { mismatch.wording = Absence.message(path, in: body) }
            findings.append(mismatch.finding(subject: subject))
        }
        let type = redaction.matcher.onlyType
        var reported = 0
        for node in nodes {
            locations.add(.replace("<\(type ?? node.value.typeName)>"), at: node.path)
            guard reported < Self.maximumReported else { continue }
            let mismatches = evaluator.mismatches(node.value, redaction.matcher)
            if !mismatches.isEmpty { reported += 1 }
            for mismatch in mismatches {
                findings.append(
                    mismatch.finding(subject: nodes.count == 1 ? subject : "snapshot \(node.path.shorthand)"))
            }
        }
    }

    /// Returns the value in its stored form, or nil if it is omitted.
    ///
    /// Recursive, but the depth of a body is limited by the parser.
    private mutating func normalized(
        _ value: JSONValue, at location: SnapshotLocations.Node?, name: String?, keeps: Bool
    ) -> JSONValue? {
        var keeps = keeps
        switch location?.action {
        case .ignore: return nil
        case .replace(let placeholder): return .string(placeholder)
        case .keep: keeps = true
        case nil: break
        }
        switch value {
        case .null, .bool: return value
        case .number(let number):
            if let mask {
                let literal = number.literal
                let text = mask(literal)
                if text != literal { return .string(text) }
            }
            guard !keeps, let name, DateMember.isTime(number, in: name) else { return value }
            return .string(numbering.placeholder(.timestamp, number.literal))
        case .string(let text): return .string(stored(text, keeps: keeps))
        case .array(let elements):
            var result: [JSONValue] = []
            result.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                let location = locations.element(index, of: location)
                if let element = normalized(element, at: location, name: nil, keeps: keeps) { result.append(element) }
            }
            return .array(result)
        case .object(let members): return .object(normalized(members, at: location, keeps: keeps))
        }
    }

    /// Returns the members in their stored form, sorted by name.
    ///
    /// The order of members has no meaning, so it must not affect the numbers. Neither must names that change with each
    /// response, because the numbers would be random. Only members whose names do not differ otherwise are numbered in
    /// order of occurrence.
    private mutating func normalized(
        _ members: JSONObject, at location: SnapshotLocations.Node?, keeps: Bool
    ) -> JSONObject {
        var names: [(plain: String, pattern: String, index: Int)] = []
        names.reserveCapacity(members.count)
        var isNumbered = false
        for (index, member) in members.enumerated() {
            let plain = masked(member.key)
            var numbering = PlaceholderNumbering()
            let pattern = keeps ? nil : volatile.replaced(in: plain, &numbering)
            if pattern != nil { isNumbered = true }
            names.append((plain, pattern ?? plain, index))
        }
        names.sort { first, second in
            if first.pattern.utf8.elementsEqual(second.pattern.utf8) { return first.index < second.index }
            return first.pattern.utf8.lexicographicallyPrecedes(second.pattern.utf8)
        }
        var result = JSONObject()
        result.reserveCapacity(members.count)
        for (plain, _, index) in names {
            let original = members[index]
            let location = locations.member(original.key, of: location)
            guard let member = normalized(original.value, at: location, name: original.key, keeps: keeps) else {
                continue
            }
            result[keeps ? plain : volatile.replaced(in: plain, &numbering) ?? plain] = member
        }
        if isNumbered { result.sortMembers() }
        return result
    }

    private mutating func stored(_ text: String, keeps: Bool) -> String {
        let plain = masked(text)
        return keeps ? plain : volatile.replaced(in: plain, &numbering) ?? plain
    }

    private func masked(_ text: String) -> String { mask?(text) ?? text }
}

extension Matcher {
    /// The single type that the matcher requires.
    fileprivate var onlyType: String? {
        for operation in operations {
            if case .type(let types) = operation.operator, types.count == 1 { return types.first?.rawValue }
        }
        return nil
    }
}

/// A function that masks the secrets in a text to be stored.
public typealias SnapshotMask = @Sendable (_ text: String) -> String

extension Snapshot {
    /// Returns the snapshot with secrets masked that were not registered when it was created.
    public func masked(with mask: SnapshotMask) -> Snapshot {
        var masked = self
        masked.contentType = contentType.map(mask)
        switch content {
        case .none, .binary: break
        case .text(let text): masked.content = .text(mask(text))
        case .json(let value): masked.content = .json(Self.masked(value, mask))
        case .events(let events): masked.content = .events(events.map { Self.masked($0, mask) })
        }
        return masked
    }

    /// Returns the value with secrets masked.
    ///
    /// Recursive, but the depth of a value is limited by the parser.
    private static func masked(_ value: JSONValue, _ mask: SnapshotMask) -> JSONValue {
        switch value {
        case .null, .bool: return value
        case .string(let text): return .string(mask(text))
        case .number(let number):
            let text = mask(number.literal)
            return text == number.literal ? value : .string(text)
        case .array(let elements): return .array(elements.map { masked($0, mask) })
        case .object(let members):
            var result = JSONObject()
            result.reserveCapacity(members.count)
            for (name, member) in members { result[mask(name)] = masked(member, mask) }
            return .object(result)
        }
    }
}

/// The actions for locations in a body, as a tree that is traversed together with the body.
struct SnapshotLocations {
    /// The action for a location and everything below it.
    enum Action {
        /// The value is omitted.
        case ignore
        /// The value is replaced by a placeholder.
        case replace(String)
        /// The value is kept without replacements.
        case keep
    }

    /// A location with an action, or on the path to one.
    struct Node {
        fileprivate(set) var action: Action?
        fileprivate var names: [String: Int] = [:]
        fileprivate var indexes: [Int: Int] = [:]
    }

    private var nodes = [Node()]

    /// The root of the body; nil without any actions.
    var root: Node? { nodes.count > 1 || nodes[0].action != nil ? nodes[0] : nil }

    /// Sets the action for a location unless it already has one.
    mutating func add(_ action: Action, at path: NormalizedPath) {
        var current = 0
        for step in path.steps {
            let next: Int?
            switch step {
            case .name(let name): next = nodes[current].names[name]
            case .index(let index): next = nodes[current].indexes[index]
            }
            if let next {
                current = next
                continue
            }
            switch step {
            case .name(let name): nodes[current].names[name] = nodes.count
            case .index(let index): nodes[current].indexes[index] = nodes.count
            }
            current = nodes.count
            nodes.append(Node())
        }
        if nodes[current].action == nil { nodes[current].action = action }
    }

    /// Returns the node of a member.
    func member(_ name: String, of node: Node?) -> Node? {
        guard let node, let index = node.names[name] else { return nil }
        return nodes[index]
    }

    /// Returns the node of an element.
    func element(_ index: Int, of node: Node?) -> Node? {
        guard let node, let index = node.indexes[index] else { return nil }
        return nodes[index]
    }
}
