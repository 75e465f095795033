public import JSON

/// A compiled JSONPath query (RFC 9535): checked once, evaluated as often as needed.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    /// The query as it was written.
    public let source: String
    private let query: PathQuery
    /// How many results of absolute queries inside filters are kept during an evaluation.
    private let cacheSize: Int
    /// What in the query is right, but surely not meant: a constant pattern of `match` or `search` that is no I-Regexp.
    public let warnings: [JSONPathError]

    /// Compiles a query; refuses what RFC 9535 calls not well-formed or not valid, ill-typed function calls included.
    public init(_ source: String) throws(JSONPathError) {
        var parser = PathParser(source)
        query = try parser.parse()
        cacheSize = parser.cacheSize
        warnings = parser.warnings
        self.source = source
    }

    /// Whether the query can select at most one value: only single names and indexes, no descent (RFC 9535 §2.3.5.1).
    public var isSingular: Bool { query.isSingular }

    /// The query as it was written.
    public var description: String { source }

    /// How many steps one evaluation takes at most, unless its caller gives a bound: about a second's work.
    public static let maximumSteps = 20_000_000
    /// How many values one evaluation selects at most; of `nodes(in:)`, each name and index of a path counts as one too.
    public static let maximumSelection = 2_000_000

    /// The selected values in the order of the nodelist; a value selected twice is there twice.
    ///
    /// - Throws: That the evaluation goes beyond `maximumSteps` or `maximumSelection`.
    public func values(in document: JSONValue) throws(JSONPathLimitError) -> [JSONValue] {
        var steps = JSONPath.maximumSteps
        return try values(in: document, steps: &steps)
    }

    /// The selected values, within a bound that several evaluations share.
    ///
    /// - Parameter steps: How many steps are left, which this evaluation takes its own off: one for each value that is
    ///   looked at, more for long texts and large values that a filter compares.
    /// - Throws: That the evaluation takes more steps than were left, or selects more than `maximumSelection`.
    public func values(in document: JSONValue, steps: inout Int) throws(JSONPathLimitError) -> [JSONValue] {
        if query.isSingular { return query.singularValue(from: document).map { [$0] } ?? [] }
        var selection = PathSelection(keepsValues: true)
        try evaluate(query, document, into: &selection, steps: &steps)
        return selection.values
    }

    /// The first selected value, or nil; stops looking as soon as it is found.
    ///
    /// - Throws: That the evaluation goes beyond `maximumSteps`.
    public func firstValue(in document: JSONValue) throws(JSONPathLimitError) -> JSONValue? {
        if query.isSingular { return query.singularValue(from: document) }
        var selection = PathSelection(limit: 1)
        var steps = JSONPath.maximumSteps
        try evaluate(query, document, into: &selection, steps: &steps)
        return selection.first
    }

    /// The selected values with their places, in the order of the nodelist.
    ///
    /// - Throws: That the evaluation goes beyond `maximumSteps` or `maximumSelection`.
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
                "\(source) selects more than \(JSONPath.maximumSelection / 1_000_000) million values; select fewer")
        }
        if steps < 0 {
            let count = limit.isMultiple(of: 1_000_000) ? "\(limit / 1_000_000) million" : String(limit)
            throw JSONPathLimitError(
                "\(source) takes more than \(count) steps on this document; use fewer .. or fewer filters inside of filters"
            )
        }
    }

    /// Where a query that selects nothing leaves the document.
    ///
    /// - Returns: The place (as `$.a[2]`) and value of the first node that the longest prefix selecting anything selects,
    ///   and the source text of the segment that selects nothing; nil when the query does select something, or when
    ///   finding out takes more than `maximumSteps`.
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

    /// Queries are equal when they are written alike.
    public static func == (left: JSONPath, right: JSONPath) -> Bool {
        left.source.utf8.elementsEqual(right.source.utf8)
    }

    /// Hashes in step with `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Array(source.utf8))
    }
}

/// A value that a path selected, with its place in the document.
public struct JSONPathNode: Sendable, Hashable {
    /// Where the value is.
    public let path: NormalizedPath
    /// The value.
    public let value: JSONValue

    /// Makes a node.
    public init(path: NormalizedPath, value: JSONValue) {
        self.path = path
        self.value = value
    }
}

/// Why and where a text is not a JSONPath.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, without the place and without a final full stop.
    public let message: String
    /// Where the offending part starts, counted in Unicode scalars from 0.
    public let offset: Int
    /// How long the offending part is in Unicode scalars; 0 at the end of the text.
    public let length: Int

    /// Makes an error.
    public init(message: String, offset: Int, length: Int) {
        self.message = message
        self.offset = offset
        self.length = length
    }

    /// The message and its place.
    public var description: String { "\(message) (character \(offset + 1))" }
}

/// An evaluation was given up because it took too long or selected too much.
public struct JSONPathLimitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence without a final full stop, with what to do.
    public let message: String

    init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
