/// Finds secrets in a text: as they are, and in everything that the text can be decoded to.
///
/// A text is searched as it is; then without its escapes, again and again while there are any; then what its runs of base64
/// and hexadecimal digits stand for, at each alignment; then its UTF-16. Each of these is a text that is searched in the same
/// way, so that the ways of encoding may be nested in any order. What is found is told as ranges of the text itself.
struct SecretSearch {
    /// How a mask is written in place of what was found.
    enum Unit {
        case byte, utf16, utf16BigEndian
    }

    /// Where something stands that says a secret.
    struct Hit {
        var range: Range<Int>
        var unit = Unit.byte
    }

    /// A text to search.
    private struct Source {
        /// Whether it begins, or ends, where a longer text was cut.
        var isStartCut = false
        var isEndCut = false
        /// How many more times escapes are undone.
        var escapes = 6
        /// How many more times what was encoded is decoded.
        var codings = 3
        /// Whether it is decoded, so that what surrounds a value in it is no sign of where it ends.
        var isEncoded = false
        /// Which of its runs of digits were not there before escapes were undone; nil for all.
        var changes: DecodedText?
    }

    /// The shortest part of a secret that is masked where the text was cut off beside it.
    static let shortestPart = SecretWindows.length
    private static let ellipsis: [UInt8] = Array("…".utf8)
    private static let replacement: [UInt8] = Array("\u{FFFD}".utf8)

    let tree: SecretTree
    let windows: SecretWindows
    /// The bytes of the shortest secret that is masked anywhere; nil when there is none.
    let shortest: Int?
    /// Whether a quotation mark stands in a secret.
    let hasQuotes: Bool

