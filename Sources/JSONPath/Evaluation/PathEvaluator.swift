import JSON

/// The evaluation of a query on a document.
///
/// Nodes are visited depth first, which yields the order of RFC 9535's nodelists without building one per segment. The
/// recursion depth is that of the document plus the number of segments; the parsers limit both.
struct PathEvaluator {
    let root: JSONValue
    /// The results of absolute queries in filters, by slot.
    private var cache: [Summary?]
    /// The patterns from the document, by their UTF-8; nil for an invalid I-Regexp.
    private var patterns: [[UInt8]: PathPattern?] = [:]
    /// The number of steps left; if it is negative, the evaluation stops.
    var steps: Int

    /// The part of a query's nodelist that a filter needs.
    struct Summary {
        var count: Int
        var first: JSONValue?
    }

    /// The maximum number of cached patterns from the document.
    private static let maximumPatternCount = 64

    init(root: JSONValue, cacheSize: Int, steps: Int) {
        self.root = root
        self.steps = steps
        cache = Array(repeating: nil, count: cacheSize)
    }

    /// Adds the nodes selected by `query` to `selection`; a relative query starts at `current`.
    mutating func evaluate(_ query: PathQuery, at current: JSONValue, into selection: inout PathSelection) {
        if query.descendantCount > 1, query.isAbsolute { return evaluateByIndex(query, into: &selection) }
        walk(query.segments[...], query.isAbsolute ? root : current, &selection)
    }

    private mutating func walk(
        _ segments: ArraySlice<PathSegment>, _ value: JSONValue, _ selection: inout PathSelection
    ) {
        steps -= 1
        guard let segment = segments.first else { return selection.add(value) }
        if segment.isDescendant {
            descend(segment, segments.dropFirst(), value, &selection)
        } else {
            select(segment, segments.dropFirst(), value, &selection)
        }
    }

    /// Applies a descendant segment to the value itself, then to its children in order.
    private mutating func descend(
        _ segment: PathSegment, _ rest: ArraySlice<PathSegment>, _ value: JSONValue, _ selection: inout PathSelection
    ) {
        switch value {
        case .array(let array):
            steps -= array.count >> 3
            select(segment, rest, value, &selection)
            for index in array.indices where !isDone(selection) {
                guard array[index].isStructured else { continue }
                selection.enter(index)
                steps -= 1
                descend(segment, rest, array[index], &selection)
                selection.leave()
            }
        case .object(let object):
            steps -= object.count >> 3
            select(segment, rest, value, &selection)
            for (name, child) in object where !isDone(selection) {
                guard child.isStructured else { continue }
                selection.enter(name)
                steps -= 1
                descend(segment, rest, child, &selection)
                selection.leave()
            }
        default:
            break
        }
    }

    private func isDone(_ selection: PathSelection) -> Bool { steps < 0 || selection.isFull }

    private mutating func select(
        _ segment: PathSegment, _ rest: ArraySlice<PathSegment>, _ value: JSONValue, _ selection: inout PathSelection
    ) {
        for selector in segment.selectors where !isDone(selection) {
            switch value {
            case .array(let array): select(selector, rest, array, &selection)
            case .object(let object): select(selector, rest, object, &selection)
            default: return
            }
        }
    }

    private mutating func select(
        _ selector: PathSelector, _ rest: ArraySlice<PathSegment>, _ array: [JSONValue],
        _ selection: inout PathSelection
    ) {
        switch selector {
        case .name:
            break
        case .index(let index):
            guard let position = PathSlice.position(of: index, in: array.count) else { return }
            visit(position, array[position], rest, &selection)
        case .wildcard:
            for index in array.indices where !isDone(selection) { visit(index, array[index], rest, &selection) }
        case .slice(let slice):
            for index in slice.positions(in: array.count) where !isDone(selection) {
                visit(index, array[index], rest, &selection)
            }
        case .filter(let expression):
            for index in array.indices where !isDone(selection) {
                if test(expression, array[index]) { visit(index, array[index], rest, &selection) }
            }
        }
    }

