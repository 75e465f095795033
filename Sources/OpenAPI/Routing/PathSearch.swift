/// A search for the operation of a URL in a ``PathIndex``.
///
/// The search finds the same operation as ``OperationRouter``, or nothing if it cannot decide.
struct PathSearch {
    /// The ranges of the path parameters in the URL, in order.
    struct Values {
        /// The maximum number of parameters in a path.
        static let maximum = 8
        private var ranges = InlineArray<8, (start: Int, end: Int)>(repeating: (0, 0))

        subscript(_ index: Int) -> (start: Int, end: Int) {
            get { ranges[index] }
            set { ranges[index] = newValue }
        }
    }

    private enum Verdict {
        case found(Int)
        case nothing
        /// The search cannot decide, so the result requires the full router.
        case unknown
    }

    private let index: PathIndex
    private let text: UnsafeBufferPointer<UInt8>
    private let method: UnsafeBufferPointer<UInt8>
    private var end = 0
    private var values = Values()
    /// The maximum number of segments to inspect.
    private static let maximumSegments = 64

    init(index: PathIndex, text: UnsafeBufferPointer<UInt8>, method: UnsafeBufferPointer<UInt8>) {
        self.index = index
        self.text = text
        self.method = method
    }

    /// Returns the operation of a URL on the host of some routes, or `nil` if there is none or the search cannot
    /// decide.
    ///
    /// - Parameter pathEnd: The index at which the URL's path ends.
    func find(_ routes: OriginRoutes, pathEnd: Int) -> (operation: Int, values: Values)? {
        var search = self
        search.end = pathEnd
        for (number, way) in routes.ways.enumerated() {
            guard let start = search.start(of: way, routes) else { continue }
            switch search.find(Int(index.roots[Int(way.group)]), start, 0, depth: 0) {
            case .found(let operation):
                // The search does not compare the templates of several matches.
                return search.isOnly(number, routes) ? (operation, search.values) : nil
            case .nothing: continue
            case .unknown: return nil
            }
        }
        return nil
    }

    /// Returns whether a path has no match in the remaining groups of the same reading.
    private func isOnly(_ number: Int, _ routes: OriginRoutes) -> Bool {
        for way in routes.ways[(number + 1)...] {
            guard way.reading == routes.ways[number].reading else { return true }
            guard let start = start(of: way, routes) else { continue }
            var search = self
            switch search.find(Int(index.roots[Int(way.group)]), start, 0, depth: 0) {
            case .found, .unknown: return false
            case .nothing: continue
            }
        }
        return true
    }

    /// Returns the start of the first segment after a prefix, or `nil` if the path does not start with the prefix.
    private func start(of way: OriginRoutes.Way, _ routes: OriginRoutes) -> Int? {
        let origin = routes.origin.count
        let count = Int(way.prefixCount)
        let rest = origin + count
        guard rest <= end else { return nil }
        let prefix = Int(way.prefix)
        for offset in 0..<count where text[origin + offset] != routes.prefixes[prefix + offset] { return nil }
        // An empty rest is equivalent to the path `/`.
        if rest == end { return end }
        return text[rest] == UInt8(ascii: "/") ? rest + 1 : nil
    }

    private mutating func find(_ node: Int, _ start: Int, _ count: Int, depth: Int) -> Verdict {
        let location = index.nodes[node]
        guard start <= end else { return ending(of: location) }
        guard !location.isOpaque, depth < Self.maximumSegments else { return .unknown }
        var stop = start
        var isPlain = true
        while stop < end, text[stop] != UInt8(ascii: "/") {
            if text[stop] == UInt8(ascii: "%") || text[stop] >= 0x80 { isPlain = false }
            stop += 1
        }
        if location.literalCount > 0 {
            // Percent-encoded bytes need decoding.
            guard isPlain else { return .unknown }
            if let child = child(of: location, start, stop) {
                let verdict = find(child, stop + 1, count, depth: depth + 1)
                guard case .nothing = verdict else { return verdict }
            }
        }
        guard location.parameter >= 0, start < stop else { return .nothing }
        guard count < Values.maximum else { return .unknown }
        values[count] = (start, stop)
        return find(Int(location.parameter), stop + 1, count + 1, depth: depth + 1)
    }

