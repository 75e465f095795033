import JSON

/// Gives the placeholders of a snapshot the numbers that a stored one has for them.
///
/// Which number a value has says nothing; that the same value has the same one everywhere does. So an insertion, after which
/// everything would be counted anew, is one difference and not many, and a file that is written again keeps its numbers.
struct PlaceholderAlignment {
    private var numbers: [Placeholder: Int] = [:]
    private var taken: Set<Placeholder> = []
    private var last: [Placeholder.Kind: Int] = [:]

    /// The actual snapshot with the numbers of the stored one.
    static func aligned(_ actual: Snapshot, to stored: Snapshot) -> Snapshot {
        var alignment = PlaceholderAlignment()
        var aligned = actual
        switch (stored.content, actual.content) {
        case (.json(let expected), .json(let value)):
            alignment.pair(expected, value)
            aligned.content = .json(alignment.renumbered(value))
        case (.events(let expected), .events(let events)):
            alignment.pair(.array(expected), .array(events))
            aligned.content = .events(events.map { alignment.renumbered($0) })
        case (.text(let expected), .text(let text)):
            alignment.pair(expected, text)
            aligned.content = .text(alignment.renumbered(text))
        default: break
        }
        return aligned
    }

    // MARK: Pairing

    /// Pairs the placeholders of values by their places.
    private mutating func pair(_ expected: JSONValue, _ actual: JSONValue) {
        switch (expected, actual) {
        case (.string(let expected), .string(let actual)): pair(expected, actual)
        case (.array(let expected), .array(let actual)):
            for (first, second) in zip(expected, actual) { pair(first, second) }
            for element in expected.dropFirst(actual.count) { note(element) }
        case (.object(let expected), .object(let actual)):
            for (name, member) in expected {
                note(name)
                if let other = actual[name] { pair(member, other) } else { note(member) }
            }
        default: note(expected)
        }
    }

    private mutating func pair(_ expected: String, _ actual: String) {
        guard expected.utf8.contains(UInt8(ascii: "<")) else { return }
        let stored = Placeholder.all(in: expected)
        for placeholder in stored { note(placeholder.placeholder) }
        guard actual.utf8.contains(UInt8(ascii: "<")) else { return }
        for (first, second) in zip(stored, Placeholder.all(in: actual))
        where
            first.placeholder.kind == second.placeholder.kind
        {
            guard numbers[second.placeholder] == nil, taken.insert(first.placeholder).inserted else { continue }
            numbers[second.placeholder] = first.placeholder.number
        }
    }

    /// Notes the numbers of a stored value, so that no new value gets one of them.
    private mutating func note(_ value: JSONValue) {
        switch value {
        case .null, .bool, .number: break
        case .string(let text): note(text)
        case .array(let elements): for element in elements { note(element) }
        case .object(let members):
            for (name, member) in members {
                note(name)
                note(member)
            }
        }
    }

    private mutating func note(_ text: String) {
        guard text.utf8.contains(UInt8(ascii: "<")) else { return }
        for placeholder in Placeholder.all(in: text) { note(placeholder.placeholder) }
    }

    private mutating func note(_ placeholder: Placeholder) {
        last[placeholder.kind] = max(last[placeholder.kind] ?? 0, placeholder.number)
    }

    // MARK: Renumbering

    private mutating func renumbered(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .number: return value
        case .string(let text): return .string(renumbered(text))
        case .array(let elements):
            var result: [JSONValue] = []
            result.reserveCapacity(elements.count)
            for element in elements { result.append(renumbered(element)) }
            return .array(result)
        case .object(let members):
            var result = JSONObject()
            result.reserveCapacity(members.count)
            for (name, member) in members { result[renumbered(name)] = renumbered(member) }
            return .object(result)
        }
    }

    private mutating func renumbered(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "<")) else { return text }
        let found = Placeholder.all(in: text)
        guard !found.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var copied = 0
        for (placeholder, range) in found {
            output += bytes[copied..<range.lowerBound]
            output += Placeholder(kind: placeholder.kind, number: number(of: placeholder)).text.utf8
            copied = range.upperBound
        }
        output += bytes[copied...]
        return String(decoding: output, as: UTF8.self)
    }

    /// The number that stands for a value in the stored snapshot, or the next one for a value that is not there.
    private mutating func number(of placeholder: Placeholder) -> Int {
        if let number = numbers[placeholder] { return number }
        let number = (last[placeholder.kind] ?? 0) + 1
        last[placeholder.kind] = number
        numbers[placeholder] = number
        return number
    }
}