    /// Where secrets stand, in order and without overlap.
    ///
    /// - Parameter isEndCut: Whether a longer text was cut at the end.
    func hits(in text: UnsafeBufferPointer<UInt8>, isEndCut: Bool) -> [Hit] {
        let found = search(text, Source(isEndCut: isEndCut))
        guard found.count > 1 else { return found }
        var merged: [Hit] = []
        for hit in found.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            if let last = merged.last, hit.range.lowerBound < last.range.upperBound {
                merged[merged.count - 1].range = last.range.lowerBound..<max(last.range.upperBound, hit.range.upperBound)
            } else {
                merged.append(hit)
            }
        }
        return merged
    }

    private func search(_ text: UnsafeBufferPointer<UInt8>, _ source: Source) -> [Hit] {
        var hits = plain(text, source)
        addEscaped(text, source, to: &hits)
        if source.codings > 0 {
            addDigits(text, source, to: &hits)
            addUTF16(text, source, to: &hits)
        }
        return hits
    }

    // MARK: Escapes

    private func addEscaped(_ text: UnsafeBufferPointer<UInt8>, _ source: Source, to hits: inout [Hit]) {
        guard source.escapes > 0 else { return }
        let present = Escapes.present(in: text)
        guard !present.isEmpty else { return }
        if let decoded = DecodedText.undoing(present.intersection(.nested), in: text) {
            var inner = source
            inner.escapes -= 1
            inner.changes = decoded
            let found = decoded.bytes.withUnsafeBufferPointer { search($0, inner) }
            hits += found.map { Hit(range: decoded.source(of: $0.range), unit: $0.unit) }
        }
        // What is one of a secret's own bytes may look like an escape, of another kind than that of the text.
        for kind in Escapes.single where present.contains(kind) && present != kind {
            if kind == .doubledQuote, !hasQuotes { continue }
            guard let decoded = DecodedText.undoing(kind, in: text) else { continue }
            let found = decoded.bytes.withUnsafeBufferPointer { plain($0, source) }
            hits += found.map { Hit(range: decoded.source(of: $0.range), unit: $0.unit) }
        }
        if present == .doubledQuote, hasQuotes, let decoded = DecodedText.undoing(.doubledQuote, in: text) {
            let found = decoded.bytes.withUnsafeBufferPointer { plain($0, source) }
            hits += found.map { Hit(range: decoded.source(of: $0.range), unit: $0.unit) }
        }
    }

    // MARK: What is encoded

    private func addDigits(_ text: UnsafeBufferPointer<UInt8>, _ source: Source, to hits: inout [Hit]) {
        // A text of nothing but short secrets has no base64 but that of a whole value, which is a pattern.
        guard let shortest else { return }
        let fewest = shortest * 8 / 6
        let fewestOfPart = Self.shortestPart * 8 / 6
        func isStartCut(_ position: Int) -> Bool {
            position == 0 ? source.isStartCut : position >= 3 && Self.isEllipsis(text, at: position - 3)
        }
        func isEndCut(_ position: Int) -> Bool { isCut(text, at: position, source) }
        DigitRun.forEach(in: text) { range in
            guard range.count >= fewest
                || range.count >= fewestOfPart && (isStartCut(range.lowerBound) || isEndCut(range.upperBound))
            else { return false }
            return source.changes?.isChanged(in: range) ?? true
        } _: { run in
            var inner = Source(
                isStartCut: isStartCut(run.range.lowerBound), isEndCut: isEndCut(run.range.upperBound),
                codings: source.codings - 1, isEncoded: true)
            for first in 0..<4 {
                let found = run.base64(from: first).withUnsafeBufferPointer { search($0, inner) }
                for hit in found {
                    let range = run.source(ofBase64: hit.range, from: first)
                    hits.append(Hit(range: range.lowerBound..<Self.paddingEnd(in: text, at: range.upperBound)))
                }
            }
            guard run.range.count >= shortest * 2 else { return }
            inner.isStartCut = false
            inner.isEndCut = false
            for first in 0..<2 {
                guard let bytes = run.hexadecimal(from: first) else { continue }
                let found = bytes.withUnsafeBufferPointer { search($0, inner) }
                hits += found.map { Hit(range: run.source(ofHexadecimal: $0.range, from: first)) }
            }
        }
    }

    private static func paddingEnd(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
        var position = position
        for _ in 0..<2 where position < text.count && text[position] == UInt8(ascii: "=") { position += 1 }
        return position
    }

    private func addUTF16(_ text: UnsafeBufferPointer<UInt8>, _ source: Source, to hits: inout [Hit]) {
        guard source.changes == nil, Self.mayBeUTF16(text) else { return }
        var inner = source
        inner.codings -= 1
        for start in 0..<2 {
            for isBigEndian in [false, true] {
                let decoded = DecodedText.utf16(text, from: start, isBigEndian: isBigEndian)
                let found = decoded.bytes.withUnsafeBufferPointer { search($0, inner) }
                let unit = isBigEndian ? Unit.utf16BigEndian : .utf16
                hits += found.map { Hit(range: decoded.source(of: $0.range), unit: unit) }
            }
        }
    }

    /// Whether a text begins with a byte order mark, or has a zero in every other byte somewhere.
    private static func mayBeUTF16(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 4 else { return false }
        if text[0] == 0xFF && text[1] == 0xFE || text[0] == 0xFE && text[1] == 0xFF { return true }
        for index in 2..<text.count where text[index] == 0 && text[index - 1] != 0 && text[index - 2] == 0 {
            return true
        }
        return false
    }

    // MARK: A text as it is

    private func plain(_ text: UnsafeBufferPointer<UInt8>, _ source: Source) -> [Hit] {
        var hits: [Hit] = []
        var end = 0
        if source.isStartCut, let partEnd = partEnd(in: text, at: 0, source) {
            hits.append(Hit(range: 0..<partEnd))
            end = partEnd
        }
        for position in text.indices {
            var start = position
            var last: Int?
            if tree.mayBegin(text, at: position) { last = matchEnd(in: text, at: position, source) }
            if last == nil, text[position] == 0xE2, Self.isEllipsis(text, at: position) {
                last = partEnd(in: text, at: position + 3, source)
            }
            guard let last, last > end else { continue }
            // What overlaps is one.
            if start < end, let hit = hits.popLast() { start = hit.range.lowerBound }
            hits.append(Hit(range: start..<last))
            end = last
        }
        return hits
    }

    /// The end of the longest secret that begins at a position, or of its part when the text was cut within it.
    private func matchEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int, _ source: Source) -> Int? {
        let match = tree.match(text, at: start)
        var end = match.anywhere
        if !source.isEncoded {
            for whole in match.wholes.reversed() where whole > end ?? start && Self.isWholeValue(text, start..<whole) {
                end = whole
                break
            }
        }
        if match.isPart, match.reach - start >= Self.shortestPart, match.reach > end ?? start,
            isCut(text, at: match.reach, source)
        {
            end = match.reach
        }
        return end
    }

    /// The end of the part of a secret that stands where the text before was cut.
    private func partEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int, _ source: Source) -> Int? {
        var start = start
        // The cut may have gone through a character.
        for _ in 0..<3 where Self.stands(Self.replacement, in: text, at: start) { start += 3 }
        // What is whole there is found there.
        if start < text.count, tree.mayBegin(text, at: start), matchEnd(in: text, at: start, source) != nil { return nil }
        return windows.partEnd(in: text, at: start) { isCut(text, at: $0, source) }
    }

    /// Whether a text was cut at a position, or within a character or an escape that begins there.
    private func isCut(_ text: UnsafeBufferPointer<UInt8>, at position: Int, _ source: Source) -> Bool {
        func isEnd(_ position: Int) -> Bool {
            position == text.count ? source.isEndCut : Self.isEllipsis(text, at: position)
        }
        if isEnd(position) { return true }
        guard position < text.count else { return false }
        switch text[position] {
        case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"):
            // None but that of two code units is longer than ten bytes.
            return (position + 1...position + 11).contains { $0 <= text.count && isEnd($0) }
        case 0xEF:
            var end = position
            for _ in 0..<3 where Self.stands(Self.replacement, in: text, at: end) { end += 3 }
            return end > position && isEnd(end)
        default: return false
        }
    }

    private static func isEllipsis(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        stands(ellipsis, in: text, at: position)
    }

    private static func stands(_ word: [UInt8], in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        guard position >= 0, position + word.count <= text.count else { return false }
        for index in word.indices where text[position + index] != word[index] { return false }
        return true
    }

    /// Whether a range of a text is all of it, or stands between what delimits values in JSON, XML, YAML, forms and URLs.
    private static func isWholeValue(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        if range.lowerBound > 0 {
            switch text[range.lowerBound - 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: ":"),
                UInt8(ascii: ";"), UInt8(ascii: "["), UInt8(ascii: ","), 0x0A:
                break
            case UInt8(ascii: " "):
                // As in `pin: 12`, not in prose.
                guard range.lowerBound > 1, text[range.lowerBound - 2] == UInt8(ascii: ":") else { return false }
            default: return false
            }
        }
        guard range.upperBound < text.count else { return true }
        switch text[range.upperBound] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\\"), 0x0A, 0x0D:
            return true
        default: return false
        }
    }
}
