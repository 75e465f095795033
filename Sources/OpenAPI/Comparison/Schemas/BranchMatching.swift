import JSON

/// Which schema of a list is which of another.
struct BranchMatching {
    /// The positions of those that are in both.
    private(set) var pairs: [(old: Int, new: Int)] = []
    /// The positions of those that are gone.
    private(set) var removed: [Int]
    /// The positions of those that are new.
    private(set) var added: [Int]

    /// Up to this many schemas on either side are compared with each other.
    private static let largestCount = 16

    /// Matches schemas by the names of their components, then by what they say, then by their titles.
    ///
    /// - Parameter byShape: Whether what is left is matched where both are written in place and have the same type.
    init(
        _ old: [DescriptionNode], _ new: [DescriptionNode], _ equivalence: StructuralEquivalence, byShape: Bool = true
    ) {
        removed = Array(old.indices)
        added = Array(new.indices)
        match(by: { $0.reference.map { $0.split(separator: "/").last.map(String.init) ?? $0 } }, old, new)
        if removed.count <= Self.largestCount, added.count <= Self.largestCount {
            match { equivalence.areEquivalent(old[$0], new[$1]) }
        }
        match(by: { $0.reference == nil ? $0.value["title"]?.stringValue : nil }, old, new)
        guard byShape else { return }
        match(
            by: { node in
                guard node.reference == nil, let type = node.value["type"] else { return nil }
                return type.serialized()
            }, old, new)
        pairs.sort { $0.old < $1.old }
    }

    private mutating func match(
        by key: (DescriptionNode) -> String?, _ old: [DescriptionNode], _ new: [DescriptionNode]
    ) {
        var positions: [String: [Int]] = [:]
        for position in added.reversed() {
            if let key = key(new[position]) { positions[key, default: []].append(position) }
        }
        guard !positions.isEmpty else { return }
        var found: [(Int, Int)] = []
        for position in removed {
            if let key = key(old[position]), let other = positions[key]?.popLast() { found.append((position, other)) }
        }
        take(found)
    }

    private mutating func match(_ areSame: (Int, Int) -> Bool) {
        var found: [(Int, Int)] = []
        var taken: Set<Int> = []
        for position in removed {
            if let other = added.first(where: { !taken.contains($0) && areSame(position, $0) }) {
                taken.insert(other)
                found.append((position, other))
            }
        }
        take(found)
    }

    private mutating func take(_ found: [(Int, Int)]) {
        let olds = Set(found.map(\.0))
        let news = Set(found.map(\.1))
        pairs += found.map { (old: $0.0, new: $0.1) }
        removed.removeAll { olds.contains($0) }
        added.removeAll { news.contains($0) }
    }
}
