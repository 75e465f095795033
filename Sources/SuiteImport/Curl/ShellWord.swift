/// A word of a shell command: text and expansions.
struct ShellWord: Sendable, Hashable {
    /// A part of a word.
    enum Part: Sendable, Hashable {
        /// Text without its quotes. A shell knows bytes only.
        case bytes([UInt8])
        /// The value of a variable, `$NAME`, or the text after `:-` or `-` if it is not set.
        case variable(String, fallback: [UInt8]?)
        /// The output of a command, or another expansion that only a shell can make.
        case substitution(String)
    }

    /// The parts.
    private(set) var parts: [Part] = []
    /// Whether any part is quoted, so that the word has no special meaning.
    var isQuoted = false
    /// The byte offsets of the word in its source.
    var range: Range<Int>

    /// Creates an empty word.
    init(at offset: Int) { range = offset..<offset }

    /// Creates a word of text.
    init(_ bytes: [UInt8], range: Range<Int>) {
        parts = [.bytes(bytes)]
        self.range = range
    }

    mutating func append(_ byte: UInt8) {
        if case .bytes(var bytes)? = parts.last {
            parts.removeLast()
            bytes.append(byte)
            parts.append(.bytes(bytes))
        } else {
            parts.append(.bytes([byte]))
        }
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        if case .bytes(var last)? = parts.last {
            // Removed first, so that the array has one owner and is not copied.
            parts.removeLast()
            last.append(contentsOf: bytes)
            parts.append(.bytes(last))
        } else {
            parts.append(.bytes(Array(bytes)))
        }
    }

    mutating func append(_ part: Part) {
        if case .bytes(let bytes) = part { append(bytes) } else { parts.append(part) }
    }

    /// The bytes if the word contains no expansions; otherwise nil.
    var bytes: [UInt8]? {
        switch parts.count {
        case 0: return []
        case 1: if case .bytes(let bytes) = parts[0] { return bytes }
        default: break
        }
        return nil
    }

    /// The text if the word contains no expansions; otherwise nil.
    var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// The bytes before the first expansion.
    var leadingBytes: [UInt8] {
        if case .bytes(let bytes)? = parts.first { bytes } else { [] }
    }

    /// Returns the word without its first bytes, which must not be a part of an expansion.
    func dropFirst(_ count: Int) -> ShellWord {
        var word = self
        if case .bytes(let bytes)? = parts.first {
            word.parts[0] = .bytes(Array(bytes.dropFirst(count)))
            if bytes.count <= count { word.parts.removeFirst() }
        }
        return word
    }

    /// Returns a word that consists of several words.
    static func joined(_ words: [ShellWord], separator: UInt8?) -> ShellWord {
        var result = ShellWord(at: words.first?.range.lowerBound ?? 0)
        for (index, word) in words.enumerated() {
            if index > 0, let separator { result.append(separator) }
            for part in word.parts { result.append(part) }
        }
        return result
    }
}

/// A simple command of a shell, with what it reads.
struct ShellCommand: Sendable {
    /// The assignments before the command.
    var assignments: [(name: String, value: ShellWord)] = []
    /// The words, the name of the command first.
    var words: [ShellWord] = []
    /// The text that the command reads: a here-document or here-string.
    var input: ShellWord?
    /// The file that the command reads.
    var inputFile: ShellWord?
    /// The byte offsets of the command in its source.
    var range = 0..<0

    /// The name of the command without its directory; nil if it is unknown.
    var name: String? {
        guard let text = words.first?.text else { return nil }
        let last = text.split(separator: "/").last.map(String.init) ?? text
        return last.hasSuffix(".exe") ? String(last.dropLast(4)) : last
    }
}

/// A pipeline of a shell: each of its commands reads the output of the one before.
struct ShellPipeline: Sendable {
    /// The commands.
    var commands: [ShellCommand] = []
    /// The comment on the line before the pipeline, without `#`.
    var comment: String?
}
