/// Finds secrets in a text, both verbatim and in any nesting of the supported encodings.
///
/// The text is searched verbatim; then with its escapes decoded, repeatedly while there are any; then in the decoded
/// runs of base64 and hexadecimal digits, at each alignment; then as UTF-16. Each decoded text is searched in the same
/// way, so encodings may be nested in any order. Hits are ranges of the original text.
struct SecretSearch {
    /// The encoding of a mask.
    enum Unit {
        case byte, utf16, utf16BigEndian
    }

    /// A range that contains a secret.
    struct Hit {
        var range: Range<Int>
        var unit = Unit.byte
    }

    /// The properties of a text to search.
    private struct Source {
        /// Whether the text starts or ends where a longer text was truncated.
        var isStartCut = false
        var isEndCut = false
        /// The remaining number of passes that decode escapes.
        var escapes = 6
        /// The remaining number of nested encodings to decode.
        var codings = 3
        /// Whether the text was decoded, so that it may be random bytes.
        var isEncoded = false
        /// The decoded escapes, which limit the search to digit runs that they changed; nil searches all runs.
        var changes: DecodedText?
    }

    /// The minimum length of a part of a secret that is masked next to a truncation.
    static let shortestPart = SecretWindows.length
    private static let ellipsis: [UInt8] = Array("…".utf8)
    private static let replacement: [UInt8] = Array("\u{FFFD}".utf8)

    let secrets: KnownSecrets
    private var tree: SecretTree { secrets.tree }

    init(_ secrets: KnownSecrets) {
        self.secrets = secrets
    }

