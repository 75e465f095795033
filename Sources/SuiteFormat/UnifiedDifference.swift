import Diagnostics

/// The difference between two texts, line by line.
package struct UnifiedDifference {
    /// A range of lines in both texts.
    private struct Part {
        var before: Range<Int>
        var after: Range<Int>
    }

    /// The number of unchanged lines to show around a change.
    private static let context = 3

    private let before: [Substring]
    private let after: [Substring]
    private let hasFinalBreak: (before: Bool, after: Bool)

    /// Creates the difference of two texts.
    package init(before: [UInt8], after: [UInt8]) {
        let texts = (String(decoding: before, as: UTF8.self), String(decoding: after, as: UTF8.self))
        self.before = Self.lines(texts.0)
        self.after = Self.lines(texts.1)
        hasFinalBreak = (before.last == UInt8(ascii: "\n"), after.last == UInt8(ascii: "\n"))
    }

    /// Returns the lines of a text. Only LF ends a line, so a CR before it is a difference.
    private static func lines(_ text: String) -> [Substring] {
        var lines: [Substring] = []
        var rest = text[...]
        while let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(rest[..<end])
            rest = rest[rest.utf8.index(after: end)...]
        }
        if !rest.isEmpty { lines.append(rest) }
        return lines
    }

    /// Returns the difference in the format of `diff -u`; empty for equal texts.
    ///
    /// - Parameters:
    ///   - name: The path of the file.
    ///   - note: A description of the second text.
    package func unified(name: String, note: String = "formatted") -> String {
        let changes = changes()
        guard !changes.isEmpty else { return "" }
        let name = DisplayWidth.printable(name)
        var text = "--- \(name)\n+++ \(name) (\(note))\n"
        var index = 0
        while index < changes.count {
            var last = index
            // Changes with overlapping context share a hunk.
            while last + 1 < changes.count,
                changes[last + 1].before.lowerBound - changes[last].before.upperBound <= 2 * Self.context
            {
                last += 1
            }
            writeHunk(Array(changes[index...last]), to: &text)
            index = last + 1
        }
        return text
    }

    private func writeHunk(_ changes: [Part], to text: inout String) {
        guard let first = changes.first, let last = changes.last else { return }
        let lead = min(Self.context, first.before.lowerBound)
        let trail = min(Self.context, before.count - last.before.upperBound)
        let beforeStart = first.before.lowerBound - lead
        let afterStart = first.after.lowerBound - lead
        let beforeCount = last.before.upperBound + trail - beforeStart
        let afterCount = last.after.upperBound + trail - afterStart
        text += "@@ -\(location(beforeStart, beforeCount)) +\(location(afterStart, afterCount)) @@\n"
        var position = beforeStart
        for change in changes {
            for line in position..<change.before.lowerBound { writeBefore(line, " ", to: &text) }
            for line in change.before { writeBefore(line, "-", to: &text) }
            for line in change.after {
                text += "+" + after[line] + "\n"
                if line == after.count - 1, !hasFinalBreak.after { text += "\\ No newline at end of file\n" }
            }
            position = change.before.upperBound
        }
        for line in position..<(position + trail) { writeBefore(line, " ", to: &text) }
    }

    private func writeBefore(_ line: Int, _ mark: String, to text: inout String) {
        text += mark + before[line] + "\n"
        if line == before.count - 1, !hasFinalBreak.before { text += "\\ No newline at end of file\n" }
    }

    private func location(_ start: Int, _ count: Int) -> String {
        count == 1 ? "\(start + 1)" : "\(count == 0 ? start : start + 1),\(count)"
    }

    // MARK: Comparison

    private func isEqual(_ left: Int, _ right: Int) -> Bool {
        // A last line without a line break is different from one with a line break.
        let isOpen = (
            left == before.count - 1 && !hasFinalBreak.before, right == after.count - 1 && !hasFinalBreak.after
        )
        return isOpen.0 == isOpen.1 && before[left].utf8.elementsEqual(after[right].utf8)
    }

    /// Returns the changed parts in order.
    ///
    /// The comparison is anchored at lines that occur once in each text, so it takes at most O(n log n) time.
    private func changes() -> [Part] {
        var result: [Part] = []
        var open = [Part(before: before.indices, after: after.indices)]
        while let part = open.popLast() {
            var (lower, upper) = (
                (part.before.lowerBound, part.after.lowerBound), (part.before.upperBound, part.after.upperBound)
            )
            while lower.0 < upper.0, lower.1 < upper.1, isEqual(lower.0, lower.1) {
                lower.0 += 1
                lower.1 += 1
            }
            while lower.0 < upper.0, lower.1 < upper.1, isEqual(upper.0 - 1, upper.1 - 1) {
                upper.0 -= 1
                upper.1 -= 1
            }
            let rest = Part(before: lower.0..<upper.0, after: lower.1..<upper.1)
            if rest.before.isEmpty, rest.after.isEmpty { continue }
            let anchors = rest.before.isEmpty || rest.after.isEmpty ? [] : anchors(of: rest)
            if anchors.isEmpty {
                result.append(rest)
                continue
            }
            // Pushes the parts between the anchors in reverse order, because the next part is taken from the end.
            var end = (rest.before.upperBound, rest.after.upperBound)
            var parts: [Part] = []
            for (left, right) in anchors.reversed() {
                parts.append(Part(before: (left + 1)..<end.0, after: (right + 1)..<end.1))
                end = (left, right)
            }
            parts.append(Part(before: rest.before.lowerBound..<end.0, after: rest.after.lowerBound..<end.1))
            open += parts
        }
        return result
    }

    /// Returns the pairs of equal lines that are unique on each side, as many as are in the same order.
    private func anchors(of part: Part) -> [(Int, Int)] {
        var locations: [Substring: (before: Int?, after: Int?, isUnique: Bool)] = [:]
        for line in part.before {
            let known = locations[before[line]]
            locations[before[line]] = (line, nil, known == nil)
        }
        for line in part.after {
            guard var known = locations[after[line]] else { continue }
            if known.after != nil { known.isUnique = false }
            known.after = line
            locations[after[line]] = known
        }
        var pairs: [(Int, Int)] = []
        for line in part.before {
            guard let known = locations[before[line]], known.isUnique, let other = known.after, isEqual(line, other)
            else {
                continue
            }
            pairs.append((line, other))
        }
        return longestIncreasing(pairs)
    }

    /// Returns the longest subsequence of pairs, ordered by first element, whose second elements increase.
    private func longestIncreasing(_ pairs: [(Int, Int)]) -> [(Int, Int)] {
        // The pair with the smallest second element that ends a subsequence of each length.
        var ends: [Int] = []
        var previous: [Int?] = []
        for index in pairs.indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].1 < pairs[index].1 { low = middle + 1 } else { high = middle }
            }
            previous.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var run: [(Int, Int)] = []
        var next = ends.last
        while let index = next {
            run.append(pairs[index])
            next = previous[index]
        }
        return run.reversed()
    }
}
