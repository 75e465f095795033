package import JSON

/// A value to write as YAML.
package indirect enum YAMLOutput: Sendable {
    /// A string.
    case text(String)
    /// A number, a Boolean, or `null`, as written.
    case plain(String)
    /// A sequence of elements.
    case sequence([YAMLOutput])
    /// Entries in order; a key is a string or plain.
    case mapping([(key: YAMLOutput, value: YAMLOutput)])
    /// A value with comments on the lines before its entry or element; each is a single line without `#`.
    case commented([String], YAMLOutput)

    /// Creates the output for a JSON value.
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

/// Writes values as YAML for people: short collections in flow style on one line, all others in block style.
package struct YAMLWriter {
    /// The settings for line breaks and quotes.
    package struct Style: Sendable {
        /// The maximum width of a line with a whole collection.
        package var width = 100
        /// The policy for quoting strings.
        package var quoting = YAMLText.Quoting.whereNeeded
        /// Whether multiline strings are written line by line, with `|`.
        package var hasLiterals = true
        /// A closure that returns whether short elements of a sequence are written on one line.
        package var hasShortElements: @Sendable (_ indentation: Int) -> Bool = { _ in true }
        /// A closure that returns whether a mapping under a key is written in block style although it is short.
        package var isOpen: @Sendable (_ key: String, _ entries: [(key: YAMLOutput, value: YAMLOutput)]) -> Bool = {
            _, _ in false
        }
        /// A closure that returns whether a mapping must be written in block style.
        package var isAlwaysOpen: @Sendable (_ entries: [(key: YAMLOutput, value: YAMLOutput)]) -> Bool = { _ in false }

        /// Creates a style.
        package init() {}
    }

    /// The maximum length of a key without `?`; readers do not find longer ones (YAML 1.2, section 7.4).
    private static let maximumKeyLength = 1_000

    private let style: Style
    /// The output so far.
    package private(set) var text = ""

    /// Creates a writer with empty output.
    package init(_ style: Style = Style()) {
        self.style = style
    }

    /// Writes text verbatim, such as a comment or a blank line.
    package mutating func write(verbatim text: String) { self.text += text }

    /// Writes comments, each on its own line.
    package mutating func writeComment(_ lines: [String], indentation: Int) {
        let margin = String(repeating: " ", count: indentation)
        for line in lines { text += line.isEmpty ? "\(margin)#\n" : "\(margin)# \(YAMLText.comment(line))\n" }
    }

    /// Writes an entry of a mapping.
    ///
    /// The nesting depth of values is limited where they are created, so this recursion is bounded.
    package mutating func writeEntry(_ key: YAMLOutput, _ value: YAMLOutput, indentation: Int) {
        if case .commented(let lines, let value) = value {
            writeComment(lines, indentation: indentation)
            return writeEntry(key, value, indentation: indentation)
        }
        let margin = String(repeating: " ", count: indentation)
        let name = scalar(key, in: .flow) ?? "null"
        let isLong = name.utf8.count > Self.maximumKeyLength
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

    /// Writes an element of a sequence.
    package mutating func writeElement(_ value: YAMLOutput, indentation: Int) {
        if case .commented(let lines, let value) = value {
            writeComment(lines, indentation: indentation)
            return writeElement(value, indentation: indentation)
        }
        // A comment on the first entry would separate it from its dash.
        if case .mapping(var entries) = value, let first = entries.first,
            case .commented(let lines, let inner) = first.value
        {
            writeComment(lines, indentation: indentation)
            entries[0].value = inner
            return writeElement(.mapping(entries), indentation: indentation)
        }
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
        // The index counts bytes, as the first character may combine with the space before it.
        text += "\(margin)- "
        text += inner.text[inner.text.utf8.index(inner.text.startIndex, offsetBy: indentation + 2)...]
    }

    private mutating func writeParts(of value: YAMLOutput, indentation: Int) {
        switch value {
        case .mapping(let entries):
            for entry in entries { writeEntry(entry.key, entry.value, indentation: indentation) }
        case .sequence(let elements):
            for element in elements { writeElement(element, indentation: indentation) }
        case .commented(_, let value): writeParts(of: value, indentation: indentation)
        case .text, .plain: break
        }
    }

    /// Returns a value on one line; nil if it must not or does not fit on one.
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
                guard let key = scalar(entry.key, in: .flow), key.utf8.count <= Self.maximumKeyLength,
                    let part = flow(entry.value, room: room - line.utf8.count)
                else { return nil }
                line += "\(key): \(part)"
            }
            line += " }"
        // A comment ends its line.
        case .commented: return nil
        case .text, .plain: break
        }
        return line.utf8.count <= room ? line : nil
    }

    private func isOpen(_ key: YAMLOutput, _ value: YAMLOutput) -> Bool {
        guard case .text(let name) = key, case .mapping(let entries) = value else { return false }
        return style.isOpen(name, entries)
    }

    /// Returns a scalar or an empty collection; nil for any other value.
    private func scalar(_ value: YAMLOutput, in location: YAMLText.Location) -> String? {
        switch value {
        case .text(let text): YAMLText.scalar(text, in: location, quoting: style.quoting)
        case .plain(let text): text
        case .sequence(let elements): elements.isEmpty ? "[]" : nil
        case .mapping(let entries): entries.isEmpty ? "{}" : nil
        case .commented: nil
        }
    }
}
