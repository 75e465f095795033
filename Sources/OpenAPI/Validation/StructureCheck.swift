import Basics
import Diagnostics
import JSON

/// A check of every part of a description, used or not, against the rules of its specification.
struct StructureCheck {
    /// A value that remains to be checked.
    private struct Visit {
        var node: DescriptionNode
        var shape: MemberShape
        /// The name of the value in messages.
        var subject: String
    }

    /// The target of a reference with its expected kind.
    private struct Target: Hashable {
        var node: DescriptionNode
        var kind: ObjectKind
    }

    let files: DescriptionFiles
    let version: OpenAPIVersion
    let root: DescriptionNode
    var problems = ProblemList()
    /// The operations that links can refer to.
    let operations: LinkTargets
    /// The components that something refers to, as `section/name`.
    var usedComponents: Set<String> = []
    /// The examples and defaults, which are validated after the structure.
    var samples: [SchemaSample] = []
    private var pending: [Visit] = []
    private var seen: Set<Target> = []
    private var broken = BrokenReferences()
    /// The first scope for each scheme without scopes, by the name of the scheme, with the number of requirements.
    var needlessScopes: [String: (type: String, first: DescriptionNode, count: Int)] = [:]
    /// The operations that are references, which no version allows.
    private var referredOperations: [DescriptionNode] = []

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - root: The description as written.
    ///   - version: The version of the description.
    ///   - files: The files as written.
    ///   - operations: The operations of the description.
    init(_ root: DescriptionNode, version: OpenAPIVersion, files: DescriptionFiles, operations: LinkTargets) {
        self.root = root
        self.version = version
        self.files = files
        self.operations = operations
    }

    /// Checks the whole description.
    mutating func run() {
        push(root, .object(version == .swagger2 ? .swaggerRoot : .root), ObjectKind.root.noun)
        while let visit = pending.popLast() { check(visit) }
        broken.tell(&problems)
        reportReferredOperations()
        reportNeedlessScopes()
        reportUnusedComponents()
    }

    private mutating func reportReferredOperations() {
        guard let first = referredOperations.first else { return }
        let others = referredOperations.count > 1 ? " (and \(referredOperations.count - 1) more)" : ""
        report(
            "invalid-openapi", "an operation is a $ref, which the specification allows only for a whole path\(others)",
            at: first, suggestion: "it is accepted here, but other tools may reject it", severity: .warning)
    }

    // MARK: Problems

    /// Adds a problem at a node.
    mutating func report(
        _ id: String, _ message: MessageText, at node: DescriptionNode, atKey: Bool = false,
        suggestion: MessageText? = nil,
        severity: Severity = .error, related: (MessageText, DescriptionNode)? = nil
    ) {
        problems.add(
            id, message, at: node, atKey: atKey, suggestion: suggestion, severity: severity, related: related)
    }

    /// Reports a value of the wrong type.
    private mutating func refuse(_ visit: Visit, _ wanted: String, suggestion: MessageText? = nil) {
        report(
            "invalid-openapi", "\(visit.subject) must be \(wanted), got \(visit.node.value.kindName)", at: visit.node,
            suggestion: suggestion)
    }

    private mutating func push(_ node: DescriptionNode, _ shape: MemberShape, _ subject: String) {
        pending.append(Visit(node: node, shape: shape, subject: subject))
    }

    // MARK: Values

    private mutating func check(_ visit: Visit) {
        let value = visit.node.value
        switch visit.shape {
        case .any: break
        case .text: checkText(visit)
        case .pattern: checkPatternText(visit.node)
        case .boolean: if value.boolValue == nil { refuse(visit, "true or false") }
        case .number: if value.numberValue == nil { refuse(visit, "a number") }
        case .count:
            guard let number = value.numberValue else { return refuse(visit, "a number") }
            if !number.isInteger || number < 0 {
                report(
                    "invalid-openapi", "\(visit.subject) must be a non-negative integer, got \(number)", at: visit.node)
            }
        case .choice(let choices): checkChoice(visit, choices)
        case .list(let shape):
            guard value.arrayValue != nil else { return refuse(visit, "an array") }
            for element in visit.node.elements { push(element, shape, "an element of \(visit.subject)") }
        case .map(let shape):
            guard value.objectValue != nil else { return refuse(visit, "an object") }
            for member in visit.node.members { push(member, shape, Self.subject(of: shape, named: member.name)) }
        case .components(let kind): checkComponents(visit, kind)
        case .object(let kind):
            guard value.objectValue != nil else { return refuse(visit, "an object") }
            checkObject(visit.node, kind)
        case .reference(let kind): checkReference(visit, kind)
        case .schemaOrBoolean: if value.boolValue == nil { checkReference(visit, .schema) }
        case .schemaOrList:
            if value.arrayValue != nil {
                for element in visit.node.elements { push(element, .reference(.schema), visit.subject) }
            } else {
                checkReference(visit, .schema)
            }
        case .types: checkTypes(visit.node)
        case .exclusiveBound: checkExclusiveBound(visit.node)
        }
    }

