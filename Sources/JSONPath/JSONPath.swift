public import JSON

/// A compiled JSONPath query (RFC 9535): checked once, evaluated as often as needed.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    /// The query as it was written.
    public let source: String
    private let query: PathQuery
    /// How many results of absolute queries inside filters are kept during an evaluation.
    private let cacheSize: Int

    /// Compiles a query; refuses what RFC 9535 calls not well-formed or not valid, ill-typed function calls included.
    public init(_ source: String) throws(JSONPathError) {
        var parser = PathParser(source)
        query = try parser.parse()
        cacheSize = parser.cacheSize
        self.source = source
    }

    /// Whether the query can select at most one value: only single names and indexes, no descent (RFC 9535 §2.3.5.1).
    public var isSingular: Bool { query.isSingular }

    /// The query as it was written.
    public var description: String { source }

    /// The selected values in the order of the nodelist; a value selected twice is there twice.
    public func values(in document: JSONValue) -> [JSONValue] {
        if query.isSingular { return query.singularValue(from: document).map { [$0] } ?? [] }
        var evaluator = PathEvaluator(root: document, cacheSize: cacheSize)
        var selection = PathSelection(keepsValues: true)
        evaluator.evaluate(query, at: document, into: &selection)
        return selection.values
    }

    /// The first selected value, or nil; stops looking as soon as it is found.
    public func firstValue(in document: JSONValue) -> JSONValue? {
        if query.isSingular { return query.singularValue(from: document) }
        var evaluator = PathEvaluator(root: document, cacheSize: cacheSize)
        var selection = PathSelection(limit: 1)
        evaluator.evaluate(query, at: document, into: &selection)
        return selection.first
    }

    /// The selected values with their places, in the order of the nodelist.
    public func nodes(in document: JSONValue) -> [JSONPathNode] {
        var evaluator = PathEvaluator(root: document, cacheSize: cacheSize)
        var selection = PathSelection(keepsValues: true, keepsPaths: true)
        evaluator.evaluate(query, at: document, into: &selection)
        return zip(selection.paths, selection.values).map { JSONPathNode(path: NormalizedPath($0), value: $1) }
    }

    /// Where a query that selects nothing leaves the document.
    ///
    /// - Returns: The place (as `$.a[2]`) and value of the first node that the longest prefix selecting anything selects,
    ///   and the source text of the segment that selects nothing; nil when the query does select something.
    public func nearestExisting(in document: JSONValue) -> (path: String, value: JSONValue, missing: String)? {
        var nearest = (path: NormalizedPath(), value: document)
        for count in 1...max(1, query.segments.count) {
            guard count <= query.segments.count else { return nil }
            var prefix = query
            prefix.segments.removeLast(query.segments.count - count)
            var evaluator = PathEvaluator(root: document, cacheSize: cacheSize)
            var selection = PathSelection(limit: 1, keepsValues: true, keepsPaths: true)
            evaluator.evaluate(prefix, at: document, into: &selection)
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
