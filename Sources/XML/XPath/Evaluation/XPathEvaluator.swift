import Basics
import CLibXML2

/// The evaluation of an expression on a document (XPath 1.0).
///
/// A step visits each node at most once, regardless of the number of its context nodes, unless a predicate depends on
/// positions. All repeated work is charged to a budget, which also detects cancellation of the task.
///
/// This is a class, so that recursive calls share the budget.
final class XPathEvaluator {
    /// The context of an evaluation: a node, its position, and the context size.
    struct Context {
        let item: XPathItem
        var position = 1
        var size = 1
    }

    /// The maximum size of a constructed string in bytes.
    private static let maximumString = 64 << 20
    /// The number of bytes of text that count as one step.
    private static let bytesOfStep = 32

    let index: DocumentIndex
    let namespaces: [String: String]
    var budget: XPathBudget
    /// The namespaces in scope of elements whose namespace axis has been used.
    var scopes: [Int32: [XMLNamespace]] = [:]

    init(_ index: DocumentIndex, namespaces: [String: String], operations: Int) {
        self.index = index
        self.namespaces = namespaces
        budget = XPathBudget(operations)
    }

    /// Returns the value of a term in a context.
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

    /// Returns whether the value of a term is true; a path is evaluated only up to its first node.
    func isTrue(_ term: XPathTerm, _ context: Context) throws(XMLError) -> Bool {
        guard case .path(let start, let steps) = term, let last = steps.last, last.predicates.isEmpty else {
            return boolean(try value(term, context))
        }
        return try hasNode(last, from: follow(start, steps.dropLast(), context))
    }

    /// Returns the nodes that a sequence of steps selects.
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

    // MARK: Conversions

    /// Returns the nodes that a term selects; an empty array for another type, which the parser has ruled out.
    func nodes(_ term: XPathTerm, _ context: Context) throws(XMLError) -> [XPathItem] {
        if case .nodes(let items) = try value(term, context) { items } else { [] }
    }

    /// Returns the value of a term as a number.
    func number(_ term: XPathTerm, _ context: Context) throws(XMLError) -> Double {
        try number(value(term, context))
    }

    /// Returns the value of a term as a string.
    func string(_ term: XPathTerm, _ context: Context) throws(XMLError) -> [UInt8] {
        try string(value(term, context))
    }

    /// Converts a value to a boolean (section 4.3).
    func boolean(_ value: XPathResult) -> Bool {
        switch value {
        case .nodes(let items): !items.isEmpty
        case .string(let bytes): !bytes.isEmpty
        case .number(let number): number != 0 && !number.isNaN
        case .boolean(let flag): flag
        }
    }

    /// Converts a value to a number (section 4.4).
    func number(_ value: XPathResult) throws(XMLError) -> Double {
        switch value {
        case .number(let number): return number
        case .boolean(let flag): return flag ? 1 : 0
        case .string(let bytes): return XPathNumber.parse(bytes)
        case .nodes: return XPathNumber.parse(try string(value))
        }
    }

    /// Converts a value to a string (section 4.2).
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

    /// Returns the string-value of a node (section 5).
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

    /// Charges work on a string to the budget.
    func spend(bytes: Int) throws(XMLError) { try budget.spend(bytes / Self.bytesOfStep) }

    /// Appends text to a constructed string.
    func append(_ text: some Collection<UInt8>, to bytes: inout [UInt8]) throws(XMLError) {
        try spend(bytes: text.count)
        guard bytes.count + text.count <= Self.maximumString else { throw Self.tooLong }
        bytes += text
    }

    private static var tooLong: XMLError {
        XMLError(kind: .limit, message: "the expression creates a string of more than \(maximumString) bytes")
    }
}

/// Operators (XPath 1.0, sections 3.4 and 3.5).
extension XPathEvaluator {
    /// Applies an operator to a value and a term, which is evaluated only if necessary.
    func apply(
        _ operator: XPathOperator, _ left: XPathResult, _ right: XPathTerm, _ context: Context
    ) throws(XMLError) -> XPathResult {
        switch `operator` {
        case .or: return .boolean(boolean(left) ? true : try isTrue(right, context))
        case .and: return .boolean(boolean(left) ? try isTrue(right, context) : false)
        case .equal: return .boolean(try areEqual(left, value(right, context), isNegated: false))
        case .unequal: return .boolean(try areEqual(left, value(right, context), isNegated: true))
        case .less: return .boolean(try compare(left, value(right, context), <))
        case .lessOrEqual: return .boolean(try compare(left, value(right, context), <=))
        case .greater: return .boolean(try compare(left, value(right, context), >))
        case .greaterOrEqual: return .boolean(try compare(left, value(right, context), >=))
        case .add: return .number(try number(left) + number(right, context))
        case .subtract: return .number(try number(left) - number(right, context))
        case .multiply: return .number(try number(left) * number(right, context))
        case .divide: return .number(try number(left) / number(right, context))
        case .modulo: return .number(try number(left).truncatingRemainder(dividingBy: number(right, context)))
        case .union: return .nodes(try ordered(items(left) + nodes(right, context)))
        }
    }

