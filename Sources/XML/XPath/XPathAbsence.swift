/// Why a location path selects nothing: how far it leads, and what is there.
public struct XPathAbsence: Sendable {
    /// What keeps the path from leading on.
    public enum Reason: Sendable, Hashable {
        /// No node satisfies the predicate, whose text this is; or there is none at that position.
        case predicate(String, isPosition: Bool)
        /// There is no element or attribute of that name, as it was written; the names that there are.
        case name(String, isAttribute: Bool, among: [String])
        /// There is an element or attribute of that local name, but in another namespace: nil for none.
        case namespace(localName: String, isAttribute: Bool, found: String?)
        /// There is no node of the kind that the step, whose text this is, asks for.
        case step(String)
    }

    /// The path that selects nothing.
    public let path: String
    /// The longest beginning of the path that selects something; nil if that is the document alone.
    public let existing: String?
    /// The first nodes that the beginning selects.
    public let nodes: [XPathNode]
    /// The number of nodes that it selects.
    public let count: Int
    /// Whether what is missing was looked for at any depth.
    public let isBelow: Bool
    /// What keeps the path from leading on.
    public let reason: Reason
}

extension XMLDocument {
    /// The most segments of a path whose beginnings are evaluated.
    private static let maximumSegments = 50
    /// How many nodes are looked at for names.
    private static let maximumNodes = 1000
    /// How many steps each evaluation for an explanation may take.
    private static let operations = 1_000_000

    /// Explains why paths of an expression select nothing.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - namespaces: The names of namespaces by the prefixes that the expression uses for them.
    /// - Returns: For a path that the whole expression is, why it selects nothing; otherwise the same for each path in
    ///   it, but for those in predicates, that does. Empty where it takes too long to find out.
    public func absences(of expression: XPathExpression, namespaces: [String: String] = [:]) -> [XPathAbsence] {
        if let whole = expression.wholePath {
            if let absence = absence(of: whole, in: expression, namespaces) { return [absence] }
        }
        var absences: [XPathAbsence] = []
        for path in expression.paths.prefix(10) {
            if let absence = absence(of: path, in: expression, namespaces) { absences.append(absence) }
        }
        return absences
    }

    private func absence(
        of path: XPathPath, in expression: XPathExpression, _ namespaces: [String: String]
    ) -> XPathAbsence? {
        guard path.segments.count <= Self.maximumSegments else { return nil }
        var found: [XPathNode] = []
        for (index, segment) in path.segments.enumerated() {
            guard let nodes = nodes(expression.part(path.start, segment.end), namespaces) else { return nil }
            if !nodes.isEmpty {
                found = nodes
                continue
            }
            let before = index > 0 ? path.segments[index - 1] : nil
            // What a primary expression has in it is explained as a path of its own.
            guard let reason = reason(segment, of: path, in: expression, namespaces) else { return nil }
            var existing: String?
            if let before, before.kind != .root { existing = expression.part(path.start, before.end) }
            var isBelow = false
            if case .step(let step) = segment.kind { isBelow = step.isBelow || step.axis.hasPrefix("descendant") }
            return XPathAbsence(
                path: expression.part(path.start, path.end), existing: existing, nodes: Array(found.prefix(10)),
                count: found.count, isBelow: isBelow, reason: reason)
        }
        return nil
    }

    private func reason(
        _ segment: XPathPath.Segment, of path: XPathPath, in expression: XPathExpression, _ namespaces: [String: String]
    ) -> XPathAbsence.Reason? {
        let text = expression.part(segment.start, segment.end)
        switch segment.kind {
        case .root, .primary: return nil
        case .predicate(let isPosition): return .predicate(text, isPosition: isPosition)
        case .step(let step):
            guard case .name(let prefix, let localName?) = step.test else { return .step(text) }
            let isAttribute = step.axis == "attribute"
            // What stands before the name leads to all that could have it.
            let all = expression.part(path.start, step.testStart) + "*"
            if let other = nodes("\(all)[local-name()='\(localName)']", namespaces)?.first, let name = other.name {
                return .namespace(localName: localName, isAttribute: isAttribute, found: name.namespace)
            }
            guard ["child", "attribute", "descendant", "descendant-or-self", "self"].contains(step.axis) else {
                return .step(text)
            }
            var names: [String] = []
            var known: Set<String> = []
            for node in (nodes(all, namespaces) ?? []).prefix(Self.maximumNodes) {
                guard let name = node.name?.description, known.insert(name).inserted else { continue }
                names.append(name)
            }
            let name = prefix.map { "\($0):\(localName)" } ?? localName
            return .name(name, isAttribute: isAttribute, among: names)
        }
    }

    /// The nodes that an expression selects; nil where it gives none or takes too long.
    private func nodes(_ text: String, _ namespaces: [String: String]) -> [XPathNode]? {
        guard let expression = try? XPathExpression(text),
            case .nodes(let nodes) = try? evaluate(expression, namespaces: namespaces, operations: Self.operations)
        else { return nil }
        return nodes
    }
}
