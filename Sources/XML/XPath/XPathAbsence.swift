/// The explanation of a location path that selects nothing: the existing part of the path, and the nodes there.
public struct XPathAbsence: Sendable {
    /// The reason why the path selects nothing.
    public enum Reason: Sendable, Hashable {
        /// No node satisfies the predicate with this text, or none exists at its position.
        case predicate(String, isPosition: Bool)
        /// No element or attribute has this name; includes the existing names.
        case name(String, isAttribute: Bool, among: [String])
        /// An element or attribute with this local name exists, but in another namespace; nil for none.
        case namespace(localName: String, isAttribute: Bool, found: String?)
        /// No node matches the step with this text.
        case step(String)
    }

    /// The path that selects nothing.
    public let path: String
    /// The longest prefix of the path that selects nodes; nil if it is the document itself.
    public let existing: String?
    /// The first nodes that the prefix selects.
    public let nodes: [XPathNode]
    /// The number of nodes that the prefix selects.
    public let count: Int
    /// Whether the missing node was searched for at any depth.
    public let isBelow: Bool
    /// The reason why the path selects nothing.
    public let reason: Reason
}

extension XMLDocument {
    /// The maximum number of path segments whose prefixes are evaluated.
    private static let maximumSegments = 50
    /// The maximum number of nodes that are searched for names.
    private static let maximumNodes = 1000
    /// The maximum number of steps of each evaluation for an explanation.
    private static let operations = 1_000_000

    /// Explains why paths of an expression select nothing.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - namespaces: The namespace names by the prefixes used in the expression.
    /// - Returns: The explanation of the path if the whole expression is a path, otherwise of each path outside of
    ///   predicates that selects nothing. Empty if the explanation takes too long.
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
            // Paths nested in a primary expression are explained separately.
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
            // The part before the name selects all candidates.
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

    /// Returns the nodes that an expression selects; nil if it selects none or takes too long.
    private func nodes(_ text: String, _ namespaces: [String: String]) -> [XPathNode]? {
        guard let expression = try? XPathExpression(text),
            case .nodes(let nodes) = try? evaluate(expression, namespaces: namespaces, operations: Self.operations)
        else { return nil }
        return nodes
    }
}