    private func items(_ value: XPathResult) -> [XPathItem] {
        if case .nodes(let items) = value { items } else { [] }
    }

    /// Returns whether two values, or any of their nodes, are equal; if negated, whether they differ.
    private func areEqual(_ left: XPathResult, _ right: XPathResult, isNegated: Bool) throws(XMLError) -> Bool {
        switch (left, right) {
        case (.nodes(let left), .nodes(let right)): return try isNegated ? differ(left, right) : share(left, right)
        case (.nodes(let items), let other), (let other, .nodes(let items)):
            if case .boolean(let flag) = other { return (!items.isEmpty == flag) != isNegated }
            for item in items {
                try budget.spend(1)
                let text = try stringValue(of: item)
                let isEqual: Bool
                if case .number(let number) = other {
                    isEqual = XPathNumber.parse(text) == number
                } else {
                    isEqual = text == (try string(other))
                }
                if isEqual != isNegated { return true }
            }
            return false
        case (.boolean, _), (_, .boolean): return (boolean(left) == boolean(right)) != isNegated
        case (.number, _), (_, .number): return (try number(left) == number(right)) != isNegated
        case (.string(let left), .string(let right)): return (left == right) != isNegated
        }
    }

    /// Returns whether two node-sets contain nodes with the same string-value.
    private func share(_ left: [XPathItem], _ right: [XPathItem]) throws(XMLError) -> Bool {
        let (few, many) = left.count < right.count ? (left, right) : (right, left)
        var texts: Set<[UInt8]> = []
        for item in few { texts.insert(try stringValue(of: item)) }
        if texts.isEmpty { return false }
        for item in many {
            try budget.spend(1)
            if texts.contains(try stringValue(of: item)) { return true }
        }
        return false
    }

    /// Returns whether two node-sets contain nodes with different string-values.
    private func differ(_ left: [XPathItem], _ right: [XPathItem]) throws(XMLError) -> Bool {
        guard let first = left.first, !right.isEmpty else { return false }
        // They do, unless all nodes have the same string-value.
        let text = try stringValue(of: first)
        for item in left + right {
            try budget.spend(1)
            if try stringValue(of: item) != text { return true }
        }
        return false
    }

    /// Returns whether an order holds between two values, or any of their nodes.
    private func compare(
        _ left: XPathResult, _ right: XPathResult, _ isOrdered: (Double, Double) -> Bool
    ) throws(XMLError) -> Bool {
        // In a comparison with a boolean, a node-set is converted to a boolean too.
        switch (left, right) {
        case (.boolean(let flag), .nodes(let items)): return isOrdered(flag ? 1 : 0, items.isEmpty ? 0 : 1)
        case (.nodes(let items), .boolean(let flag)): return isOrdered(items.isEmpty ? 0 : 1, flag ? 1 : 0)
        default: break
        }
        let left = try extremes(left)
        let right = try extremes(right)
        guard let left, let right else { return false }
        return isOrdered(left.minimum, right.greatest) || isOrdered(left.greatest, right.minimum)
    }

    /// Returns the minimum and maximum of a value's numbers; nil if it has none.
    private func extremes(_ value: XPathResult) throws(XMLError) -> (minimum: Double, greatest: Double)? {
        guard case .nodes(let items) = value else {
            let number = try number(value)
            return number.isNaN ? nil : (number, number)
        }
        var found: (minimum: Double, greatest: Double)?
        for item in items {
            try budget.spend(1)
            let number = XPathNumber.parse(try stringValue(of: item))
            if number.isNaN { continue }
            found = (min(found?.minimum ?? number, number), max(found?.greatest ?? number, number))
        }
        return found
    }
}

/// The budget of steps of an evaluation, which also checks for cancellation.
struct XPathBudget {
    /// The number of steps between two checks for cancellation: less than a tenth of a millisecond.
    private static let interval = 4096

    private var left: Int
    private var untilCheck = Self.interval

    /// Creates a budget with the given number of steps.
    init(_ operations: Int) { left = max(1, operations) }

    /// Charges steps.
    ///
    /// - Throws: ``XMLError`` if the budget is exhausted or the task is cancelled.
    @inline(__always)
    mutating func spend(_ count: Int) throws(XMLError) {
        left -= count
        untilCheck -= count
        if left < 0 || untilCheck < 0 { try check() }
    }

    private mutating func check() throws(XMLError) {
        guard left >= 0 else {
            throw XMLError(kind: .limit, message: "the expression takes too long on this document")
        }
        if Task.isCancelled { throw .cancelled }
        untilCheck = Self.interval
    }
}

extension XMLError {
    /// The error of a cancelled evaluation.
    static let cancelled = XMLError(kind: .cancelled, message: "the evaluation was canceled")
}
