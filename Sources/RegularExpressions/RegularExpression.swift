/// A pattern compiled for matching in bounded time, whatever the pattern and the text.
///
/// Patterns are matched in time linear in the length of the text; only those of ECMA-262 that have lookaround or
/// back-references are matched by backtracking. The number of steps is bounded in either case: where it does not suffice,
/// as with `(?=(a+)+$)` or with counts in the thousands on a long text, matching ends in an error.
/// A value may be used by any number of tasks at once.
public struct RegularExpression: Sendable {
    /// How many steps one search takes at most, unless its caller gives a bound: about a second's work.
    public static let maximumSteps = 100_000_000

    /// The pattern as it was written.
    public let pattern: String

    /// The syntax the pattern was read with.
    public let dialect: Dialect

    /// The options the pattern was compiled with.
    public let options: Options

    /// The name of each group, `nil` for those without; number 0 is the whole match.
    public let groupNames: [String?]

    private let engine: MatchEngine

    /// Compiles a pattern.
    ///
    /// - Throws: What is wrong with the pattern, where it lies, or that the pattern is too large.
    public init(
        _ pattern: String, dialect: Dialect, options: Options = []
    ) throws(RegularExpressionError) {
        self.pattern = pattern
        self.dialect = dialect
        self.options = options
        var parser = PatternParser(pattern, dialect: dialect, options: options)
        let node = try parser.parse()
        groupNames = parser.groupNames
        do throws(ProgramCompiler.TooLarge) {
            if node.needsBacktracking {
                engine = .backtracking(try BacktrackCompiler.compile(node, groupCount: groupNames.count))
            } else {
                engine = .linear(
                    Matcher(
                        program: try ProgramCompiler.compile(node, dialect: dialect, groupCount: groupNames.count)))
            }
        } catch {
            throw RegularExpressionError(
                message: "the pattern is too large once its repetitions are written out; use smaller counts in braces",
                offset: 0, length: parser.scalars.count, isTooLarge: true)
        }
    }

    /// How many groups capture, the whole match not counted.
    public var groupCount: Int { groupNames.count - 1 }

    /// Whether matching takes time linear in the text; false for patterns with lookaround or back-references.
    public var isLinear: Bool {
        if case .linear = engine { true } else { false }
    }

    /// Whether the pattern matches anywhere in a text.
    ///
    /// - Throws: That the answer takes more than `maximumSteps`.
    public func matches(_ text: String) throws(RegularExpressionLimitError) -> Bool {
        var steps = Self.maximumSteps
        return try matches(text, steps: &steps)
    }

    /// Whether the pattern matches the whole of a text.
    ///
    /// - Throws: That the answer takes more than `maximumSteps`.
    public func matchesWhole(_ text: String) throws(RegularExpressionLimitError) -> Bool {
        var steps = Self.maximumSteps
        return try matchesWhole(text, steps: &steps)
    }

    /// The leftmost match in a text; of those that start there, the one the pattern prefers.
    ///
    /// - Throws: That the answer takes more than `maximumSteps`.
    public func firstMatch(in text: String) throws(RegularExpressionLimitError) -> Match? {
        var steps = Self.maximumSteps
        return try firstMatch(in: text, steps: &steps)
    }

    /// Whether the pattern matches anywhere in a text given as UTF-8; bytes that are no UTF-8 match nothing.
    ///
    /// - Throws: That the answer takes more than `maximumSteps`.
    public func matches(utf8 text: [UInt8]) throws(RegularExpressionLimitError) -> Bool {
        var steps = Self.maximumSteps
        let result = text.withUnsafeBufferPointer { engine.matches($0, steps: &steps) }
        try check(steps, Self.maximumSteps)
        return result
    }

    /// Whether the pattern matches the whole of a text given as UTF-8; bytes that are no UTF-8 match nothing.
    ///
    /// - Throws: That the answer takes more than `maximumSteps`.
    public func matchesWhole(utf8 text: [UInt8]) throws(RegularExpressionLimitError) -> Bool {
        var steps = Self.maximumSteps
        let result = text.withUnsafeBufferPointer { engine.matchesWhole($0, steps: &steps) }
        try check(steps, Self.maximumSteps)
        return result
    }

    /// Whether the pattern matches anywhere in a text, within a bound that several searches share.
    ///
    /// - Parameter steps: How many steps are left, which this search takes its own off: one for sixteen bytes of text at
    ///   best, one for each alternative at each byte at worst.
    /// - Throws: That the answer takes more steps than were left.
    public func matches(_ text: String, steps: inout Int) throws(RegularExpressionLimitError) -> Bool {
        let limit = steps
        let result = Self.withUTF8(text) { engine.matches($0, steps: &steps) }
        try check(steps, limit)
        return result
    }

