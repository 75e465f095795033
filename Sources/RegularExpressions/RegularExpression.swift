/// A pattern compiled for matching in time linear in the length of the text, whatever the pattern.
///
/// Patterns that could not be matched so, those with back-references or lookaround, are refused when they are compiled.
/// A value may be used by any number of tasks at once.
public struct RegularExpression: Sendable {
    /// The pattern as it was written.
    public let pattern: String

    /// The syntax the pattern was read with.
    public let dialect: Dialect

    /// The options the pattern was compiled with.
    public let options: Options

    private let matcher: Matcher

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
        let program: Program
        do {
            program = try ProgramCompiler.compile(node, dialect: dialect, groupCount: parser.groupNames.count)
        } catch {
            throw RegularExpressionError(
                message: "the pattern is too large once its repetitions are written out", offset: 0,
                length: parser.scalars.count)
        }
        matcher = Matcher(program: program, groupNames: parser.groupNames)
    }

    /// How many groups capture, the whole match not counted.
    public var groupCount: Int { matcher.groupNames.count - 1 }

    /// The name of each group, `nil` for those without; number 0 is the whole match.
    public var groupNames: [String?] { matcher.groupNames }

    /// Whether the pattern matches anywhere in a text.
    public func matches(_ text: String) -> Bool {
        Self.withUTF8(text) { matcher.matches($0) }
    }

    /// Whether the pattern matches the whole of a text.
    public func matchesWhole(_ text: String) -> Bool {
        Self.withUTF8(text) { matcher.matchesWhole($0) }
    }

    /// The leftmost match in a text; of those that start there, the one the pattern prefers.
    public func firstMatch(in text: String) -> Match? {
        guard let slots = Self.withUTF8(text, { matcher.firstMatch(in: $0) }) else { return nil }
        let groups = stride(from: 0, to: slots.count - 1, by: 2).map { slot -> Range<Int>? in
            let start = slots[slot]
            let end = slots[slot + 1]
            return start >= 0 && end >= start ? start..<end : nil
        }
        guard let first = groups.first, let whole = first else { return nil }
        return Match(groups: groups, whole: whole, names: matcher.groupNames, source: text)
    }

    /// Whether the pattern matches anywhere in a text given as UTF-8.
    public func matches(utf8 text: UnsafeBufferPointer<UInt8>) -> Bool {
        matcher.matches(text)
    }

    /// Whether the pattern matches the whole of a text given as UTF-8.
    public func matchesWhole(utf8 text: UnsafeBufferPointer<UInt8>) -> Bool {
        matcher.matchesWhole(text)
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
