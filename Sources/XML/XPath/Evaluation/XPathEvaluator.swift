import CLibXML2

/// The evaluation of one expression over one document (XPath 1.0).
///
/// Each step from nodes to others visits a node at most once, however many nodes it starts from, unless a predicate depends
/// on positions. Everything that repeats is paid for from a budget, which also notices that the task is cancelled.
///
/// A class, so that recursion shares the budget.
final class XPathEvaluator {
    /// The node, and its position among others, at which a part of the expression is evaluated.
    struct Context {
        let item: XPathItem
        var position = 1
        var size = 1
    }

    /// The maximum length of a string that is put together, in bytes.
    private static let maximumString = 64 << 20
    /// The number of bytes of text that count as one step.
    private static let bytesOfStep = 32

    let index: DocumentIndex
    let namespaces: [String: String]
    var budget: XPathBudget
    /// The namespaces in scope of elements on whose namespace axis the expression has been.
    var scopes: [Int32: [XMLNamespace]] = [:]

    init(_ index: DocumentIndex, namespaces: [String: String], operations: Int) {
        self.index = index
        self.namespaces = namespaces
        budget = XPathBudget(operations)
    }

    /// The value of a term at a node.
    func value(_ term: XPathTerm, _ context: Context) throws(XMLError) -> XPathResult {
        try budget.spend(1)
        switch term {
        case .literal(let bytes): return .string(bytes)
        case .number(let number): return .number(number)
        case .negation(let term): return .number(-(try number(term, context)))
        case .union(let terms):
            var all: [XPathItem] = []
            for term in terms {
                all += try nodes(term, context)
                if isCrowded(all) { all = try ordered(all) }
            }
            return .nodes(try ordered(all))
        case .call(let name, let arguments): return try call(name, arguments, context)
        case .filter(let term, let predicates):
            var items = try nodes(term, context)
            for predicate in predicates { items = try filter(items, predicate) }
            return .nodes(items)
        case .path(let start, let steps): return .nodes(try follow(start, steps[...], context))
        case .chain(let first, let rest):
            var left = try value(first, context)
            for (`operator`, right) in rest { left = try apply(`operator`, left, right, context) }
            return left
        }
    }

    /// Whether the value of a term is true; a path is followed no further than to the first node.
    func isTrue(_ term: XPathTerm, _ context: Context) throws(XMLError) -> Bool {
        guard case .path(let start, let steps) = term, let last = steps.last, last.predicates.isEmpty else {
            return boolean(try value(term, context))
        }
        return try hasNode(last, from: follow(start, steps.dropLast(), context))
    }

    /// The nodes to which steps lead.
    private func follow(
        _ start: XPathStart, _ steps: ArraySlice<XPathStep>, _ context: Context
    ) throws(XMLError) -> [XPathItem] {
        var items: [XPathItem]
        switch start {
        case .context: items = [context.item]
        case .root: items = [XPathItem(0)]
        case .nodes(let term): items = try nodes(term, context)
        }
        for step in steps {
            if items.isEmpty { break }
            items = try apply(step, to: items)
        }
        return items
    }

    // MARK: Values of a type

    /// The nodes that a term selects; none for a value of another type, which the parser has ruled out.
    func nodes(_ term: XPathTerm, _ context: Context) throws(XMLError) -> [XPathItem] {
        if case .nodes(let items) = try value(term, context) { items } else { [] }
    }

    /// The value of a term as a number.
    func number(_ term: XPathTerm, _ context: Context) throws(XMLError) -> Double {
        try number(value(term, context))
    }

    /// The value of a term as a string.
    func string(_ term: XPathTerm, _ context: Context) throws(XMLError) -> [UInt8] {
        try string(value(term, context))
    }

    /// A value as a boolean (section 4.3).
    func boolean(_ value: XPathResult) -> Bool {
        switch value {
        case .nodes(let items): !items.isEmpty
        case .string(let bytes): !bytes.isEmpty
        case .number(let number): number != 0 && !number.isNaN
        case .boolean(let flag): flag
        }
    }

    /// A value as a number (section 4.4).
    func number(_ value: XPathResult) throws(XMLError) -> Double {
        switch value {
        case .number(let number): return number
        case .boolean(let flag): return flag ? 1 : 0
        case .string(let bytes): return XPathNumber.parse(bytes)
        case .nodes: return XPathNumber.parse(try string(value))
        }
    }

    /// A value as a string (section 4.2).
    func string(_ value: XPathResult) throws(XMLError) -> [UInt8] {
        switch value {
        case .string(let bytes): return bytes
        case .number(let number): return Array(XPathNumber.text(number).utf8)
        case .boolean(let flag): return Array((flag ? "true" : "false").utf8)
        case .nodes(let items):
            guard let first = items.first else { return [] }
            return try stringValue(of: first)
        }
    }

    /// The string-value of a node (section 5).
    func stringValue(of item: XPathItem) throws(XMLError) -> [UInt8] {
        if let namespace = namespace(item) { return Array((namespace.uri ?? "").utf8) }
        let entry = index.entries[Int(item.index)]
        var bytes: [UInt8] = []
        switch entry.kind {
        case .document, .element:
            var position = Int(entry.content)
            while position < Int(entry.end) {
                try budget.spend(1)
                let inner = index.entries[position]
                if inner.kind == .text || inner.kind == .entityReference { try append(inner, to: &bytes) }
                position += 1
            }
        case .attribute, .text, .comment, .instruction, .entityReference: try append(entry, to: &bytes)
        }
        return bytes
    }

    /// Appends the text of a node without descendants.
    private func append(_ entry: DocumentIndex.Entry, to bytes: inout [UInt8]) throws(XMLError) {
        let before = bytes.count
        if let content = clx_node_content(entry.pointer) {
            let text = UnsafeBufferPointer(start: content, count: clx_text_length(content))
            text.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) }
        } else if entry.kind == .attribute || entry.kind == .entityReference {
            bytes.append(contentsOf: TreeBuilder.stringValue(entry.pointer).utf8)
        }
        try spend(bytes: bytes.count - before)
        guard bytes.count <= Self.maximumString else { throw Self.tooLong }
    }

    /// Pays for work on a text.
    func spend(bytes: Int) throws(XMLError) { try budget.spend(bytes / Self.bytesOfStep) }

    /// Appends text to a string that is put together.
    func append(_ text: some Collection<UInt8>, to bytes: inout [UInt8]) throws(XMLError) {
        try spend(bytes: text.count)
        guard bytes.count + text.count <= Self.maximumString else { throw Self.tooLong }
        bytes += text
    }

    private static var tooLong: XMLError {
        XMLError(kind: .limit, message: "the expression makes a string of more than \(maximumString) bytes")
    }
}
