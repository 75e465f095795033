import Basics

/// A parser of patterns for all dialects, which differ in the accepted syntax.
struct PatternParser {
    /// The maximum nesting depth of groups.
    static let maximumDepth = 250

    /// The maximum number of capture groups.
    static let maximumGroupCount = 1000

    /// The maximum count of a quantifier in RE2.
    static let maximumRE2Repetition = 1000

    /// The substitute for any larger count; far above the maximum size of a program.
    static let maximumCount = 1_000_000

    let scalars: [UInt32]
    let dialect: RegularExpression.Dialect
    var flags: RegularExpression.Options
    var position = 0

    /// The names of the groups; group 0 is the whole match.
    private(set) var groupNames: [String?] = [nil]

    /// The alternatives around the position, outermost first.
    ///
    /// Each has the number of its disjunction and of the alternative in it.
    private var alternatives: [Alternative] = []
    private var disjunctionCount = 0

    /// The alternatives around the groups of each name.
    private var namedGroups: [String: [[Alternative]]] = [:]

    private struct Alternative {
        let disjunction: Int
        var number = 0
    }
    private var depth = 0

    /// The backreferences parsed so far, resolved when all groups are known.
    var references: [(number: Int, name: String?, range: Range<Int>)] = []

    init(_ pattern: String, dialect: RegularExpression.Dialect, options: RegularExpression.Options) {
        scalars = pattern.unicodeScalars.map(\.value)
        self.dialect = dialect
        flags = options
    }

    /// Parses the whole pattern.
    mutating func parse() throws(RegularExpressionError) -> SyntaxNode {
        let node = try alternation()
        if position < scalars.count {
            throw error("unmatched \")\"", from: position, length: 1)
        }
        return references.isEmpty ? node : try resolvingReferences(in: node)
    }

    // MARK: Cursor

    /// The next scalar, or `nil` at the end.
    var next: UInt32? { position < scalars.count ? scalars[position] : nil }

    /// Returns the scalar at a distance from the next one.
    func peek(_ distance: Int) -> UInt32? {
        let index = position + distance
        return index < scalars.count ? scalars[index] : nil
    }

    func isNext(_ character: Unicode.Scalar) -> Bool { next == character.value }

    mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard next == character.value else { return false }
        position += 1
        return true
    }

    func error(_ message: MessageText, from start: Int, length: Int? = nil) -> RegularExpressionError {
        RegularExpressionError(
            message: message, offset: start, length: max(0, min(length ?? position - start, scalars.count - start)))
    }

    func text(_ range: Range<Int>) -> String {
        var result = String.UnicodeScalarView()
        for index in range where index < scalars.count {
            result.append(Unicode.Scalar(scalars[index]) ?? "\u{FFFD}")
        }
        return String(result)
    }

    // MARK: Structure

    mutating func alternation() throws(RegularExpressionError) -> SyntaxNode {
        disjunctionCount += 1
        alternatives.append(Alternative(disjunction: disjunctionCount))
        defer { alternatives.removeLast() }
        var branches = [try sequence()]
        while consume("|") {
            alternatives[alternatives.count - 1].number += 1
            branches.append(try sequence())
        }
        return branches.count == 1 ? branches[0] : .alternation(branches)
    }

    private mutating func sequence() throws(RegularExpressionError) -> SyntaxNode {
        var nodes: [SyntaxNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let start = position
            let firstGroup = groupNames.count
            let quoted = quotedText(into: &nodes)
            let (atom, isQuantifiable) = if let quoted { quoted } else { try atom() }
            let afterAtom = position
            if let quantifier = try quantifier() {
                if !isQuantifiable {
                    throw error(
                        "the quantifier has nothing to repeat", from: afterAtom,
                        length: position - afterAtom)
                }
                let groups = firstGroup..<groupNames.count
                nodes.append(quantifier == Quantifier.once ? atom : .repetition(atom, quantifier, groups: groups))
            } else if case .empty = atom {
                continue
            } else {
                nodes.append(atom)
            }
            if position == start { break }
        }
        return nodes.isEmpty ? .empty : nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func atom() throws(RegularExpressionError) -> (node: SyntaxNode, isQuantifiable: Bool) {
        let start = position
        guard let scalar = next else { return (.empty, false) }
        switch Unicode.Scalar(scalar) {
        case "^":
            position += 1
            return (.assertion(lineAssertion(.textStart, .lineStart, .ecmaScriptLineStart)), dialect == .re2)
        case "$":
            position += 1
            return (.assertion(lineAssertion(.textEnd, .lineEnd, .ecmaScriptLineEnd)), dialect == .re2)
        case ".":
            position += 1
            return (.set(dot), true)
        case "(":
            return try group()
        case "[":
            return (.set(try characterClass()), true)
        case "\\":
            return try escape()
        case "*", "+", "?":
            throw error("the quantifier has nothing to repeat", from: start, length: 1)
        case "{":
            let quantifier = try quantifier()
            if quantifier != nil {
                throw error("the quantifier has nothing to repeat", from: start)
            }
            if dialect != .re2 {
                throw error("escape a { that does not start a quantifier: \\{", from: start, length: 1)
            }
        case "}", "]":
            if dialect != .re2 {
                let text = text(start..<start + 1)
                throw error("escape a literal \(text): \\\(text)", from: start, length: 1)
            }
        default:
            break
        }
        position += 1
        return (literal(scalar), true)
    }

    private func lineAssertion(_ text: Assertion, _ line: Assertion, _ ecmaScriptLine: Assertion) -> Assertion {
        if !flags.contains(.multiline) { return text }
        return dialect == .ecmaScript ? ecmaScriptLine : line
    }

    private var dot: ScalarSet {
        if flags.contains(.dotMatchesNewlines) { return .all }
        return switch dialect {
        case .ecmaScript: CommonClasses.exceptLineTerminators
        case .re2: CommonClasses.exceptNewline
        case .iRegexp: CommonClasses.exceptNewlineAndReturn
        }
    }

    /// Returns the node of a literal scalar, including its other cases if case is ignored.
    func literal(_ scalar: UInt32) -> SyntaxNode {
        guard flags.contains(.caseInsensitive) else { return .scalar(scalar) }
        let set = CaseFolding.closure(of: ScalarSet(scalar: scalar))
        return set.single == nil ? .set(set) : .scalar(scalar)
    }

    // MARK: Quantifiers

    /// Parses a quantifier, if one follows.
    private mutating func quantifier() throws(RegularExpressionError) -> Quantifier? {
        guard let scalar = next else { return nil }
        var result: Quantifier
        switch Unicode.Scalar(scalar) {
        case "*": result = Quantifier(minimum: 0, maximum: nil, isGreedy: true)
        case "+": result = Quantifier(minimum: 1, maximum: nil, isGreedy: true)
        case "?": result = Quantifier(minimum: 0, maximum: 1, isGreedy: true)
        case "{":
            let start = position
            guard let counted = try countedQuantifier() else {
                position = start
                return nil
            }
            result = counted
            position -= 1
        default: return nil
        }
        position += 1
        if isNext("?") {
            if dialect == .iRegexp {
                throw error("I-Regexp does not support lazy quantifiers", from: position, length: 1)
            }
            position += 1
            result.isGreedy = false
        }
        if flags.contains(.ungreedy) { result.isGreedy.toggle() }
        return result
    }

    private mutating func countedQuantifier() throws(RegularExpressionError) -> Quantifier? {
        let start = position
        position += 1
        guard let minimum = number() else { return nil }
        var maximum: Int? = minimum
        if consume(",") {
            maximum = number()
            if maximum == nil, !isNext("}") { return nil }
        }
        guard consume("}") else { return nil }
        if let maximum, maximum < minimum {
            throw error("the minimum count of a quantifier must not exceed its maximum", from: start)
        }
        if dialect == .re2, max(minimum, maximum ?? 0) > Self.maximumRE2Repetition {
            throw error("a repetition count must be at most \(Self.maximumRE2Repetition)", from: start)
        }
        return Quantifier(minimum: minimum, maximum: maximum, isGreedy: true)
    }

    private mutating func number() -> Int? {
        var result: Int?
        while let scalar = next, scalar >= 0x30, scalar <= 0x39 {
            result = min((result ?? 0) * 10 + Int(scalar - 0x30), Self.maximumCount)
            position += 1
        }
        return result
    }

    // MARK: Groups

    /// Parses the contents of a group, including its closing parenthesis.
    mutating func groupBody(openedAt start: Int) throws(RegularExpressionError) -> SyntaxNode {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.maximumDepth {
            throw error("groups exceed the maximum depth of \(Self.maximumDepth) levels", from: start, length: 1)
        }
        let node = try alternation()
        guard consume(")") else { throw error("unterminated group: expected \")\"", from: start, length: 1) }
        return node
    }

    /// Returns the number of a new capture group.
    mutating func addGroup(named name: String?, openedAt start: Int) throws(RegularExpressionError) -> Int {
        if groupNames.count > Self.maximumGroupCount {
            throw error("the pattern exceeds the maximum of \(Self.maximumGroupCount) groups", from: start, length: 1)
        }
        groupNames.append(name)
        if let name { namedGroups[name, default: []].append(alternatives) }
        return groupNames.count - 1
    }

    /// Returns whether a group with this name can participate in a match together with one at the position (ECMA-262,
    /// MightBothParticipate).
    func isTaken(_ name: String) -> Bool {
        guard let groups = namedGroups[name] else { return false }
        if dialect != .ecmaScript { return true }
        return groups.contains { others in
            !zip(others, alternatives).contains { $0.disjunction == $1.disjunction && $0.number != $1.number }
        }
    }
}

