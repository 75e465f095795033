import CLibXML2

/// Location steps (XPath 1.0 section 2).
extension XPathEvaluator {
    /// A node test whose names are looked up in the document.
    enum Test {
        case any, text, comment
        /// The number of a target; -1 for any, -2 for one that no node has.
        case instruction(Int32)
        /// The numbers of name and namespace of nodes of a kind; -1 for any, -2 for one that no node has.
        case name(Int32, space: Int32, DocumentIndex.Kind)
        /// A prefix of a namespace; nil for any.
        case prefix(String?)
    }

    /// The nodes to which a step leads from others.
    func apply(_ step: XPathStep, to items: [XPathItem]) throws(XMLError) -> [XPathItem] {
        let test = try test(step)
        guard step.isPositional else {
            var found = try all(step.axis, test, from: items)
            for predicate in step.predicates { found = try filter(found, predicate) }
            return found
        }
        var found: [XPathItem] = []
        for item in items {
            try budget.spend(1)
            var nodes = try list(step.axis, test, from: item, limit: step.predicates[0].position)
            for predicate in step.predicates { nodes = try filter(nodes, predicate) }
            found += nodes
            if isCrowded(found) { found = try ordered(found) }
        }
        return try ordered(found)
    }

    /// Whether a step without predicates leads to a node.
    func hasNode(_ step: XPathStep, from items: [XPathItem]) throws(XMLError) -> Bool {
        guard items.count == 1 else { return try !apply(step, to: items).isEmpty }
        return try !list(step.axis, test(step), from: items[0], limit: 1).isEmpty
    }

    /// The nodes that satisfy a predicate, in whose order positions are counted.
    func filter(_ items: [XPathItem], _ predicate: XPathPredicate) throws(XMLError) -> [XPathItem] {
        if let position = predicate.position {
            guard let index = Int(exactly: position), index >= 1, index <= items.count else { return [] }
            return [items[index - 1]]
        }
        var found: [XPathItem] = []
        for (offset, item) in items.enumerated() {
            let context = Context(item: item, position: offset + 1, size: items.count)
            if !predicate.isPositional {
                if try isTrue(predicate.term, context) { found.append(item) }
                continue
            }
            let value = try value(predicate.term, context)
            if case .number(let number) = value {
                if number == Double(offset + 1) { found.append(item) }
            } else if boolean(value) {
                found.append(item)
            }
        }
        return found
    }

    /// Whether nodes are in a list so often that it takes much more memory than the document's nodes.
    func isCrowded(_ items: [XPathItem]) -> Bool { items.count > 1024 + 4 * index.entries.count }

    /// Nodes in document order, each once.
    func ordered(_ items: [XPathItem]) throws(XMLError) -> [XPathItem] {
        try budget.spend(items.count)
        var isOrdered = true
        for position in items.indices.dropFirst() where items[position - 1] >= items[position] {
            isOrdered = false
            break
        }
        if isOrdered { return items }
        // A comparison is much less than a step.
        try budget.spend(items.count)
        var unique: [XPathItem] = []
        unique.reserveCapacity(items.count)
        for item in items.sorted() where item != unique.last { unique.append(item) }
        return unique
    }

    // MARK: Node tests

    private func test(_ step: XPathStep) throws(XMLError) -> Test {
        switch step.test {
        case .any: return .any
        case .text: return .text
        case .comment: return .comment
        case .instruction(let target): return .instruction(target.map { index.number(ofName: $0) ?? -2 } ?? -1)
        case .name(let prefix, let localName):
            // Of namespaces, prefixes are the names, which are in no namespace.
            if step.axis == .namespace { return .prefix(prefix == nil ? localName : "\u{0}") }
            var space: Int32 = localName == nil ? -1 : 0
            if let prefix { space = index.number(ofNamespace: try uri(of: prefix)) ?? -2 }
            let name = localName.map { index.number(ofName: $0) ?? -2 } ?? -1
            return .name(name, space: space, step.axis == .attribute ? .attribute : .element)
        }
    }

    /// The namespace that a prefix of the expression stands for.
    func uri(of prefix: String) throws(XMLError) -> String {
        if let uri = namespaces[prefix] { return uri }
        guard prefix == "xml" else { throw XMLError(kind: .xpath, message: "the namespace prefix is not bound") }
        return Self.xmlNamespace.uri ?? ""
    }

