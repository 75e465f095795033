import Basics
import RunModel

/// A radix tree of secrets that finds the longest one at a position in time proportional to its length.
///
/// Nodes are immutable. Adding a secret copies the nodes of one path, so copying the tree is cheap, and a copy can be
/// searched while others add to theirs. Letters are compared case-insensitively, because programs change the case of
/// host names, header names, codings, and hexadecimal digits. A space equals `+`, its encoding in forms.
struct SecretTree: Sendable {
    fileprivate final class Node: Sendable {
        let label: ArraySlice<UInt8>
        /// The first bytes of the children's labels, in ascending order.
        let firsts: [UInt8]
        let children: [Node]
        /// Whether a secret ends here.
        let isEnd: Bool

        init(_ label: ArraySlice<UInt8>, firsts: [UInt8] = [], children: [Node] = [], isEnd: Bool = false) {
            self.label = label
            self.firsts = firsts
            self.children = children
            self.isEnd = isEnd
        }

        /// Returns the index of the child whose label starts with a byte, or the index at which to insert it.
        func index(of byte: UInt8) -> Int {
            var low = 0
            var high = firsts.count
            while low < high {
                let middle = (low + high) >> 1
                if firsts[middle] < byte { low = middle + 1 } else { high = middle }
            }
            return low
        }

        /// Returns the node with a text added below it, or the node itself if it already contains the text.
        func adding(_ text: ArraySlice<UInt8>) -> Node {
            guard let first = text.first else {
                return isEnd ? self : Node(label, firsts: firsts, children: children, isEnd: true)
            }
            let index = index(of: first)
            var firsts = firsts
            var children = children
            if index < firsts.count, firsts[index] == first {
                let child = children[index]
                let changed = child.addingBelow(text)
                if changed === child { return self }
                children[index] = changed
            } else {
                firsts.insert(first, at: index)
                children.insert(Node(text, isEnd: true), at: index)
            }
            return Node(label, firsts: firsts, children: children, isEnd: isEnd)
        }

        /// Returns the node with a text added that shares a prefix with its label.
        private func addingBelow(_ text: ArraySlice<UInt8>) -> Node {
            let common = zip(label, text).prefix { $0 == $1 }.count
            if common == label.count { return adding(text.dropFirst(common)) }
            let rest = Node(label.dropFirst(common), firsts: firsts, children: children, isEnd: isEnd)
            let head = Node(
                label.prefix(common), firsts: label.dropFirst(common).prefix(1).map { $0 }, children: [rest])
            return head.adding(text.dropFirst(common))
        }
    }

    private var root = Node([])
    /// A bit set of the byte pairs that secrets start with, indexed by `first * 256 + second`; empty without secrets.
    private var pairs: [UInt64] = []

    var isEmpty: Bool { pairs.isEmpty }

    /// Adds a nonempty secret.
    ///
    /// - Returns: Whether the secret is new.
    mutating func insert(_ text: [UInt8]) -> Bool {
        let folded = text.map(Self.folded)
        guard let first = folded.first else { return false }
        let changed = root.adding(folded[...])
        if changed === root { return false }
        root = changed
        if pairs.isEmpty { pairs = [UInt64](repeating: 0, count: 1_024) }
        // Any byte may follow a secret of one byte.
        let seconds = folded.count > 1 ? folded[1]...folded[1] : 0...255
        for second in seconds {
            let pair = Int(first) << 8 | Int(second)
            pairs[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        return true
    }

    /// Returns the representative of all bytes that are considered equal.
    @inline(__always) static func folded(_ byte: UInt8) -> UInt8 {
        if byte &- 0x41 < 26 { return byte | 0x20 }
        return byte == 0x20 ? 0x2B : byte
    }

    /// Returns whether a secret may start at a position. False is definite.
    @inline(__always) func mayBegin(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        guard position &+ 1 < text.count else { return true }
        let pair = Int(Self.folded(text[position])) << 8 | Int(Self.folded(text[position &+ 1]))
        return pairs[pair >> 6] >> UInt64(truncatingIfNeeded: pair & 63) & 1 == 1
    }

    /// The secrets that start at a position.
    struct Match {
        /// The end of the longest secret; nil if there is none.
        var end: Int?
        /// The end of the longest common prefix of the searched text and any secret.
        var reach: Int
        /// Whether a secret continues after that prefix.
        var isPart = false
    }

    /// Returns the secrets that start at a position.
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
            if node.isEnd { match.end = position }
        }
        match.reach = position
        match.isPart = !node.children.isEmpty
        return match
    }
}