extension Quantifier {
    /// The quantifier `{1}`.
    static let once = Quantifier(minimum: 1, maximum: 1, isGreedy: true)
}

/// Compares a code point with a character, also in the patterns of `if` and `while` conditions.
func != (scalar: UInt32, character: Unicode.Scalar) -> Bool { scalar != character.value }

extension PatternParser {
    /// Parses `\\1` or `\\k<name>` from its backslash on.
    mutating func backReference(_ letter: Unicode.Scalar) throws(RegularExpressionError) -> SyntaxNode {
        let start = position
        position += 2
        var number = -1 - references.count
        var name: String?
        if letter == "k" {
            guard consume("<") else { throw error("write a named backreference as \\k<name>", from: start) }
            name = try referencedName(openedAt: start)
        } else {
            number = Int(letter.value - 0x30)
            while let digit = next, CommonClasses.digits.contains(digit) {
                number = min(number * 10 + Int(digit - 0x30), Self.maximumCount)
                position += 1
            }
        }
        references.append((number, name, start..<position))
        return .backReference(number: number, ignoresCase: flags.contains(.caseInsensitive))
    }

    /// Validates the backreferences and resolves names to numbers: a group may follow its reference.
    func resolvingReferences(in node: SyntaxNode) throws(RegularExpressionError) -> SyntaxNode {
        var numbers: [Int: [Int]] = [:]
        for (index, reference) in references.enumerated() {
            if let name = reference.name {
                let named = groupNames.indices.filter { groupNames[$0] == name }
                guard !named.isEmpty else {
                    throw error(
                        "unknown group \"\(name)\"", from: reference.range.lowerBound,
                        length: reference.range.count)
                }
                numbers[-1 - index] = named
            } else if reference.number >= groupNames.count {
                let count = groupNames.count - 1
                let groups = count == 0 ? "no groups" : count == 1 ? "1 group" : "\(count) groups"
                throw error(
                    "unknown group \(reference.number); the pattern has \(groups)",
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
        case .lookaround(let body, let isAfter, let isNegated, let groups):
            .lookaround(replacing(numbers, in: body), isAfter: isAfter, isNegated: isNegated, groups: groups)
        case .backReference(let number, let ignoresCase):
            reference(to: numbers[number] ?? [number], ignoresCase: ignoresCase)
        }
    }

    /// Returns a reference to the groups of one name; at most one participates, and the others captured the empty
    /// string.
    private static func reference(to numbers: [Int], ignoresCase: Bool) -> SyntaxNode {
        let nodes = numbers.map { SyntaxNode.backReference(number: $0, ignoresCase: ignoresCase) }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }
}