    private static func subject(of shape: MemberShape, named name: String) -> String {
        switch shape {
        case .object(let kind), .reference(let kind): kind.noun
        default: "\"\(name)\""
        }
    }

    private mutating func checkText(_ visit: Visit) {
        switch visit.node.value {
        case .string: break
        case .number(let number):
            report(
                "invalid-openapi", "\(visit.subject) must be a string, got a number", at: visit.node,
                suggestion: "put it in quotation marks: \"\(number)\"", severity: .warning)
        default: refuse(visit, "a string")
        }
    }

    private mutating func checkChoice(_ visit: Visit, _ choices: [String]) {
        guard let text = visit.node.value.stringValue else { return refuse(visit, "a string") }
        guard !choices.contains(text) else { return }
        let nearest = Spelling.suggestion(for: text, among: choices)
        report(
            "invalid-openapi", "\(visit.subject) cannot be \"\(text)\"", at: visit.node,
            suggestion: nearest ?? "valid values: \(choices.joined(separator: ", "))")
    }

    private mutating func checkComponents(_ visit: Visit, _ kind: ObjectKind) {
        guard visit.node.value.objectValue != nil else { return refuse(visit, "an object") }
        for member in visit.node.members {
            if member.name.isEmpty || !member.name.utf8.allSatisfy(\.isOfComponentName) {
                report(
                    "invalid-name", "\"\(member.name)\" is not a valid component name", at: member, atKey: true,
                    suggestion: "use letters, digits, dots, hyphens, and underscores")
            }
            push(member, .reference(kind), kind.noun)
        }
    }

    // MARK: Objects

    private mutating func checkObject(_ node: DescriptionNode, _ kind: ObjectKind) {
        let rule = ObjectRules.rule(kind, version)
        for member in node.members {
            if let known = rule.members[member.name], known.since <= version {
                if member.value.isNull, !known.shape.allowsNull {
                    report(
                        "null-member", "\"\(member.name)\" is null and is treated as absent", at: member,
                        atKey: true, suggestion: "remove it", severity: .warning)
                    continue
                }
                push(member, known.shape, "\"\(member.name)\"")
            } else if member.name.hasPrefix("x-") || member.name == "$ref" {
                continue
            } else if let others = rule.others {
                push(member, others, Self.subject(of: others, named: member.name))
            } else {
                reportUnknown(member, of: kind, rule)
            }
        }
        for name in rule.names {
            guard let member = rule.members[name], member.isRequired, version <= member.until, node[name] == nil else {
                continue
            }
            report(
                "missing-member", "\(kind.noun) has no \"\(name)\"", at: node, atKey: true,
                suggestion: "add \"\(name)\"")
        }
        for (first, second) in rule.exclusive where node[first] != nil {
            guard let other = node[second], rule.members[second].map({ $0.since <= version }) ?? false else { continue }
            report(
                "exclusive-members",
                "\(kind.noun) has both \"\(first)\" and \"\(second)\", which are mutually exclusive",
                at: other, atKey: true, suggestion: "remove one of them")
        }
        checkMeaning(node, kind)
    }

    private mutating func reportUnknown(_ member: DescriptionNode, of kind: ObjectKind, _ rule: ObjectRule) {
        if let known = rule.members[member.name] {
            return report(
                "unknown-key", "\"\(member.name)\" requires OpenAPI \(known.since.rawValue)", at: member, atKey: true,
                suggestion: "this description uses \(version.rawValue)",
                severity: rule.ignoresUnknown ? .warning : .error)
        }
        if let hint = UnknownKeyHints.hint(member.name, kind, version) {
            return report(
                "unknown-key", "unknown key \"\(member.name)\" in \(kind.noun)", at: member, atKey: true,
                suggestion: hint,
                severity: rule.ignoresUnknown ? .warning : .error)
        }
        let names = rule.names.filter { rule.members[$0].map { $0.since <= version } ?? false }
        let nearest = Spelling.nearest(to: member.name, among: names)
        if rule.ignoresUnknown {
            // Tools add their own keywords, which are longer than the similar standard ones.
            guard let nearest, abs(nearest.utf8.count - member.name.utf8.count) <= max(1, member.name.utf8.count / 8)
            else {
                if version.usesSchemaDialect30 {
                    report(
                        "unknown-key", "unknown schema keyword \"\(member.name)\" is ignored", at: member,
                        atKey: true, severity: .warning)
                }
                return
            }
            return report(
                "unknown-key", "unknown schema keyword \"\(member.name)\" is ignored", at: member, atKey: true,
                suggestion: "did you mean \"\(nearest)\"?", severity: .warning)
        }
        report(
            "unknown-key", "unknown key \"\(member.name)\" in \(kind.noun)", at: member, atKey: true,
            suggestion: nearest.map { "did you mean \"\($0)\"?" }
                ?? (names.isEmpty ? nil : "known keys: \(names.joined(separator: ", "))"))
    }

