package import JSON

/// A value that is written as YAML.
package indirect enum YAMLOutput: Sendable {
    /// A string.
    case text(String)
    /// A number, a Boolean or `null`, as written.
    case plain(String)
    case sequence([YAMLOutput])
    /// Entries in their order; a key is a string or plain.
    case mapping([(key: YAMLOutput, value: YAMLOutput)])

    /// Creates what a value of JSON is written as.
    package init(_ value: JSONValue) {
        switch value {
        case .null: self = .plain("null")
        case .bool(let value): self = .plain(value ? "true" : "false")
        case .number(let number): self = .plain(number.literal)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .sequence(elements.map { YAMLOutput($0) })
        case .object(let members): self = .mapping(members.map { (.text($0.key), YAMLOutput($0.value)) })
        }
    }
}

/// Writes values as YAML for people: what is short on one line, in brackets or braces, all else on lines of their own.
package struct YAMLWriter {
    /// What decides about lines and quotes.
    package struct Style: Sendable {
        /// The longest line that a collection is written on as a whole.
        package var width = 100
        /// How many strings get quotes.
        package var quoting = YAMLText.Quoting.whereNeeded
        /// Whether strings of several lines are written line by line, with `|`.
        package var hasLiterals = true
        /// Whether the elements of a list are written on one line when they are short.
        package var hasShortElements: @Sendable (_ indentation: Int) -> Bool = { _ in true }
        /// Whether a map under a key has its entries on lines of their own although it is short.
        package var isOpen: @Sendable (_ key: String, _ entries: [(key: YAMLOutput, value: YAMLOutput)]) -> Bool = {
            _, _ in false
        }
        /// Whether a map cannot be a part of a line.
        package var isAlwaysOpen: @Sendable (_ entries: [(key: YAMLOutput, value: YAMLOutput)]) -> Bool = { _ in false }

        /// Creates a style.
        package init() {}
    }

    /// Keys that are longer are not found by readers unless `?` announces them (YAML 1.2, section 7.4).
    private static let longestKey = 1_000

    private let style: Style
    /// What was written.
    package private(set) var text = ""

    /// Creates a writer that has written nothing.
    package init(_ style: Style = Style()) {
        self.style = style
    }

    /// Writes text as it is, such as a comment or a blank line.
    package mutating func write(verbatim text: String) { self.text += text }

    /// Writes an entry of a map.
    ///
    /// The depth of values is bounded where they are made, and with it this recursion.
    package mutating func writeEntry(_ key: YAMLOutput, _ value: YAMLOutput, indentation: Int) {
        let margin = String(repeating: " ", count: indentation)
        let name = scalar(key, in: .flow) ?? "null"
        let isLong = name.utf8.count > Self.longestKey
        let start = isLong ? "\(margin)? \(name)\n\(margin):" : "\(margin)\(name):"
        text += start
        let room = style.width - (isLong ? margin.utf8.count + 1 : start.utf8.count) - 1
        if style.hasLiterals, case .text(let string) = value, let lines = YAMLText.literalLines(string) {
            text += string.hasSuffix("\n") ? " |\n" : " |-\n"
            for line in lines { text += line.isEmpty ? "\n" : "\(margin)  \(line)\n" }
        } else if let scalar = scalar(value, in: .block) {
            text += " \(scalar)\n"
        } else if !isOpen(key, value), let line = flow(value, room: room) {
            text += " \(line)\n"
        } else {
            text += "\n"
            writeParts(of: value, indentation: indentation + 2)
        }
    }

    /// Writes an element of a list.
    package mutating func writeElement(_ value: YAMLOutput, indentation: Int) {
        let margin = String(repeating: " ", count: indentation)
        let room = style.width - indentation - 2
        if style.hasShortElements(indentation), let line = flow(value, room: room) {
            text += "\(margin)- \(line)\n"
            return
        }
        var inner = YAMLWriter(style)
        if let scalar = scalar(value, in: .block) {
            inner.text = "\(margin)  \(scalar)\n"
        } else {
            inner.writeParts(of: value, indentation: indentation + 2)
        }
        // By bytes, as the first character may combine with the space before it.
        text += "\(margin)- "
        text += inner.text[inner.text.utf8.index(inner.text.startIndex, offsetBy: indentation + 2)...]
    }

    private mutating func writeParts(of value: YAMLOutput, indentation: Int) {
        switch value {
        case .mapping(let entries):
            for entry in entries { writeEntry(entry.key, entry.value, indentation: indentation) }
        case .sequence(let elements):
            for element in elements { writeElement(element, indentation: indentation) }
        case .text, .plain: break
        }
    }

    /// A value on one line, or nil when it does not belong on one or has no room there.
    private func flow(_ value: YAMLOutput, room: Int) -> String? {
        guard room > 0 else { return nil }
        if let scalar = scalar(value, in: .flow) { return scalar.utf8.count <= room ? scalar : nil }
        var line = ""
        switch value {
        case .sequence(let elements):
            for element in elements {
                line += line.isEmpty ? "[" : ", "
                guard let part = flow(element, room: room - line.utf8.count) else { return nil }
                line += part
            }
            line += "]"
        case .mapping(let entries):
            if style.isAlwaysOpen(entries) { return nil }
            for entry in entries {
                line += line.isEmpty ? "{ " : ", "
                guard let key = scalar(entry.key, in: .flow), key.utf8.count <= Self.longestKey,
                    let part = flow(entry.value, room: room - line.utf8.count)
                else { return nil }
                line += "\(key): \(part)"
            }
            line += " }"
        case .text, .plain: break
        }
        return line.utf8.count <= room ? line : nil
    }

    private func isOpen(_ key: YAMLOutput, _ value: YAMLOutput) -> Bool {
        guard case .text(let name) = key, case .mapping(let entries) = value else { return false }
        return style.isOpen(name, entries)
    }

    /// A scalar or an empty collection; nil for any other value.
    private func scalar(_ value: YAMLOutput, in place: YAMLText.Place) -> String? {
        switch value {
        case .text(let text): YAMLText.scalar(text, in: place, quoting: style.quoting)
        case .plain(let text): text
        case .sequence(let elements): elements.isEmpty ? "[]" : nil
        case .mapping(let entries): entries.isEmpty ? "{}" : nil
        }
    }
}