    /// Whether the pattern matches the whole of a text, within a bound that several searches share.
    ///
    /// - Parameter steps: How many steps are left; see `matches(_:steps:)`.
    /// - Throws: That the answer takes more steps than were left.
    public func matchesWhole(_ text: String, steps: inout Int) throws(RegularExpressionLimitError) -> Bool {
        let limit = steps
        let result = Self.withUTF8(text) { engine.matchesWhole($0, steps: &steps) }
        try check(steps, limit)
        return result
    }

    /// The leftmost match in a text, within a bound that several searches share.
    ///
    /// - Parameter steps: How many steps are left; see `matches(_:steps:)`.
    /// - Throws: That the answer takes more steps than were left.
    public func firstMatch(in text: String, steps: inout Int) throws(RegularExpressionLimitError) -> Match? {
        try firstMatch(in: text, from: 0, steps: &steps)
    }

    /// The leftmost match that starts at an offset or after it, within a bound that several searches share.
    ///
    /// What is before the offset counts for assertions: `^` holds only at the start of the text.
    /// - Parameters:
    ///   - offset: The first possible start of the match, in the UTF-8 of the text and at the start of a scalar.
    ///   - steps: How many steps are left; see `matches(_:steps:)`.
    /// - Throws: That the answer takes more steps than were left.
    public func firstMatch(
        in text: String, from offset: Int, steps: inout Int
    ) throws(RegularExpressionLimitError) -> Match? {
        let limit = steps
        let found = Self.withUTF8(text) { engine.firstMatch(in: $0, from: max(0, offset), steps: &steps) }
        try check(steps, limit)
        guard let slots = found else { return nil }
        let groups = (0..<groupNames.count).map { group -> Range<Int>? in
            guard 2 * group + 1 < slots.count else { return nil }
            let start = slots[2 * group]
            let end = slots[2 * group + 1]
            return start >= 0 && end >= start ? start..<end : nil
        }
        guard let first = groups.first, let whole = first else { return nil }
        return Match(groups: groups, whole: whole, names: groupNames, source: text)
    }

    private func check(_ steps: Int, _ limit: Int) throws(RegularExpressionLimitError) {
        if steps < 0 { throw RegularExpressionLimitError(isBacktracking: !isLinear, steps: limit) }
    }

    private static func withUTF8<Result>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = text
        return copy.withUTF8(body)
    }
}

extension RegularExpression: Hashable {
    /// Two values are equal when they were compiled from the same pattern in the same way.
    public static func == (left: RegularExpression, right: RegularExpression) -> Bool {
        // By bytes: patterns that are canonically equivalent need not match the same texts.
        left.dialect == right.dialect && left.options == right.options
            && left.pattern.utf8.elementsEqual(right.pattern.utf8)
    }

    /// Feeds what makes two values equal.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(pattern)
        hasher.combine(dialect)
        hasher.combine(options)
    }
}

extension RegularExpression {
    /// One place where a pattern matches, with what its groups captured.
    public struct Match: Sendable, Hashable {
        /// The matched part, as offsets into the UTF-8 of the text.
        public let range: Range<Int>

        /// What each group captured, as UTF-8 offsets; number 0 is the whole match, `nil` a group that took no part.
        public let groups: [Range<Int>?]

        private let names: [String?]
        private let source: String

        init(groups: [Range<Int>?], whole: Range<Int>, names: [String?], source: String) {
            self.range = whole
            self.groups = groups
            self.names = names
            self.source = source
        }

        /// The matched text.
        public var text: Substring { slice(range) }

        /// The text a group captured; `nil` when there is no such group or it took no part.
        public func text(ofGroup number: Int) -> Substring? {
            guard groups.indices.contains(number), let range = groups[number] else { return nil }
            return slice(range)
        }

        /// The text a named group captured; `nil` when there is no such group or it took no part.
        public func text(ofGroup name: String) -> Substring? {
            // Several groups may have one name, in alternatives of which one takes part.
            for number in names.indices where names[number] == name {
                if let text = text(ofGroup: number) { return text }
            }
            return nil
        }

        /// The matched part, as indices into the text.
        public var indices: Range<String.Index> { indices(of: range) }

        private func slice(_ range: Range<Int>) -> Substring { source[indices(of: range)] }

        private func indices(of range: Range<Int>) -> Range<String.Index> {
            let utf8 = source.utf8
            let start =
                utf8.index(utf8.startIndex, offsetBy: range.lowerBound, limitedBy: utf8.endIndex) ?? utf8.endIndex
            let end = utf8.index(start, offsetBy: range.count, limitedBy: utf8.endIndex) ?? utf8.endIndex
            return start..<end
        }
    }
}