    /// Returns the ranges of secrets, in order and without overlap.
    ///
    /// - Parameters:
    ///   - text: The text to search.
    ///   - isEndCut: Whether the text is truncated at the end.
    func hits(in text: UnsafeBufferPointer<UInt8>, isEndCut: Bool) -> [Hit] {
        let found = search(text, Source(isEndCut: isEndCut))
        guard found.count > 1 else { return found }
        var merged: [Hit] = []
        for hit in found.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            if let last = merged.last, hit.range.lowerBound < last.range.upperBound {
                merged[merged.count - 1].range =
                    last.range.lowerBound..<max(last.range.upperBound, hit.range.upperBound)
            } else {
                merged.append(hit)
            }
        }
        return merged
    }

    /// Searches a text and everything that it can be decoded to.
    private func search(_ text: UnsafeBufferPointer<UInt8>, _ source: Source) -> [Hit] {
        if source.isEncoded, text.count < secrets.shortest, !(source.isStartCut || source.isEndCut) { return [] }
        var traits = Traits()
        var hits = plain(text, source, &traits)
        if source.escapes > 0, !traits.escapes.isEmpty { addEscaped(text, source, traits.escapes, to: &hits) }
        if source.codings > 0 {
            addDigits(text, source, isCutAnywhere: traits.hasEllipsis, to: &hits)
            if traits.hasZero { addUTF16(text, source, to: &hits) }
        }
        return hits
    }

    /// The features of a text that require further searches.
    private struct Traits {
        var escapes: Escapes = []
        var hasZero = false
        var hasEllipsis = false
    }

    // MARK: Escapes

    /// Adds the hits in the text with its escapes decoded.
    private func addEscaped(
        _ text: UnsafeBufferPointer<UInt8>, _ source: Source, _ present: Escapes, to hits: inout [Hit]
    ) {
        let nested = present.intersection(.nested)
        if !nested.isEmpty, let decoded = DecodedText.undoing(nested, in: text, reach: secrets.reach) {
            var inner = source
            inner.escapes = decoded.hasNewEscapes ? source.escapes - 1 : 0
            inner.changes = decoded
            inner.isStartCut = false
            inner.isEndCut = source.isEndCut && decoded.isWhole
            let found = decoded.bytes.withUnsafeBufferPointer { search($0, inner) }
            hits += found.map { Hit(range: decoded.source(of: $0.range)) }
        }
        // The secret's own bytes may look like an escape of a different kind than the text uses.
        guard secrets.hasEscapes else { return }
        for kind in Escapes.single where present.contains(kind) && (nested != kind) {
            guard let decoded = DecodedText.undoing(kind, in: text, reach: secrets.reach) else { continue }
            var inner = source
            inner.isStartCut = false
            inner.isEndCut = source.isEndCut && decoded.isWhole
            var traits = Traits()
            let found = decoded.bytes.withUnsafeBufferPointer { plain($0, inner, &traits) }
            hits += found.map { Hit(range: decoded.source(of: $0.range)) }
        }
    }

    // MARK: Encodings

    /// Adds the hits in the decoded runs of base64 and hexadecimal digits.
    private func addDigits(
        _ text: UnsafeBufferPointer<UInt8>, _ source: Source, isCutAnywhere: Bool, to hits: inout [Hit]
    ) {
        let minimum = secrets.shortest / 3 * 4 + secrets.shortest % 3 * 8 / 6
        let minimumOfPart = Self.shortestPart * 8 / 6
        let isCut = isCutAnywhere || source.isStartCut || source.isEndCut
        DigitRun.forEach(in: text, minimum: isCut ? min(minimum, minimumOfPart) : minimum) { run in
            let range = run.range
            if let changes = source.changes, !changes.isChanged(in: range) { return }
            var inner = Source(codings: source.codings - 1, isEncoded: true)
            if isCut {
                inner.isStartCut =
                    range.lowerBound == 0
                    ? source.isStartCut
                    : range.lowerBound >= 3 && Self.isEllipsis(text, at: range.lowerBound - 3)
                inner.isEndCut = self.isCut(text, at: range.upperBound, source)
                guard run.count >= minimum || inner.isStartCut || inner.isEndCut else { return }
            }
            for first in 0..<4 {
                for hit in run.withBase64(from: first, { mayHold($0, inner) ? search($0, inner) : [] }) {
                    let range = run.source(ofBase64: hit.range, from: first)
                    hits.append(Hit(range: range.lowerBound..<Self.paddingEnd(in: text, at: range.upperBound)))
                }
            }
            guard run.count / 2 >= secrets.shortest else { return }
            inner.isStartCut = false
            inner.isEndCut = false
            for first in 0..<2 {
                guard let bytes = run.hexadecimal(from: first) else { continue }
                let found = bytes.withUnsafeBufferPointer { search($0, inner) }
                hits += found.map { Hit(range: run.source(ofHexadecimal: $0.range, from: first)) }
            }
        }
    }

    /// Returns whether a short text is worth a search. Most random bytes are not.
    private func mayHold(_ text: UnsafeBufferPointer<UInt8>, _ source: Source) -> Bool {
        if text.count > 64 || source.isStartCut { return true }
        return secrets.interests.withUnsafeBufferPointer { interests in
            var digits = 0
            for position in text.indices {
                let interest = interests[Int(text[position])]
                if interest & KnownSecrets.special != 0 { return true }
                if interest & KnownSecrets.start != 0, tree.mayBegin(text, at: position) { return true }
                digits = DigitRun.isDigit(text[position]) ? digits + 1 : 0
                if digits >= secrets.shortest { return true }
            }
            return false
        }
    }

    /// Returns the position after up to two padding characters of base64.
    private static func paddingEnd(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
        var position = position
        for _ in 0..<2 where position < text.count && text[position] == UInt8(ascii: "=") { position += 1 }
        return position
    }

    /// Adds the hits in the text decoded as UTF-16, in both byte orders and at both alignments.
    private func addUTF16(_ text: UnsafeBufferPointer<UInt8>, _ source: Source, to hits: inout [Hit]) {
        guard Self.mayBeUTF16(text, isEncoded: source.isEncoded) else { return }
        var inner = source
        inner.codings -= 1
        var starts: Set<Int> = []
        for start in 0..<2 {
            for isBigEndian in [false, true] {
                func decoded(isMapped: Bool) -> DecodedText {
                    DecodedText.utf16(text, from: start, isBigEndian: isBigEndian, isMapped: isMapped)
                }
                let found = decoded(isMapped: false).bytes.withUnsafeBufferPointer { search($0, inner) }
                if found.isEmpty { continue }
                let mapped = decoded(isMapped: true)
                let unit = isBigEndian ? Unit.utf16BigEndian : .utf16
                for hit in found {
                    let range = mapped.source(of: hit.range)
                    // ASCII text also decodes with the other byte order, except at its ends.
                    if starts.contains(range.lowerBound - 1) || starts.contains(range.lowerBound + 1) { continue }
                    starts.insert(range.lowerBound)
                    hits.append(Hit(range: range, unit: unit))
                }
            }
        }
    }

    /// Returns whether a text starts with a byte order mark or contains alternating zero bytes.
    ///
    /// - Parameters:
    ///   - text: The text to inspect.
    ///   - isEncoded: Whether the text may be random bytes. In that case, a quarter of them must be zero.
    private static func mayBeUTF16(_ text: UnsafeBufferPointer<UInt8>, isEncoded: Bool) -> Bool {
        guard text.count >= 8 else { return false }
        if text[0] == 0xFF && text[1] == 0xFE || text[0] == 0xFE && text[1] == 0xFF { return true }
        if isEncoded { return text.count { $0 == 0 } >= text.count / 4 }
        for index in 2..<text.count where text[index] == 0 && text[index - 1] != 0 && text[index - 2] == 0 {
            return true
        }
        return false
    }

    // MARK: Verbatim search

    /// Returns the hits in the text as it is, and notes which further searches it requires.
    private func plain(_ text: UnsafeBufferPointer<UInt8>, _ source: Source, _ traits: inout Traits) -> [Hit] {
        var hits: [Hit] = []
        var end = 0
        if source.isStartCut, let partEnd = partEnd(in: text, at: 0, source) {
            hits.append(Hit(range: 0..<partEnd))
            end = partEnd
        }
        secrets.interests.withUnsafeBufferPointer { interests in
            var position = 0
            while position < text.count {
                let byte = text[position]
                let interest = interests[Int(byte)]
                if interest == 0 {
                    position &+= 1
                    continue
                }
                var last: Int?
                if interest & KnownSecrets.start != 0, tree.mayBegin(text, at: position) {
                    last = matchEnd(in: text, at: position, source)
                }
                if interest & KnownSecrets.special != 0 {
                    note(byte, text, at: position, &traits)
                    if last == nil, byte == 0xE2, Self.isEllipsis(text, at: position) {
                        traits.hasEllipsis = true
                        last = partEnd(in: text, at: position + 3, source)
                    }
                }
                if let last, last > end {
                    var start = position
                    // Merges overlapping hits.
                    if start < end, let hit = hits.popLast() { start = hit.range.lowerBound }
                    hits.append(Hit(range: start..<last))
                    end = last
                }
                position &+= 1
            }
        }
        return hits
    }

    @inline(__always)
    private func note(_ byte: UInt8, _ text: UnsafeBufferPointer<UInt8>, at position: Int, _ traits: inout Traits) {
        switch byte {
        case 0: traits.hasZero = true
        case 0xE2: break
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            if position + 1 < text.count, text[position + 1] == byte { traits.escapes.insert(.doubledQuote) }
        default: traits.escapes.formUnion(Escapes.kind(of: byte))
        }
    }

    /// Returns the end of the longest secret that starts at a position, or of its part if the text is truncated within
    /// it.
    private func matchEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int, _ source: Source) -> Int? {
        let match = tree.match(text, at: start)
        var end = match.end
        if match.isPart, match.reach - start >= Self.shortestPart, match.reach > end ?? start,
            isCut(text, at: match.reach, source)
        {
            end = match.reach
        }
        return end
    }

    /// Returns the end of the part of a secret that follows a truncation.
    private func partEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int, _ source: Source) -> Int? {
        var start = start
        // The truncation may have split a character.
        for _ in 0..<3 where Self.stands(Self.replacement, in: text, at: start) { start += 3 }
        // A complete secret at this position is found by the ordinary search.
        if start < text.count, tree.mayBegin(text, at: start), matchEnd(in: text, at: start, source) != nil {
            return nil
        }
        return secrets.windows.partEnd(in: text, at: start) { isCut(text, at: $0, source) }
    }

    /// Returns whether the text is truncated at a position, or within a character or escape that starts there.
    private func isCut(_ text: UnsafeBufferPointer<UInt8>, at position: Int, _ source: Source) -> Bool {
        func isEnd(_ position: Int) -> Bool {
            position == text.count ? source.isEndCut : Self.isEllipsis(text, at: position)
        }
        if isEnd(position) { return true }
        guard position < text.count else { return false }
        switch text[position] {
        case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"):
            // Only an escaped surrogate pair is longer than ten bytes.
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
}
