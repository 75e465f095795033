import Basics

/// A compiled pattern with bounded matching time for every pattern and text.
///
/// Matching takes time linear in the length of the text. Only ECMA-262 patterns with lookaround or backreferences use
/// backtracking. The number of steps is limited in both cases. If it does not suffice, as for `(?=(a+)+$)` or for
/// counts in the thousands on a long text, matching throws an error. A value can be used concurrently by any number of
/// tasks.
public struct RegularExpression: Sendable {
    /// The default maximum number of steps of a search: about a second of work.
    public static let maximumSteps = 100_000_000

    /// The original pattern.
    public let pattern: String

    /// The dialect of the pattern.
    public let dialect: Dialect

    /// The options of the pattern.
    public let options: Options

    /// The name of each group, `nil` for unnamed groups; group 0 is the whole match.
    public let groupNames: [String?]

    private let engine: MatchEngine

    /// Creates a regular expression by compiling a pattern.
    ///
    /// - Throws: ``RegularExpressionError`` with the location if the pattern is invalid or too large.
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
                message: "the pattern is too large when its repetitions are expanded; use smaller counts in braces",
                offset: 0, length: parser.scalars.count, isTooLarge: true)
        }
    }

    /// The number of capture groups, without the whole match.
    public var groupCount: Int { groupNames.count - 1 }

    /// Whether matching takes linear time; false for patterns with lookaround or backreferences.
    public var isLinear: Bool {
        if case .linear = engine { true } else { false }
    }

    /// Returns whether the pattern matches anywhere in a text.
    ///
    /// - Throws: ``RegularExpressionLimitError`` if the search takes more than `maximumSteps`.
    public func matches(_ text: String) throws(RegularExpressionLimitError) -> Bool {
        var steps = Self.maximumSteps
        return try matches(text, steps: &steps)
    }

    /// Returns whether the pattern matches a whole text.
    ///
    /// - Throws: ``RegularExpressionLimitError`` if the search takes more than `maximumSteps`.
    public func matchesWhole(_ text: String) throws(RegularExpressionLimitError) -> Bool {
        var steps = Self.maximumSteps
        return try matchesWhole(text, steps: &steps)
    }

    /// Returns the leftmost match in a text; among matches with the same start, the one that the pattern prefers.
    ///
    /// - Throws: ``RegularExpressionLimitError`` if the search takes more than `maximumSteps`.
    public func firstMatch(in text: String) throws(RegularExpressionLimitError) -> Match? {
        var steps = Self.maximumSteps
        return try firstMatch(in: text, steps: &steps)
    }

    /// Returns whether the pattern matches anywhere in a UTF-8 text; invalid bytes match nothing.
    ///
    /// - Throws: ``RegularExpressionLimitError`` if the search takes more than `maximumSteps`.
    public func matches(utf8 text: [UInt8]) throws(RegularExpressionLimitError) -> Bool {
        var steps = Self.maximumSteps
        let result = text.withUnsafeBufferPointer { engine.matches($0, steps: &steps) }
        try check(steps, Self.maximumSteps)
        return result
    }

    /// Returns whether the pattern matches a whole UTF-8 text; invalid bytes match nothing.
    ///
    /// - Throws: ``RegularExpressionLimitError`` if the search takes more than `maximumSteps`.
    public func matchesWhole(utf8 text: [UInt8]) throws(RegularExpressionLimitError) -> Bool {
        var steps = Self.maximumSteps
        let result = text.withUnsafeBufferPointer { engine.matchesWhole($0, steps: &steps) }
        try check(steps, Self.maximumSteps)
        return result
    }

    /// Returns whether the pattern matches anywhere in a text, within a step budget that several searches share.
    ///
    /// - Parameter steps: The number of steps left, decremented by this search: at best one step per sixteen bytes of
    ///   text, at worst one per alternative and byte.
    /// - Throws: ``RegularExpressionLimitError`` if the search takes more steps than were left.
    public func matches(_ text: String, steps: inout Int) throws(RegularExpressionLimitError) -> Bool {
        let limit = steps
        let result = Self.withUTF8(text) { engine.matches($0, steps: &steps) }
        try check(steps, limit)
        return result
    }

    /// Returns whether the pattern matches a whole text, within a step budget that several searches share.
    ///
    /// - Parameter steps: The number of steps left; see `matches(_:steps:)`.
    /// - Throws: ``RegularExpressionLimitError`` if the search takes more steps than were left.
    public func matchesWhole(_ text: String, steps: inout Int) throws(RegularExpressionLimitError) -> Bool {
        let limit = steps
        let result = Self.withUTF8(text) { engine.matchesWhole($0, steps: &steps) }
        try check(steps, limit)
        return result
    }

    /// Returns the leftmost match in a text, within a step budget that several searches share.
    ///
    /// - Parameter steps: The number of steps left; see `matches(_:steps:)`.
    /// - Throws: ``RegularExpressionLimitError`` if the search takes more steps than were left.
    public func firstMatch(in text: String, steps: inout Int) throws(RegularExpressionLimitError) -> Match? {
        try firstMatch(in: text, from: 0, steps: &steps)
    }

    /// Returns the leftmost match that starts at or after an offset, within a step budget that several searches share.
    ///
    /// Assertions see the text before the offset: `^` holds only at the start of the text.
    /// - Parameters:
    ///   - offset: The earliest start of the match, in the text's UTF-8 and at a scalar boundary.
    ///   - steps: The number of steps left; see `matches(_:steps:)`.
    /// - Throws: ``RegularExpressionLimitError`` if the search takes more steps than were left.
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
    /// Returns whether two values were compiled from the same pattern with the same dialect and options.
    public static func == (left: RegularExpression, right: RegularExpression) -> Bool {
        // Compare bytes: canonically equivalent patterns need not match the same texts.
        left.dialect == right.dialect && left.options == right.options
            && left.pattern.utf8.elementsEqual(right.pattern.utf8)
    }

    /// Hashes the pattern, the dialect and the options.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(pattern)
        hasher.combine(dialect)
        hasher.combine(options)
    }
}

extension RegularExpression {
    /// A match of a pattern with its captures.
    public struct Match: Sendable, Hashable {
        /// The matched range, in UTF-8 offsets into the text.
        public let range: Range<Int>

        /// The captured range of each group in UTF-8 offsets; group 0 is the whole match, `nil` a group without a
        /// capture.
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

        /// Returns the text that a group captured; `nil` if the group does not exist or did not participate.
        public func text(ofGroup number: Int) -> Substring? {
            guard groups.indices.contains(number), let range = groups[number] else { return nil }
            return slice(range)
        }

        /// Returns the text that a named group captured; `nil` if the group does not exist or did not participate.
        public func text(ofGroup name: String) -> Substring? {
            // Several groups may share a name if they are in different alternatives.
            for number in names.indices where names[number] == name {
                if let text = text(ofGroup: number) { return text }
            }
            return nil
        }

        /// The matched range, in indexes into the text.
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