    private func ending(of location: PathIndex.Node) -> Verdict {
        let first = Int(location.endings)
        for number in first..<first + Int(location.endingCount) {
            let ending = index.endings[number]
            guard Int(ending.methodCount) == method.count else { continue }
            let name = Int(ending.method)
            if method.indices.allSatisfy({ method[$0] == index.texts[name + $0] }) {
                return .found(Int(ending.operation))
            }
        }
        return .nothing
    }

    /// Returns the node of a literal segment. Literals are sorted by length and then by bytes.
    private func child(of location: PathIndex.Node, _ start: Int, _ stop: Int) -> Int? {
        var low = Int(location.literals)
        var high = low + Int(location.literalCount)
        while low < high {
            let middle = low + (high - low) / 2
            let literal = index.literals[middle]
            var order = Int(literal.count) - (stop - start)
            var offset = 0
            while order == 0, offset < Int(literal.count) {
                order = Int(index.texts[Int(literal.text) + offset]) - Int(text[start + offset])
                offset += 1
            }
            if order == 0 { return Int(literal.node) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}

/// The path templates of all server groups as flat tables, for searches without allocations.
final class PathIndex: Sendable {
    /// A node of a path tree, as ranges of the other tables.
    struct Node: Sendable {
        var literals: Int32 = 0
        var literalCount: Int32 = 0
        /// The node after a parameter segment, or -1 if there is none.
        var parameter: Int32 = -1
        var endings: Int32 = 0
        var endingCount: Int32 = 0
        /// Whether the node compares segments in ways that the tables cannot express.
        var isOpaque = false
    }

    /// A literal segment with its node.
    struct Literal: Sendable {
        let text: Int32
        let count: Int32
        let node: Int32
    }

    /// An operation of a template.
    struct Ending: Sendable {
        let method: Int32
        let methodCount: Int32
        let operation: Int32
    }

    private struct Tables {
        var nodes: [Node] = []
        var literals: [Literal] = []
        var endings: [Ending] = []
        var texts: [UInt8] = []

        /// Appends a node of a tree whose first node has an index.
        mutating func append(_ node: PathTree.Node, _ first: Int32) {
            var own = Node()
            if node.parameter >= 0 { own.parameter = first + Int32(clamping: node.parameter) }
            // Strings compare by characters, which equal bytes only in ASCII.
            own.isOpaque = !node.mixed.isEmpty || node.literals.keys.contains { !$0.utf8.allSatisfy { $0 < 0x80 } }
            own.literals = Int32(clamping: literals.count)
            own.literalCount = Int32(clamping: node.literals.count)
            let sorted = node.literals.map { (bytes: Array($0.key.utf8), node: $0.value) }.sorted { left, right in
                left.bytes.count == right.bytes.count
                    ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.bytes.count < right.bytes.count
            }
            for (bytes, child) in sorted {
                let text = add(bytes)
                literals.append(
                    Literal(text: text, count: Int32(clamping: bytes.count), node: first + Int32(clamping: child)))
            }
            own.endings = Int32(clamping: endings.count)
            own.endingCount = Int32(clamping: node.operations.count)
            for (method, operation) in node.operations.sorted(by: { $0.value < $1.value }) {
                let text = add(Array(method.utf8))
                endings.append(
                    Ending(
                        method: text, methodCount: Int32(clamping: method.utf8.count),
                        operation: Int32(clamping: operation)))
            }
            nodes.append(own)
        }

        private mutating func add(_ bytes: [UInt8]) -> Int32 {
            texts += bytes
            return Int32(clamping: texts.count - bytes.count)
        }
    }

    let nodes: [Node]
    let literals: [Literal]
    let endings: [Ending]
    /// The bytes of segments and methods.
    let texts: [UInt8]
    /// The root node of each group.
    let roots: [Int32]

    /// Creates the tables from one tree for each server group.
    init(_ trees: [PathTree]) {
        var tables = Tables()
        roots = trees.map { tree in
            let first = Int32(clamping: tables.nodes.count)
            for node in tree.nodes { tables.append(node, first) }
            return first
        }
        nodes = tables.nodes
        literals = tables.literals
        endings = tables.endings
        texts = tables.texts
    }
}