/// The variants of a secret to search for: the secret itself, and its forms after common lossy conversions.
///
/// Encoded forms are not included, because texts are decoded before they are searched.
struct SecretForms {
    /// The minimum length of a line of a multiline secret that is masked separately.
    private static let shortestLine = 8

    /// The variants; all of them are nonempty. A secret that is too short to mask has none.
    private(set) var texts: [[UInt8]] = []

    init(_ secret: String) {
        let bytes = Array(secret.utf8)
        add(secret)
        let trimmed = ASCII.trimmed(bytes, ASCII.isWhitespace)
        if trimmed.count < bytes.count { add(String(decoding: trimmed, as: UTF8.self)) }
        let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        guard lines.count > 1 else { return }
        for line in lines.map({ ASCII.trimmed($0, ASCII.isWhitespace) }) where line.count >= Self.shortestLine {
            add(String(decoding: line, as: UTF8.self))
        }
    }

    private mutating func add(_ secret: String) {
        // A short secret would match everywhere, and the masks would reveal it.
        if SecretText.isUnmaskable(secret) { return }
        let bytes = Array(secret.utf8)
        texts.append(bytes)
        add(Self.withoutEscapes(bytes))
        guard bytes.contains(where: { $0 >= 0x80 }) else { return }
        // The tree ignores the case of ASCII letters only.
        add(Array(secret.lowercased().utf8))
        add(Array(secret.uppercased().utf8))
        addTakenForUTF8(secret.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        addTakenForUTF8(secret.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        // UTF-8 misread as Latin-1, or as windows-1252, its superset that browsers use.
        add(bytes.flatMap { Array(String(Unicode.Scalar($0)).utf8) })
        add(bytes.flatMap { Array(String(Self.windows1252($0)).utf8) })
        let scalars = secret.unicodeScalars
        if scalars.allSatisfy({ $0.value < 0x100 }) { addTakenForUTF8(scalars.map { UInt8($0.value) }) }
        add(scalars.flatMap { Array(String($0.isASCII ? $0 : "\u{FFFD}").utf8) })
    }

    /// Adds bytes that are not UTF-8, and the string that results from misreading them as UTF-8.
    private mutating func addTakenForUTF8(_ bytes: [UInt8]) {
        add(bytes)
        add(Array(String(decoding: bytes, as: UTF8.self).utf8))
    }

    /// Returns the character of a byte in windows-1252 (WHATWG Encoding).
    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        let high: StaticString = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ"
        guard 0x80..<0xA0 ~= byte else { return Unicode.Scalar(byte) }
        let scalars = high.description.unicodeScalars
        return scalars[scalars.index(scalars.startIndex, offsetBy: Int(byte) - 0x80)]
    }

    private mutating func add(_ bytes: [UInt8]) {
        let ascii = bytes.count { $0 > 0x20 && $0 < 0x7F }
        let isText = String(validating: bytes, as: UTF8.self).map { !SecretText.isUnmaskable($0) } ?? (bytes.count > 3)
        guard isText, ascii >= SecretText.minimumLength || !bytes.starts(with: [0xEF, 0xBF, 0xBD]) else { return }
        texts.append(bytes)
    }

    /// Returns a text with its escapes decoded until none are left.
    private static func withoutEscapes(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        // Terminates because each pass shortens the text.
        while let decoded = bytes.withUnsafeBufferPointer({ DecodedText.undoing(.nested, in: $0) }) {
            bytes = decoded.bytes
        }
        return bytes
    }
}
