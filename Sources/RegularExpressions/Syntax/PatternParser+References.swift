extension PatternParser {
    /// Reads `\\1` or `\\k<name>`, whose backslash is next.
    mutating func backReference(_ letter: Unicode.Scalar) throws(RegularExpressionError) -> SyntaxNode {
        let start = position
        position += 2
        var number = -1 - references.count
        var name: String?
        if letter == "k" {
            guard consume("<") else { throw error("a back-reference by name is written \\k<name>", from: start) }
            name = try referencedName(openedAt: start)
        } else {
            number = Int(letter.value - 0x30)
            while let digit = next, CommonClasses.digits.contains(digit) {
                number = min(number * 10 + Int(digit - 0x30), Self.largestCount)
                position += 1
            }
        }
        references.append((number, name, start..<position))
        return .backReference(number: number, ignoresCase: flags.contains(.caseInsensitive))
    }

    /// Checks the back-references and gives those by name their numbers: a group may come after what refers to it.
    func resolvingReferences(in node: SyntaxNode) throws(RegularExpressionError) -> SyntaxNode {
        var numbers: [Int: [Int]] = [:]
        for (index, reference) in references.enumerated() {
            if let name = reference.name {
                let named = groupNames.indices.filter { groupNames[$0] == name }
                guard !named.isEmpty else {
                    throw error(
                        "there is no group named \(name)", from: reference.range.lowerBound,
                        length: reference.range.count)
                }
                numbers[-1 - index] = named
            } else if reference.number >= groupNames.count {
                let count = groupNames.count - 1
                let groups = count == 0 ? "no groups" : count == 1 ? "1 group" : "\(count) groups"
                throw error(
                    "there is no group \(reference.number); the pattern has \(groups)",
                    from: reference.range.lowerBound, length: reference.range.count)
            }
        }
        return numbers.isEmpty ? node : Self.replacing(numbers, in: node)
    }

    private static func replacing(_ numbers: [Int: [Int]], in node: SyntaxNode) -> SyntaxNode {
        switch node {
        case .empty, .scalar, .set, .assertion: node
        case .sequence(let nodes): .sequence(nodes.map { replacing(numbers, in: $0) })
        case .alternation(let nodes): .alternation(nodes.map { replacing(numbers, in: $0) })
        case .capture(let body, let number): .capture(replacing(numbers, in: body), number: number)
        case .repetition(let body, let quantifier, let groups):
            .repetition(replacing(numbers, in: body), quantifier, groups: groups)
        case .lookaround(let body, let isBehind, let isNegated, let groups):
            .lookaround(replacing(numbers, in: body), isBehind: isBehind, isNegated: isNegated, groups: groups)
        case .backReference(let number, let ignoresCase):
            reference(to: numbers[number] ?? [number], ignoresCase: ignoresCase)
        }
    }

    /// A reference to the groups of one name, of which at most one takes part; the others have the empty text.
    private static func reference(to numbers: [Int], ignoresCase: Bool) -> SyntaxNode {
        let nodes = numbers.map { SyntaxNode.backReference(number: $0, ignoresCase: ignoresCase) }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }
}
