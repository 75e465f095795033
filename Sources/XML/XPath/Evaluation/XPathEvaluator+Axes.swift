import Basics
import CLibXML2

/// Location steps (XPath 1.0, section 2).
extension XPathEvaluator {
    /// A node test with names resolved in the document.
    enum Test {
        case any, text, comment
        /// The number of a target; -1 for any, -2 if no node has it.
        case instruction(Int32)
        /// The numbers of the name and namespace of nodes of a kind; -1 for any, -2 if no node has it.
        case name(Int32, space: Int32, DocumentIndex.Kind)
        /// The prefix of a namespace; nil for any.
        case prefix(String?)
    }

    /// Returns the nodes that a step selects from other nodes.
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

    /// Returns whether a step without predicates selects a node.
    func hasNode(_ step: XPathStep, from items: [XPathItem]) throws(XMLError) -> Bool {
        guard items.count == 1 else { return try !apply(step, to: items).isEmpty }
        return try !list(step.axis, test(step), from: items[0], limit: 1).isEmpty
    }

    /// Returns the nodes that satisfy a predicate; positions are counted in the order of `items`.
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

    /// Returns whether a list has so many duplicates that it takes much more memory than the document's nodes.
    func isCrowded(_ items: [XPathItem]) -> Bool { items.count > 1024 + 4 * index.entries.count }

    /// Returns the nodes in document order, without duplicates.
    func ordered(_ items: [XPathItem]) throws(XMLError) -> [XPathItem] {
        try budget.spend(items.count)
        var isOrdered = true
        for position in items.indices.dropFirst() where items[position - 1] >= items[position] {
            isOrdered = false
            break
        }
        if isOrdered { return items }
        // A comparison costs much less than a step.
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
            // On the namespace axis, the names are prefixes, which are in no namespace.
            if step.axis == .namespace { return .prefix(prefix == nil ? localName : "\u{0}") }
            var space: Int32 = localName == nil ? -1 : 0
            if let prefix { space = index.number(ofNamespace: try uri(of: prefix)) ?? -2 }
            let name = localName.map { index.number(ofName: $0) ?? -2 } ?? -1
            return .name(name, space: space, step.axis == .attribute ? .attribute : .element)
        }
    }

    /// Returns the namespace bound to a prefix of the expression.
    func uri(of prefix: String) throws(XMLError) -> String {
        if let uri = namespaces[prefix] { return uri }
        guard prefix == "xml" else { throw XMLError(kind: .xpath, message: "the namespace prefix is not bound") }
        return Self.xmlNamespace.uri ?? ""
    }

    /// Returns whether a node other than a namespace passes a test.
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

    // MARK: Axes of several nodes

    /// Returns the nodes on the axes of several nodes that pass a test, in document order, without duplicates.
    private func all(_ axis: XPathAxis, _ test: Test, from items: [XPathItem]) throws(XMLError) -> [XPathItem] {
        // An axis of a single node contains each other node only once.
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
            // The nodes following the node that ends first include those of all others.
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
            // The siblings of a parent's first or last child include those of its other children.
            var parents: Set<Int32> = []
            for item in axis == .followingSibling ? items : items.reversed() {
                try budget.spend(1)
                guard isChild(item), parents.insert(index.entries[Int(item.index)].parent).inserted else { continue }
                try visit(axis, from: item) { if passes($0, test) { found.append($0) } }
            }
        }
        return try ordered(found)
    }

    /// Returns the nodes on the axis of one node that pass a test, in axis order.
    ///
    /// - Parameter limit: The position of the last required node; nil for all nodes.
    private func list(
        _ axis: XPathAxis, _ test: Test, from item: XPathItem, limit: Double?
    ) throws(XMLError) -> [XPathItem] {
        var found: [XPathItem] = []
        let maximum = limit.flatMap { Int(exactly: $0) } ?? Int.max
        try visit(axis, from: item, while: { found.count < maximum }) { if passes($0, test) { found.append($0) } }
        return found
    }

    // MARK: Axes of a single node

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

    /// Visits a range of nodes, except attributes.
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

    /// Visits consecutive siblings.
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

    /// Returns whether a node is a child of its parent; attributes and namespaces are not.
    private func isChild(_ item: XPathItem) -> Bool {
        guard item.namespace == 0 else { return false }
        let entry = index.entries[Int(item.index)]
        return entry.kind != .attribute && entry.parent >= 0
    }

    /// Returns the index at which the nodes following a node start.
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

    /// Returns the namespace of an item; nil for a node.
    func namespace(_ item: XPathItem) -> XMLNamespace? {
        guard item.namespace > 0, let scope = scopes[item.index], scope.indices.contains(Int(item.namespace) - 1)
        else { return nil }
        return scope[Int(item.namespace) - 1]
    }

    /// Returns the namespaces in scope of an element, one per prefix.
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
        // Storing each namespace costs more than a step.
        try budget.spend(8 * found.count)
        scopes[element] = found
        return found
    }
}

extension XPathAxis {
    /// Whether the axis is a reverse axis, which contains preceding nodes, nearest first.
    var isReverse: Bool {
        switch self {
        case .ancestor, .ancestorOrSelf, .preceding, .precedingSibling: true
        default: false
        }
    }
}
