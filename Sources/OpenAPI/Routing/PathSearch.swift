/// Finds the operation that a URL is for in a ``PathIndex``.
///
/// It finds what ``OperationRouter`` finds, or nothing where it cannot tell.
struct PathSearch {
    /// Where the texts of path parameters stand in the URL, in order.
    struct Values {
        /// How many parameters a path may have here.
        static let most = 8
        private var ranges = InlineArray<8, (start: Int, end: Int)>(repeating: (0, 0))

        subscript(_ index: Int) -> (start: Int, end: Int) {
            get { ranges[index] }
            set { ranges[index] = newValue }
        }
    }

    private enum Verdict {
        case found(Int)
        case nothing
        /// What the whole router says is not known.
        case unknown
    }

    private let index: PathIndex
    private let text: UnsafeBufferPointer<UInt8>
    private let method: UnsafeBufferPointer<UInt8>
    private var end = 0
    private var values = Values()
    /// How many segments are looked at.
    private static let mostSegments = 64

    init(index: PathIndex, text: UnsafeBufferPointer<UInt8>, method: UnsafeBufferPointer<UInt8>) {
        self.index = index
        self.text = text
        self.method = method
    }

    /// The operation of a URL to the host of some routes; nil when there is none, or that cannot be told here.
    ///
    /// - Parameter pathEnd: Where the URL's path ends.
    func find(_ routes: OriginRoutes, pathEnd: Int) -> (operation: Int, values: Values)? {
        var search = self
        search.end = pathEnd
        for (number, way) in routes.ways.enumerated() {
            guard let start = search.start(of: way, routes) else { continue }
            switch search.find(Int(index.roots[Int(way.group)]), start, 0, depth: 0) {
            case .found(let operation):
                // Which of several is the most concrete is not told here.
                return search.isOnly(number, routes) ? (operation, search.values) : nil
            case .nothing: continue
            case .unknown: return nil
            }
        }
        return nil
    }

    /// Whether a path means nothing when it is read in the same way for the servers that follow.
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

    /// Where the first segment begins when a path is read in a way; nil when it does not begin with the way's prefix.
    private func start(of way: OriginRoutes.Way, _ routes: OriginRoutes) -> Int? {
        let origin = routes.origin.count
        let count = Int(way.prefixCount)
        let rest = origin + count
        guard rest <= end else { return nil }
        let prefix = Int(way.prefix)
        for offset in 0..<count where text[origin + offset] != routes.prefixes[prefix + offset] { return nil }
        // Nothing behind a prefix is the path of one slash.
        if rest == end { return end }
        return text[rest] == UInt8(ascii: "/") ? rest + 1 : nil
    }

    private mutating func find(_ node: Int, _ start: Int, _ count: Int, depth: Int) -> Verdict {
        let place = index.nodes[node]
        guard start <= end else { return ending(of: place) }
        guard !place.isOpaque, depth < Self.mostSegments else { return .unknown }
        var stop = start
        var isPlain = true
        while stop < end, text[stop] != UInt8(ascii: "/") {
            if text[stop] == UInt8(ascii: "%") || text[stop] >= 0x80 { isPlain = false }
            stop += 1
        }
        if place.literalCount > 0 {
            // Escapes stand for what they encode.
            guard isPlain else { return .unknown }
            if let child = child(of: place, start, stop) {
                let verdict = find(child, stop + 1, count, depth: depth + 1)
                guard case .nothing = verdict else { return verdict }
            }
        }
        guard place.parameter >= 0, start < stop else { return .nothing }
        guard count < Values.most else { return .unknown }
        values[count] = (start, stop)
        return find(Int(place.parameter), stop + 1, count + 1, depth: depth + 1)
    }

    private func ending(of place: PathIndex.Node) -> Verdict {
        let first = Int(place.endings)
        for number in first..<first + Int(place.endingCount) {
            let ending = index.endings[number]
            guard Int(ending.methodCount) == method.count else { continue }
            let name = Int(ending.method)
            if method.indices.allSatisfy({ method[$0] == index.texts[name + $0] }) {
                return .found(Int(ending.operation))
            }
        }
        return .nothing
    }

    /// The node that a segment leads to; literals are in the order of their lengths, and then of their bytes.
    private func child(of place: PathIndex.Node, _ start: Int, _ stop: Int) -> Int? {
        var low = Int(place.literals)
        var high = low + Int(place.literalCount)
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

/// The path templates of all groups of servers as flat tables, for searches that make nothing.
final class PathIndex: Sendable {
    /// A place in a template, as ranges of the other tables.
    struct Node: Sendable {
        var literals: Int32 = 0
        var literalCount: Int32 = 0
        /// The node of a segment that is a parameter; -1 for none.
        var parameter: Int32 = -1
        var endings: Int32 = 0
        var endingCount: Int32 = 0
        /// Whether segments are compared here in ways that the tables cannot express.
        var isOpaque = false
    }

    /// A segment without parameters, and the node that it leads to.
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

        /// Adds a node of a tree whose first node has an index.
        mutating func append(_ node: PathTree.Node, _ first: Int32) {
            var own = Node()
            if node.parameter >= 0 { own.parameter = first + Int32(clamping: node.parameter) }
            // Texts are compared by their characters, which are bytes in ASCII alone.
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
    /// The first node of each group.
    let roots: [Int32]

    /// Makes the tables of trees, one for each group of servers.
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