    /// Whether a node that is no namespace passes a test.
    private func passes(_ position: Int32, _ test: Test) -> Bool {
        let entry = index.entries[Int(position)]
        switch test {
        case .any: return entry.kind != .entityReference
        case .text: return entry.kind == .text
        case .comment: return entry.kind == .comment
        case .instruction(let target): return entry.kind == .instruction && (target == -1 || target == entry.name)
        case .name(let name, let space, let kind):
            return entry.kind == kind && (name == -1 || name == entry.name) && (space == -1 || space == entry.space)
        case .prefix: return false
        }
    }

    private func passes(_ item: XPathItem, _ test: Test) -> Bool {
        guard let namespace = namespace(item) else { return passes(item.index, test) }
        switch test {
        case .any: return true
        case .prefix(let prefix): return prefix == nil || prefix == namespace.prefix
        case .text, .comment, .instruction, .name: return false
        }
    }

    // MARK: Axes from many nodes

    /// The nodes on the axes of nodes that pass a test, each once, in document order.
    private func all(_ axis: XPathAxis, _ test: Test, from items: [XPathItem]) throws(XMLError) -> [XPathItem] {
        // A single node has each other node on an axis once.
        if items.count == 1 {
            let found = try list(axis, test, from: items[0], limit: nil)
            return axis.isReverse ? found.reversed() : found
        }
        var found: [XPathItem] = []
        switch axis {
        case .self:
            try budget.spend(items.count)
            return items.filter { passes($0, test) }
        case .parent, .child, .attribute, .namespace:
            for item in items { try visit(axis, from: item) { if passes($0, test) { found.append($0) } } }
        case .descendant, .descendantOrSelf:
            var covered: Int32 = 0
            for item in items {
                let entry = index.entries[Int(item.index)]
                if item.namespace > 0 || entry.kind == .attribute {
                    if axis == .descendantOrSelf, passes(item, test) { found.append(item) }
                } else if item.index >= covered {
                    try visit(axis, from: item) { if passes($0, test) { found.append($0) } }
                    covered = entry.end
                }
            }
        case .following:
            // What follows the node that ends first follows all others.
            guard let first = items.min(by: { end(of: $0) < end(of: $1) }) else { return [] }
            try budget.spend(items.count)
            try visit(axis, from: first) { if passes($0, test) { found.append($0) } }
        case .preceding:
            guard let last = items.last else { return [] }
            try visit(axis, from: last) { if passes($0, test) { found.append($0) } }
        case .ancestor, .ancestorOrSelf:
            var visited: Set<XPathItem> = []
            for item in items {
                var next: XPathItem? = axis == .ancestorOrSelf ? item : parent(of: item)
                while let current = next, visited.insert(current).inserted {
                    try budget.spend(1)
                    if passes(current, test) { found.append(current) }
                    next = parent(of: current)
                }
            }
        case .followingSibling, .precedingSibling:
            // The siblings of the first or last child of a parent are those of its others too.
            var parents: Set<Int32> = []
            for item in axis == .followingSibling ? items : items.reversed() {
                try budget.spend(1)
                guard isChild(item), parents.insert(index.entries[Int(item.index)].parent).inserted else { continue }
                try visit(axis, from: item) { if passes($0, test) { found.append($0) } }
            }
        }
        return try ordered(found)
    }

    /// The nodes on the axis of one node that pass a test, in the order of the axis.
    ///
    /// - Parameter limit: The position of the last one that is needed; nil for all.
    private func list(
        _ axis: XPathAxis, _ test: Test, from item: XPathItem, limit: Double?
    ) throws(XMLError) -> [XPathItem] {
        var found: [XPathItem] = []
        let most = limit.flatMap { Int(exactly: $0) } ?? Int.max
        try visit(axis, from: item, while: { found.count < most }) { if passes($0, test) { found.append($0) } }
        return found
    }

    // MARK: The axis of a node

