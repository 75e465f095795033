public import Basics
public import JSON

/// A compiled JSONPath query (RFC 9535), which can be evaluated any number of times.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    /// The original query.
    public let source: String
    private let query: PathQuery
    /// The number of cache slots for absolute queries in filters during an evaluation.
    private let cacheSize: Int
    /// The warnings about a valid query: a constant pattern of `match` or `search` that is not a valid I-Regexp.
    public let warnings: [JSONPathError]

    /// Creates a query by compiling its source.
    ///
    /// - Throws: ``JSONPathError`` if the query is not well-formed or not valid (RFC 9535), for example because of an
    ///   ill-typed function call.
    public init(_ source: String) throws(JSONPathError) {
        var parser = PathParser(source)
        query = try parser.parse()
        cacheSize = parser.cacheSize
        warnings = parser.warnings
        self.source = source
    }

    /// Whether the query can select at most one value: only single names and indexes (RFC 9535, section 2.3.5.1).
    public var isSingular: Bool { query.isSingular }

    /// The original query.
    public var description: String { source }

    /// The default maximum number of steps of an evaluation: about a second of work.
    public static let maximumSteps = 20_000_000
    /// The maximum number of selected values; for `nodes(in:)`, each name and index of a path counts too.
    public static let maximumSelection = 2_000_000

    /// Returns the selected values in nodelist order; a value selected twice occurs twice.
    ///
    /// - Throws: ``JSONPathLimitError`` if the evaluation exceeds `maximumSteps` or `maximumSelection`.
    public func values(in document: JSONValue) throws(JSONPathLimitError) -> [JSONValue] {
        var steps = JSONPath.maximumSteps
        return try values(in: document, steps: &steps)
    }

    /// Returns the selected values, within a step budget that several evaluations share.
    ///
    /// - Parameter steps: The number of steps left, decremented by this evaluation: one step per visited value, more
    ///   for long strings and large values that a filter compares.
    /// - Throws: ``JSONPathLimitError`` if the evaluation takes more steps than were left, or exceeds
    ///   `maximumSelection`.
    public func values(in document: JSONValue, steps: inout Int) throws(JSONPathLimitError) -> [JSONValue] {
        if query.isSingular { return query.singularValue(from: document).map { [$0] } ?? [] }
        var selection = PathSelection(keepsValues: true)
        try evaluate(query, document, into: &selection, steps: &steps)
        return selection.values
    }

    /// Returns the first selected value; nil if there is none. The evaluation stops when it is found.
    ///
    /// - Throws: ``JSONPathLimitError`` if the evaluation exceeds `maximumSteps`.
    public func firstValue(in document: JSONValue) throws(JSONPathLimitError) -> JSONValue? {
        if query.isSingular { return query.singularValue(from: document) }
        var selection = PathSelection(limit: 1)
        var steps = JSONPath.maximumSteps
        try evaluate(query, document, into: &selection, steps: &steps)
        return selection.first
    }

    /// Returns the selected values with their locations, in nodelist order.
    ///
    /// - Throws: ``JSONPathLimitError`` if the evaluation exceeds `maximumSteps` or `maximumSelection`.
    public func nodes(in document: JSONValue) throws(JSONPathLimitError) -> [JSONPathNode] {
        var selection = PathSelection(keepsValues: true, keepsPaths: true)
        var steps = JSONPath.maximumSteps
        try evaluate(query, document, into: &selection, steps: &steps)
        return zip(selection.paths, selection.values).map { JSONPathNode(path: NormalizedPath($0), value: $1) }
    }

    private func evaluate(
        _ query: PathQuery, _ document: JSONValue, into selection: inout PathSelection, steps: inout Int
    ) throws(JSONPathLimitError) {
        let limit = steps
        var evaluator = PathEvaluator(root: document, cacheSize: cacheSize, steps: steps)
        evaluator.evaluate(query, at: document, into: &selection)
        steps = evaluator.steps
        if selection.isOverflowing {
            throw JSONPathLimitError(
                "\(source) selects more than \(JSONPath.maximumSelection / 1_000_000) million values; narrow the selection"
            )
        }
        if steps < 0 {
            let count = limit.isMultiple(of: 1_000_000) ? "\(limit / 1_000_000) million" : String(limit)
            throw JSONPathLimitError(
                "\(source) takes more than \(count) steps on this document; use fewer \"..\" segments or nested filters"
            )
        }
    }

    /// Returns the point at which a query that selects nothing leaves the document.
    ///
    /// - Returns: The location (such as `$.a[2]`) and value of the first node selected by the longest prefix that
    ///   selects anything, and the source of the segment that selects nothing. Nil if the query selects something, or
    ///   if the search exceeds `maximumSteps`.
    public func nearestExisting(in document: JSONValue) -> (path: String, value: JSONValue, missing: String)? {
        var nearest = (path: NormalizedPath(), value: document)
        var steps = JSONPath.maximumSteps
        for count in 1...max(1, query.segments.count) {
            guard count <= query.segments.count else { return nil }
            var prefix = query
            prefix.segments.removeLast(query.segments.count - count)
            var selection = PathSelection(limit: 1, keepsValues: true, keepsPaths: true)
            do {
                try evaluate(prefix, document, into: &selection, steps: &steps)
            } catch {
                return nil
            }
            guard let path = selection.paths.first, let value = selection.values.first else {
                return (nearest.path.shorthand, nearest.value, query.segments[count - 1].source)
            }
            nearest = (NormalizedPath(path), value)
        }
        return nil
    }

    /// Returns whether two queries have the same source.
    public static func == (left: JSONPath, right: JSONPath) -> Bool {
        left.source.utf8.elementsEqual(right.source.utf8)
    }

    /// Hashes consistently with `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Array(source.utf8))
    }
}

/// A selected value with its location in the document.
public struct JSONPathNode: Sendable, Hashable {
    /// The location of the value.
    public let path: NormalizedPath
    /// The selected value.
    public let value: JSONValue

    /// Creates a node.
    public init(path: NormalizedPath, value: JSONValue) {
        self.path = path
        self.value = value
    }
}

/// The error of an invalid JSONPath query, with its location.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the error, without the location and without a final period.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public let wording: MessageText
    /// The start of the invalid part in Unicode scalars, from 0.
    public let offset: Int
    /// The length of the invalid part in Unicode scalars; 0 at the end of the query.
    public let length: Int

    /// Creates an error.
    public init(message: MessageText, offset: Int, length: Int) {
        wording = message
        self.offset = offset
        self.length = length
    }

    /// The message and its position.
    public var description: String { "\(message) (character \(offset + 1))" }
}

/// The error of an evaluation that took too many steps or selected too many values.
public struct JSONPathLimitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the error and a hint, without a final period.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public let wording: MessageText

    init(_ message: MessageText) {
        wording = message
    }

    /// The message.
    public var description: String { message }
}
