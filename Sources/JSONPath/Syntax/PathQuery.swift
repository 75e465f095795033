import Basics
import JSON
import RegularExpressions

/// A query: its start and its segments.
struct PathQuery: Sendable {
    /// Whether the query starts at the root (`$`), rather than at the current node (`@`).
    var isAbsolute: Bool
    var segments: [PathSegment]
    /// The cache slot for the result of an absolute query in a filter, which is the same for every node.
    var cacheSlot: Int
    let isSingular: Bool
    /// The number of descendant segments.
    let descendantCount: Int

    init(isAbsolute: Bool, segments: [PathSegment], cacheSlot: Int) {
        self.isAbsolute = isAbsolute
        self.segments = segments
        self.cacheSlot = cacheSlot
        isSingular = segments.allSatisfy(\.isSingular)
        descendantCount = segments.count(where: \.isDescendant)
    }

    /// Returns the value that a singular query selects, starting at the given value.
    func singularValue(from start: JSONValue) -> JSONValue? {
        var value = start
        for segment in segments {
            switch (segment.selectors.first, value) {
            case (.name(let name), .object(let object)):
                guard let member = object[name] else { return nil }
                value = member
            case (.index(let index), .array(let array)):
                guard let position = PathSlice.position(of: index, in: array.count) else { return nil }
                value = array[position]
            default:
                return nil
            }
        }
        return value
    }
}

/// A segment: selectors applied to a node's children, or also to all of its descendants (RFC 9535, section 2.5).
struct PathSegment: Sendable {
    var selectors: [PathSelector]
    var isDescendant: Bool
    /// The source of the segment.
    var source: String

    var isSingular: Bool {
        guard !isDescendant, selectors.count == 1 else { return false }
        switch selectors[0] {
        case .name, .index: return true
        case .wildcard, .slice, .filter: return false
        }
    }
}

/// A selector (RFC 9535, section 2.3).
indirect enum PathSelector: Sendable {
    case name(String)
    case wildcard
    case index(Int)
    case slice(PathSlice)
    case filter(FilterExpression)
}

/// An array slice selector `start:end:step` (RFC 9535, section 2.3.4).
///
/// The parser restricts its numbers to ±(2^53 − 1).
struct PathSlice: Sendable, Hashable {
    var start: Int?
    var end: Int?
    var step: Int

    /// Returns the selected positions in an array with `count` elements.
    func positions(in count: Int) -> StrideTo<Int> {
        if step > 0 {
            let lower = PathSlice.clamp(start ?? 0, count, 0...count)
            let upper = PathSlice.clamp(end ?? count, count, 0...count)
            return stride(from: lower, to: upper, by: step)
        }
        guard step < 0, count > 0 else { return stride(from: 0, to: 0, by: 1) }
        let upper = start.map { PathSlice.clamp($0, count, -1...count - 1) } ?? count - 1
        let lower = end.map { PathSlice.clamp($0, count, -1...count - 1) } ?? -1
        return stride(from: upper, to: lower, by: step)
    }

    private static func clamp(_ index: Int, _ count: Int, _ range: ClosedRange<Int>) -> Int {
        min(max(index < 0 ? index + count : index, range.lowerBound), range.upperBound)
    }

    /// Returns the position that an index selects in an array with `count` elements; negative indexes count from the
    /// end.
    static func position(of index: Int, in count: Int) -> Int? {
        let position = index < 0 ? index + count : index
        return position >= 0 && position < count ? position : nil
    }
}

/// A filter's logical expression (RFC 9535, section 2.3.5).
indirect enum FilterExpression: Sendable {
    case or([FilterExpression])
    case and([FilterExpression])
    case not(FilterExpression)
    case comparison(FilterValue, ComparisonOperator, FilterValue)
    /// An existence test: true if the query selects anything.
    case exists(PathQuery)
    case matches(PatternTest)
}

/// A comparison operator.
enum ComparisonOperator: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
}

/// An expression that yields one value or Nothing: an operand of a comparison, or an argument of type ValueType.
indirect enum FilterValue: Sendable {
    case literal(JSONValue)
    /// A singular query.
    case query(PathQuery)
    /// `length(value)`
    case length(FilterValue)
    /// `count(nodes)`
    case count(PathQuery)
    /// `value(nodes)`
    case value(PathQuery)
}

/// A call of `match` or `search`.
struct PatternTest: Sendable {
    /// A pattern that is constant, or computed from the document.
    enum Pattern: Sendable {
        /// A constant pattern; nil for an invalid I-Regexp, which matches nothing (RFC 9535, section 2.4.6).
        case compiled(PathPattern?)
        case computed(FilterValue)
    }

    var text: FilterValue
    var pattern: Pattern
    /// Whether the whole text must match (`match`), rather than a part of it (`search`).
    var isWhole: Bool
}

/// The functions of RFC 9535, section 2.4.
enum PathFunction: String, CaseIterable {
    case length, count, match, search, value

    var argumentCount: Int {
        switch self {
        case .length, .count, .value: 1
        case .match, .search: 2
        }
    }

    /// The names of all functions, for messages.
    static var names: MessageText {
        MessageText(words: allCases.map(\.rawValue).joined(separator: ", "))
    }
}

/// A compiled I-Regexp (RFC 9485) for `match` and `search`.
struct PathPattern: Sendable {
    private let expression: RegularExpression

    /// Compiles a pattern; returns nil if it is not a valid I-Regexp.
    init?(_ pattern: String) {
        guard let expression = try? RegularExpression(pattern, dialect: .iRegexp) else { return nil }
        self.expression = expression
    }

    /// Returns whether a string matches. If the steps run out, returns false and leaves `steps` below zero.
    func matches(_ text: String, whole: Bool, steps: inout Int) -> Bool {
        do {
            return whole
                ? try expression.matchesWhole(text, steps: &steps) : try expression.matches(text, steps: &steps)
        } catch {
            return false
        }
    }
}