    private func visit(
        _ axis: XPathAxis, from item: XPathItem, while isWanted: () -> Bool = { true }, _ body: (XPathItem) -> Void
    ) throws(XMLError) {
        let entry = index.entries[Int(item.index)]
        switch axis {
        case .self: body(item)
        case .parent: if let parent = parent(of: item) { body(parent) }
        case .ancestor, .ancestorOrSelf:
            var next: XPathItem? = axis == .ancestorOrSelf ? item : parent(of: item)
            while let current = next, isWanted() {
                try budget.spend(1)
                body(current)
                next = parent(of: current)
            }
        case .attribute:
            guard item.namespace == 0, entry.kind == .element else { return }
            for position in item.index + 1..<entry.content where isWanted() {
                try budget.spend(1)
                body(XPathItem(position))
            }
        case .child:
            guard item.namespace == 0 else { return }
            try visitSiblings(from: entry.content, to: entry.end, while: isWanted, body)
        case .descendant, .descendantOrSelf:
            if axis == .descendantOrSelf { body(item) }
            guard item.namespace == 0 else { return }
            try visit(entry.content, to: entry.end, while: isWanted, body)
        case .following: try visit(end(of: item), to: Int32(index.entries.count), while: isWanted, body)
        case .followingSibling:
            guard isChild(item) else { return }
            let end = index.entries[Int(entry.parent)].end
            try visitSiblings(from: entry.end, to: end, while: isWanted, body)
        case .preceding:
            var position = item.index - 1
            while position > 0, isWanted() {
                try budget.spend(1)
                let other = index.entries[Int(position)]
                if other.kind != .attribute, other.end <= item.index { body(XPathItem(position)) }
                position -= 1
            }
        case .precedingSibling:
            guard isChild(item) else { return }
            var position = entry.previous
            while position > 0, isWanted() {
                try budget.spend(1)
                body(XPathItem(position))
                position = index.entries[Int(position)].previous
            }
        case .namespace:
            guard item.namespace == 0, entry.kind == .element else { return }
            let count = try scope(of: item.index).count
            for number in 0..<count where isWanted() {
                try budget.spend(1)
                body(XPathItem(namespace: Int32(number + 1), of: item.index))
            }
        }
    }

    /// Visits a range of nodes, without attributes.
    private func visit(
        _ start: Int32, to end: Int32, while isWanted: () -> Bool, _ body: (XPathItem) -> Void
    ) throws(XMLError) {
        var position = start
        while position < end, isWanted() {
            try budget.spend(1)
            if index.entries[Int(position)].kind != .attribute { body(XPathItem(position)) }
            position += 1
        }
    }

    /// Visits nodes that follow each other as children of one.
    private func visitSiblings(
        from start: Int32, to end: Int32, while isWanted: () -> Bool, _ body: (XPathItem) -> Void
    ) throws(XMLError) {
        var position = start
        while position < end, isWanted() {
            try budget.spend(1)
            body(XPathItem(position))
            position = index.entries[Int(position)].end
        }
    }

    /// Whether a node is a child of its parent, as attributes and namespaces are not.
    private func isChild(_ item: XPathItem) -> Bool {
        guard item.namespace == 0 else { return false }
        let entry = index.entries[Int(item.index)]
        return entry.kind != .attribute && entry.parent >= 0
    }

    /// The position at which the nodes that follow a node begin.
    private func end(of item: XPathItem) -> Int32 {
        item.namespace > 0 ? item.index + 1 : index.entries[Int(item.index)].end
    }

    private func parent(of item: XPathItem) -> XPathItem? {
        if item.namespace > 0 { return XPathItem(item.index) }
        let parent = index.entries[Int(item.index)].parent
        return parent >= 0 ? XPathItem(parent) : nil
    }

    // MARK: Namespaces

    static let xmlNamespace = XMLNamespace(prefix: "xml", uri: "http://www.w3.org/XML/1998/namespace")

    /// The namespace that an item is; nil for a node.
    func namespace(_ item: XPathItem) -> XMLNamespace? {
        guard item.namespace > 0, let scope = scopes[item.index], scope.indices.contains(Int(item.namespace) - 1)
        else { return nil }
        return scope[Int(item.namespace) - 1]
    }

    /// The namespaces in scope of an element, one for each prefix.
    private func scope(of element: Int32) throws(XMLError) -> [XMLNamespace] {
        if let known = scopes[element] { return known }
        var found = [Self.xmlNamespace]
        var prefixes: Set<String?> = ["xml"]
        var position = element
        while position > 0 {
            try budget.spend(1)
            var declaration = clx_node_first_namespace(index.entries[Int(position)].pointer)
            while let current = declaration {
                try budget.spend(1)
                let namespace = TreeBuilder.namespace(current)
                if prefixes.insert(namespace.prefix).inserted, namespace.uri != nil { found.append(namespace) }
                declaration = clx_namespace_next(current)
            }
            position = index.entries[Int(position)].parent
        }
        // Each is kept, which is more than a step.
        try budget.spend(8 * found.count)
        scopes[element] = found
        return found
    }
}

extension XPathAxis {
    /// Whether the axis leads from a node to those before it, the nearest first.
    var isReverse: Bool {
        switch self {
        case .ancestor, .ancestorOrSelf, .preceding, .precedingSibling: true
        default: false
        }
    }
}