    // MARK: References

    private mutating func checkReference(_ visit: Visit, _ kind: ObjectKind) {
        let node = visit.node
        if kind == .schema, node.value.boolValue != nil, !version.usesSchemaDialect30 { return }
        guard node.value.objectValue != nil else {
            let schema = version.usesSchemaDialect30 ? "an object" : "an object, true, or false"
            return refuse(visit, kind == .schema ? schema : "an object")
        }
        guard let reference = node["$ref"] else { return checkObject(node, kind) }
        guard let text = reference.value.stringValue else {
            return report("invalid-reference", "\"$ref\" must be a string", at: reference)
        }
        if kind == .operation { referredOperations.append(reference) }
        checkSiblings(of: reference, in: node, kind)
        do {
            let next = try files.target(of: text, from: node)
            noteUse(of: next)
            let target = try files.resolve(next)
            guard checkSection(of: target, reference, text, kind) else { return }
            // All components are checked anyway.
            if isComponent(target) || !seen.insert(Target(node: target, kind: kind)).inserted { return }
            push(target, .reference(kind), kind.noun)
        } catch {
            for cause in error.causes { problems.add(cause) }
            broken.add(reference, error)
        }
    }

    private mutating func checkSiblings(of reference: DescriptionNode, in node: DescriptionNode, _ kind: ObjectKind) {
        if kind == .pathItem || kind == .swaggerPathItem || (kind == .schema && !version.usesSchemaDialect30) {
            return checkObject(node, kind)
        }
        for member in node.members where member.name != "$ref" && !member.name.hasPrefix("x-") {
            if version >= .openAPI31, member.name == "description" || member.name == "summary" { continue }
            // For schemas, only siblings that would affect validity are reported, because titles and examples are
            // common.
            if kind == .schema, ["description", "title", "example"].contains(member.name) { continue }
            report(
                "ignored-sibling", "\"\(member.name)\" next to a $ref is ignored", at: member, atKey: true,
                suggestion: kind == .schema
                    ? "move the reference to allOf: [{ $ref: … }]"
                    : "remove it, or replace the reference with its target",
                severity: .warning)
        }
    }

    /// Returns whether the target of a reference is of the expected kind, judging by its section. Reports a mismatch.
    private mutating func checkSection(
        of target: DescriptionNode, _ reference: DescriptionNode, _ text: String, _ kind: ObjectKind
    ) -> Bool {
        let tokens = target.pointer.tokens
        guard version != .swagger2, tokens.count == 3, tokens[0] == "components",
            let found = ObjectKind.ofSection(tokens[1]), found != kind
        else { return true }
        report(
            "wrong-reference", "\"\(text)\" refers to \(found.noun), not \(kind.noun)", at: reference,
            suggestion: kind.section.map { "refer to one under #/\($0.joined(separator: "/"))" })
        return false
    }

    private func isComponent(_ node: DescriptionNode) -> Bool {
        let tokens = node.pointer.tokens
        guard node.file == root.file else { return false }
        if version == .swagger2 {
            return tokens.count == 2 && ["definitions", "parameters", "responses"].contains(tokens[0])
        }
        return tokens.count == 3 && tokens[0] == "components"
    }

    /// Records a reference to a component or to a part of one.
    mutating func noteUse(of target: DescriptionNode) {
        let tokens = target.pointer.tokens
        guard target.file == root.file else { return }
        if tokens.count >= 3, tokens[0] == "components" { usedComponents.insert("\(tokens[1])/\(tokens[2])") }
        if version == .swagger2, tokens.count >= 2 { usedComponents.insert("\(tokens[0])/\(tokens[1])") }
    }
}

extension UInt8 {
    /// Whether a component name can contain the byte (section "Components Object").
    fileprivate var isOfComponentName: Bool {
        switch self {
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: ASCII.isAlphanumeric(self)
        }
    }
}
