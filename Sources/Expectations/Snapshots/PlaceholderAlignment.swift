import JSON

/// An alignment of a snapshot's placeholder numbers with those of a stored snapshot.
///
/// The number itself has no meaning; only the equality of numbers does. With aligned numbers, an insertion that would
/// renumber everything after it is a single difference, and a rewritten file keeps its numbers.
struct PlaceholderAlignment {
    /// The maximum number of passes that look for members identified by previous pairings.
    private static let maximumRounds = 32
    /// The maximum number of member comparisons in the search for the most similar one.
    private static let maximumComparisons = 4_096

    /// Members of two objects whose names contain placeholders, so the names do not identify their counterparts.
    private struct Group {
        var expected: [JSONObject.Element]
        var actual: [JSONObject.Element]

        var isOpen: Bool { !expected.isEmpty && !actual.isEmpty }
    }

    /// A member's name and value, in which unpaired placeholders have no numbers.
    private struct Outline: Hashable {
        var name: String
        /// Null if the name alone identifies the member.
        var value: JSONValue
    }

    private var numbers: [Placeholder: Int] = [:]
    private var taken: Set<Placeholder> = []
    private var last: [Placeholder.Kind: Int] = [:]
    private var groups: [Group] = []

    /// Returns the actual snapshot with the numbers of the stored one.
    static func aligned(_ actual: Snapshot, to stored: Snapshot) -> Snapshot {
        var alignment = PlaceholderAlignment()
        var aligned = actual
        switch (stored.content, actual.content) {
        case (.json(let expected), .json(let value)):
            alignment.pairAll(expected, value)
            aligned.content = .json(alignment.renumbered(value))
        case (.events(let expected), .events(let events)):
            alignment.pairAll(.array(expected), .array(events))
            aligned.content = .events(events.map { alignment.renumbered($0) })
        case (.text(let expected), .text(let text)):
            alignment.note(expected)
            alignment.pair(expected, text)
            aligned.content = .text(alignment.renumbered(text))
        default: break
        }
        return aligned
    }

    // MARK: Pairing

    /// Pairs the placeholders in values by their location, and then those in names, which have no location.
    private mutating func pairAll(_ expected: JSONValue, _ actual: JSONValue) {
        note(expected)
        pair(expected, actual)
        pairGroups()
    }

    /// Pairs the placeholders in values by their location. Members with placeholders in their names are deferred.
    private mutating func pair(_ expected: JSONValue, _ actual: JSONValue) {
        switch (expected, actual) {
        case (.string(let expected), .string(let actual)): pair(expected, actual)
        case (.array(let expected), .array(let actual)):
            for (first, second) in zip(expected, actual) { pair(first, second) }
        case (.object(let expected), .object(let actual)):
            var group = Group(expected: [], actual: [])
            for member in expected {
                if Self.holdsPlaceholder(member.key) {
                    group.expected.append(member)
                } else if let other = actual[member.key] {
                    pair(member.value, other)
                }
            }
            if group.expected.isEmpty { break }
            group.actual = actual.filter { Self.holdsPlaceholder($0.key) }
            if group.isOpen { groups.append(group) }
        default: break
        }
    }

    private mutating func pair(_ expected: String, _ actual: String) {
        guard expected.utf8.contains(UInt8(ascii: "<")) else { return }
        guard actual.utf8.contains(UInt8(ascii: "<")) else { return }
        for (first, second) in zip(Placeholder.all(in: expected), Placeholder.all(in: actual))
        where
            first.placeholder.kind == second.placeholder.kind
        {
            guard numbers[second.placeholder] == nil, taken.insert(first.placeholder).inserted else { continue }
            numbers[second.placeholder] = first.placeholder.number
        }
    }

    private static func holdsPlaceholder(_ name: String) -> Bool {
        name.utf8.contains(UInt8(ascii: "<")) && !Placeholder.all(in: name).isEmpty
    }

    // MARK: Names

