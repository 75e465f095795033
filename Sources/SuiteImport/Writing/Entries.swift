import YAML

/// The entries of a mapping that is being written, in order.
struct Entries {
    private(set) var list: [(key: YAMLOutput, value: YAMLOutput)] = []

    /// Creates a mapping without entries.
    init() {}

    /// Whether there is no entry.
    var isEmpty: Bool { list.isEmpty }

    /// The mapping.
    var output: YAMLOutput { .mapping(list) }

    /// Adds an entry.
    mutating func add(_ key: String, _ value: YAMLOutput?) {
        if let value { list.append((.text(key), value)) }
    }

    /// Adds an entry with a string that contains no expressions.
    mutating func add(_ key: String, literal text: String?) {
        add(key, text.map { YAMLOutput.text(ImportedText($0).template) })
    }

    /// Adds an entry whose text is taken literally anyway, or whose text is an expression.
    mutating func add(_ key: String, verbatim text: String?) { add(key, text.map(YAMLOutput.text)) }

    /// Adds an entry.
    mutating func add(_ key: String, value: ImportedValue?) { add(key, value.map { YAMLOutput($0) }) }

    /// Adds an entry with a string.
    mutating func add(_ key: String, _ text: ImportedText?) { add(key, text.map { YAMLOutput.text($0.template) }) }

    /// Adds an entry unless the mapping is empty.
    mutating func add(_ key: String, nonempty entries: Entries) {
        if !entries.isEmpty { add(key, entries.output) }
    }

    /// Adds an entry for several elements, or for a single one without brackets.
    mutating func add(_ key: String, oneOrMore elements: [YAMLOutput]) {
        if elements.count == 1 { add(key, elements[0]) } else if !elements.isEmpty { add(key, .sequence(elements)) }
    }

    /// Adds comments to the entry of a key; false if there is none.
    mutating func comment(_ lines: [String], on key: String) -> Bool {
        if lines.isEmpty { return true }
        let index = list.firstIndex { if case .text(key) = $0.key { true } else { false } }
        guard let index else { return false }
        list[index].value = .commented(lines, list[index].value)
        return true
    }
}

extension YAMLOutput {
    /// Returns a sequence with each element on its own line.
    static func lines(_ elements: [YAMLOutput]) -> YAMLOutput {
        // An element with comments, even with none, is not written on the line of another.
        .sequence(elements.map { .commented([], $0) })
    }

    /// Creates the output of a value.
    init(_ value: ImportedValue) {
        switch value {
        case .text(let text): self = .text(text.template)
        case .plain(let text): self = .plain(text)
        case .sequence(let elements): self = .sequence(elements.map { YAMLOutput($0) })
        case .mapping(let members):
            self = .mapping(members.map { (.text($0.key.template), YAMLOutput($0.value)) })
        }
    }

    /// Returns a mapping of fields.
    ///
    /// - Parameter isReadable: Whether numbers are written without quotes.
    static func fields(_ fields: [ImportedField]) -> YAMLOutput {
        .mapping(fields.map { (.text($0.name.template), YAMLOutput(ImportedValue(readable: $0.value))) })
    }
}
