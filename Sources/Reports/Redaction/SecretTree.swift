/// The texts that are secrets, as a radix tree: finding the longest one at a position takes as long as that one is.
///
/// Nodes never change: adding a text makes the nodes of one path anew, so that a copy of the tree costs nothing and can be
/// searched while others add to theirs. Letters are compared without regard to case, since programs change that of host
/// names, header names, codings and hexadecimal digits; a space equals `+`, which stands for it in forms.
struct SecretTree: Sendable {
    /// How a text is masked.
    struct Kind: OptionSet, Sendable {
        let rawValue: UInt8
        /// Wherever it stands.
        static let anywhere = Kind(rawValue: 1)
        /// Only where it is a whole value, as it is so short that it stands everywhere.
        static let whole = Kind(rawValue: 2)
    }

    fileprivate final class Node: Sendable {
        let label: ArraySlice<UInt8>
        /// The first bytes of the children's labels, in order.
        let firsts: [UInt8]
        let children: [Node]
        let kind: Kind

        init(_ label: ArraySlice<UInt8>, firsts: [UInt8] = [], children: [Node] = [], kind: Kind = []) {
            self.label = label
            self.firsts = firsts
            self.children = children
            self.kind = kind
        }

        /// The index of the child that begins with a byte, or where it would be.
        func index(of byte: UInt8) -> Int {
            var low = 0
            var high = firsts.count
            while low < high {
                let middle = (low + high) >> 1
                if firsts[middle] < byte { low = middle + 1 } else { high = middle }
            }
            return low
        }

        /// The node with a text below it, or itself when it has the text already.
        func adding(_ text: ArraySlice<UInt8>, _ added: Kind) -> Node {
            guard let first = text.first else {
                return kind.isSuperset(of: added)
                    ? self : Node(label, firsts: firsts, children: children, kind: kind.union(added))
            }
            let index = index(of: first)
            var firsts = firsts
            var children = children
            if index < firsts.count, firsts[index] == first {
                let child = children[index]
                let changed = child.addingBelow(text, added)
                if changed === child { return self }
                children[index] = changed
            } else {
                firsts.insert(first, at: index)
                children.insert(Node(text, kind: added), at: index)
            }
            return Node(label, firsts: firsts, children: children, kind: kind)
        }

        /// The node with a text that begins as its label does.
        private func addingBelow(_ text: ArraySlice<UInt8>, _ added: Kind) -> Node {
            let common = zip(label, text).prefix { $0 == $1 }.count
            if common == label.count { return adding(text.dropFirst(common), added) }
            let rest = Node(label.dropFirst(common), firsts: firsts, children: children, kind: kind)
            let head = Node(
                label.prefix(common), firsts: label.dropFirst(common).prefix(1).map { $0 }, children: [rest])
            return head.adding(text.dropFirst(common), added)
        }
    }

    private var root = Node([])
    /// Whether a text begins with two bytes, at the first times 256 and the second, a bit each; empty without texts.
    private var pairs: [UInt64] = []

    var isEmpty: Bool { pairs.isEmpty }

    /// Adds a text that is not empty.
    ///
    /// - Returns: Whether it was not there.
    mutating func insert(_ text: [UInt8], _ kind: Kind) -> Bool {
        let folded = text.map(Self.folded)
        guard let first = folded.first else { return false }
        let changed = root.adding(folded[...], kind)
        if changed === root { return false }
        root = changed
        if pairs.isEmpty { pairs = [UInt64](repeating: 0, count: 1_024) }
        // What may follow a single byte is anything.
        let seconds = folded.count > 1 ? folded[1]...folded[1] : 0...255
        for second in seconds {
            let pair = Int(first) << 8 | Int(second)
            pairs[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        return true
    }

    /// The byte that stands for all that are taken for the same.
    @inline(__always) static func folded(_ byte: UInt8) -> UInt8 {
        if byte &- 0x41 < 26 { return byte | 0x20 }
        return byte == 0x20 ? 0x2B : byte
    }

    /// Whether a text may begin at a position; false is certain.
    @inline(__always) func mayBegin(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        guard position &+ 1 < text.count else { return true }
        let pair = Int(Self.folded(text[position])) << 8 | Int(Self.folded(text[position &+ 1]))
        return pairs[pair >> 6] >> UInt64(truncatingIfNeeded: pair & 63) & 1 == 1
    }

    /// What begins at a position.
    struct Match {
        /// The end of the longest text that is masked anywhere; nil when there is none.
        var anywhere: Int?
        /// The ends of those that are masked only as whole values, the shortest first.
        var wholes: [Int] = []
        /// How far any text goes on as the one that is searched does.
        var reach: Int
        /// Whether it goes on there.
        var isPart = false
    }

    /// The texts that begin at a position.
    func match(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Match {
        var match = Match(reach: start)
        var node = root
        var position = start
        while position < text.count {
            let byte = Self.folded(text[position])
            let index = node.index(of: byte)
            guard index < node.firsts.count, node.firsts[index] == byte else { break }
            node = node.children[index]
            for byte in node.label {
                guard position < text.count, Self.folded(text[position]) == byte else {
                    match.reach = position
                    match.isPart = true
                    return match
                }
                position += 1
            }
            if node.kind.contains(.anywhere) { match.anywhere = position }
            if node.kind.contains(.whole) { match.wholes.append(position) }
        }
        match.reach = position
        match.isPart = !node.children.isEmpty
        return match
    }
}