    /// Pairs the deferred members, starting with those that have a unique counterpart.
    private mutating func pairGroups() {
        var rounds = 0
        while !groups.isEmpty {
            let open = groups
            groups = []
            guard rounds < Self.maximumRounds else {
                for group in open { pairTheRest(group) }
                continue
            }
            rounds += 1
            var isPaired = false
            for var group in open {
                if pairSure(&group) { isPaired = true }
                if group.isOpen { groups.append(group) }
            }
            if isPaired || groups.isEmpty { continue }
            // Any of several equal members can be paired, which may identify others.
            var group = groups.removeFirst()
            if pairOneAlike(&group) {
                if group.isOpen { groups.append(group) }
            } else {
                pairByLikeness(group)
            }
        }
    }

    private mutating func pair(_ expected: JSONObject.Element, _ actual: JSONObject.Element) {
        pair(expected.key, actual.key)
        pair(expected.value, actual.value)
    }

    /// Pairs the members whose outline is unique on both sides. Returns whether there were any.
    private mutating func pairSure(_ group: inout Group) -> Bool {
        let expected = group.expected.map { outline($0, isStored: true) }
        let actual = group.actual.map { outline($0, isStored: false) }
        var counts: [Outline: Int] = [:]
        for outline in expected { counts[outline, default: 0] += 1 }
        var locations: [Outline: [Int]] = [:]
        for (index, outline) in actual.enumerated() { locations[outline, default: []].append(index) }
        var left = Group(expected: [], actual: [])
        var paired: Set<Int> = []
        for (member, outline) in zip(group.expected, expected) {
            if counts[outline] == 1, let found = locations[outline], found.count == 1, let index = found.first {
                pair(member, group.actual[index])
                paired.insert(index)
            } else {
                left.expected.append(member)
            }
        }
        for (index, member) in group.actual.enumerated() where !paired.contains(index) { left.actual.append(member) }
        group = left
        return !paired.isEmpty
    }

    /// Pairs the first two members with equal outlines, preferring equal names. Returns whether there were any.
    private mutating func pairOneAlike(_ group: inout Group) -> Bool {
        let actual = group.actual.map { outline($0, isStored: false) }
        for (index, member) in group.expected.enumerated() {
            let outline = outline(member, isStored: true)
            guard let first = actual.firstIndex(of: outline) else { continue }
            let same = group.actual.firstIndex { $0.key == member.key }
            let other = same.flatMap { actual[$0] == outline ? $0 : nil } ?? first
            pair(member, group.actual[other])
            group.expected.remove(at: index)
            group.actual.remove(at: other)
            return true
        }
        return false
    }

    /// Pairs members with equal outlines in order, and then similar ones.
    private mutating func pairTheRest(_ group: Group) {
        // Reversed, so that the first one is removed last.
        var locations: [Outline: [Int]] = [:]
        for (index, member) in group.actual.enumerated().reversed() {
            locations[outline(member, isStored: false), default: []].append(index)
        }
        let outlines = group.expected.map { outline($0, isStored: true) }
        var left = Group(expected: [], actual: [])
        var paired: Set<Int> = []
        for (member, outline) in zip(group.expected, outlines) {
            if let index = locations[outline]?.popLast() {
                pair(member, group.actual[index])
                paired.insert(index)
            } else {
                left.expected.append(member)
            }
        }
        for (index, member) in group.actual.enumerated() where !paired.contains(index) { left.actual.append(member) }
        pairByLikeness(left)
    }

    /// Pairs each member with the most similar one among those whose names differ only in numbers.
    private mutating func pairByLikeness(_ group: Group) {
        guard group.isOpen else { return }
        var free: [String: [(member: JSONObject.Element, outline: JSONValue)]] = [:]
        for member in group.actual.reversed() {
            free[outlined(member.key, isStored: false), default: []].append(
                (member, outlined(member.value, isStored: false)))
        }
        let outlines = group.expected.map { member in
            (name: outlined(member.key, isStored: true), value: outlined(member.value, isStored: true))
        }
        let (comparisons, overflow) = group.expected.count.multipliedReportingOverflow(by: group.actual.count)
        let compares = !overflow && comparisons <= Self.maximumComparisons
        for (member, outline) in zip(group.expected, outlines) {
            guard var others = free.removeValue(forKey: outline.name), !others.isEmpty else { continue }
            var best = others.count - 1
            if compares {
                var maximum = -1
                for index in others.indices.reversed() {
                    let likeness = Self.likeness(outline.value, others[index].outline)
                    if likeness > maximum { (best, maximum) = (index, likeness) }
                }
            }
            pair(member, others.remove(at: best).member)
            free[outline.name] = others
        }
    }