    private mutating func select(
        _ selector: PathSelector, _ rest: ArraySlice<PathSegment>, _ object: JSONObject,
        _ selection: inout PathSelection
    ) {
        switch selector {
        case .name(let name):
            if let value = object[name] { visit(name, value, rest, &selection) }
        case .index, .slice:
            break
        case .wildcard:
            for (name, value) in object where !isDone(selection) { visit(name, value, rest, &selection) }
        case .filter(let expression):
            for (name, value) in object where !isDone(selection) {
                if test(expression, value) { visit(name, value, rest, &selection) }
            }
        }
    }

    @inline(__always)
    private mutating func visit(
        _ index: Int, _ value: JSONValue, _ rest: ArraySlice<PathSegment>, _ selection: inout PathSelection
    ) {
        selection.enter(index)
        walk(rest, value, &selection)
        selection.leave()
    }

    @inline(__always)
    private mutating func visit(
        _ name: String, _ value: JSONValue, _ rest: ArraySlice<PathSegment>, _ selection: inout PathSelection
    ) {
        selection.enter(name)
        walk(rest, value, &selection)
        selection.leave()
    }

    /// Returns the number of nodes that a query in a filter selects, up to `limit`, and the first node.
    mutating func summary(of query: PathQuery, at current: JSONValue, limit: Int) -> Summary {
        if query.isAbsolute, let known = cache[query.cacheSlot] { return known }
        var selection = PathSelection(limit: limit)
        evaluate(query, at: current, into: &selection)
        let summary = Summary(count: selection.count, first: selection.first)
        if query.isAbsolute { cache[query.cacheSlot] = summary }
        return summary
    }

    /// Returns the value of a singular query in a filter.
    mutating func singularValue(of query: PathQuery, at current: JSONValue) -> JSONValue? {
        steps -= query.segments.count >> 2
        return query.singularValue(from: query.isAbsolute ? root : current)
    }

    /// Returns the compiled form of a pattern from the document; nil if it is not a valid I-Regexp.
    mutating func pattern(_ text: String) -> PathPattern? {
        let key = Array(text.utf8)
        if let known = patterns[key] { return known }
        if patterns.count >= PathEvaluator.maximumPatternCount { patterns.removeAll() }
        steps -= key.count
        let pattern = PathPattern(text)
        patterns.updateValue(pattern, forKey: key)
        return pattern
    }
}

extension JSONValue {
    /// Whether the value may have children.
    var isStructured: Bool {
        switch self {
        case .array, .object: true
        case .null, .bool, .number, .string: false
        }
    }
}

/// The result of an evaluation, limited to what its caller needs.
struct PathSelection {
    /// The number of required nodes; the evaluation stops when it is reached.
    let limit: Int
    let keepsValues: Bool
    let keepsPaths: Bool
    private(set) var count = 0
    /// Whether more was selected than may be stored.
    private(set) var isOverflowing = false
    /// The number of values, names and indexes that may still be stored.
    private var room = JSONPath.maximumSelection
    private(set) var first: JSONValue?
    private(set) var values: [JSONValue] = []
    private(set) var paths: [[NormalizedPath.Step]] = []
    /// The steps to the current node, if paths are required.
    private var steps: [NormalizedPath.Step] = []

    init(limit: Int = .max, keepsValues: Bool = false, keepsPaths: Bool = false) {
        self.limit = limit
        self.keepsValues = keepsValues
        self.keepsPaths = keepsPaths
    }

    /// Whether no more nodes are required or may be stored.
    var isFull: Bool { count >= limit || isOverflowing }

    @inline(__always)
    mutating func add(_ value: JSONValue) {
        add(value, at: steps)
    }

    @inline(__always)
    mutating func add(_ value: JSONValue, at steps: [NormalizedPath.Step]) {
        if count == 0 { first = value }
        count += 1
        guard keepsValues || keepsPaths else { return }
        room -= keepsPaths ? 1 + steps.count : 1
        guard room >= 0 else {
            isOverflowing = true
            return
        }
        if keepsValues { values.append(value) }
        if keepsPaths { paths.append(steps) }
    }

    @inline(__always)
    mutating func enter(_ name: String) {
        if keepsPaths { steps.append(.name(name)) }
    }

    @inline(__always)
    mutating func enter(_ index: Int) {
        if keepsPaths { steps.append(.index(index)) }
    }

    @inline(__always)
    mutating func leave() {
        if keepsPaths { steps.removeLast() }
    }
}