    /// Returns a measure of the similarity of two values.
    private static func likeness(_ expected: JSONValue, _ actual: JSONValue) -> Int {
        switch (expected, actual) {
        case (.object(let expected), .object(let actual)):
            var sum = 1
            for (name, value) in expected { if let other = actual[name] { sum += value == other ? 4 : 1 } }
            return sum
        case (.array(let expected), .array(let actual)):
            return zip(expected, actual).reduce(1) { $0 + ($1.0 == $1.1 ? 4 : 0) }
        default: return expected == actual ? 4 : 0
        }
    }

    // MARK: Outlines

    private func outline(_ member: JSONObject.Element, isStored: Bool) -> Outline {
        let name = outlined(member.key, isStored: isStored)
        // If all of its placeholders have numbers, the name identifies the member.
        let isKnown = Placeholder.all(in: member.key).count == Placeholder.all(in: name).count
        return Outline(name: name, value: isKnown ? .null : outlined(member.value, isStored: isStored))
    }

    /// Returns the text without the numbers of unpaired placeholders, and with the stored numbers of the others.
    private func outlined(_ text: String, isStored: Bool) -> String {
        Self.replaced(in: text) { placeholder in
            let stored: Int? = taken.contains(placeholder) ? placeholder.number : nil
            guard let number = isStored ? stored : numbers[placeholder] else { return "<\(placeholder.kind.rawValue)>" }
            return Placeholder(kind: placeholder.kind, number: number).text
        }
    }

    private func outlined(_ value: JSONValue, isStored: Bool) -> JSONValue {
        switch value {
        case .null, .bool, .number: return value
        case .string(let text): return .string(outlined(text, isStored: isStored))
        case .array(let elements): return .array(elements.map { outlined($0, isStored: isStored) })
        case .object(let members):
            var result = JSONObject()
            result.reserveCapacity(members.count)
            // Without numbers, several members may have the same name.
            var unnumbered: [String: [JSONValue]] = [:]
            for (name, member) in members {
                let value = outlined(member, isStored: isStored)
                if Self.holdsPlaceholder(name) {
                    unnumbered[outlined(name, isStored: isStored), default: []].append(value)
                } else {
                    result[name] = value
                }
            }
            for (name, values) in unnumbered {
                let texts = values.map { $0.serialized() }.sorted()
                result[name] = .array(texts.map(JSONValue.string))
            }
            return .object(result)
        }
    }

    // MARK: Numbers

    /// Records the numbers in a stored value, so that no new value gets one of them.
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
            var isNumbered = false
            for (name, member) in members {
                let stored = renumbered(name)
                if stored != name { isNumbered = true }
                result[stored] = renumbered(member)
            }
            // The members in files are sorted by name.
            if isNumbered { result.sortMembers() }
            return .object(result)
        }
    }

    private mutating func renumbered(_ text: String) -> String {
        Self.replaced(in: text) { Placeholder(kind: $0.kind, number: number(of: $0)).text }
    }

    /// Returns the text with its placeholders replaced.
    private static func replaced(in text: String, _ replacement: (Placeholder) -> String) -> String {
        guard text.utf8.contains(UInt8(ascii: "<")) else { return text }
        let found = Placeholder.all(in: text)
        guard !found.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var copied = 0
        for (placeholder, range) in found {
            output += bytes[copied..<range.lowerBound]
            output += replacement(placeholder).utf8
            copied = range.upperBound
        }
        output += bytes[copied...]
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the number of a value in the stored snapshot, or the next unused number if it does not occur there.
    private mutating func number(of placeholder: Placeholder) -> Int {
        if let number = numbers[placeholder] { return number }
        let number = (last[placeholder.kind] ?? 0) + 1
        last[placeholder.kind] = number
        numbers[placeholder] = number
        return number
    }
}
