import Diagnostics
import JSON
import SuiteModel

/// Masks secrets in texts, bytes and events: in plain, percent-encoded, JSON-escaped, XML-escaped and base64 form.
///
/// Base64 is found at each of its three alignments, in the standard and the URL-safe alphabet (RFC 4648), so a secret
/// is also masked inside of a longer text that was encoded as a whole.
struct SecretRedactor {
    /// What stands in place of a secret.
    static let mask = "***"
    /// The shortest base64 text that is looked for.
    private static let shortestBase64 = 4
    /// The shortest line of a secret of several lines that is masked by itself.
    private static let shortestLine = 8

    /// The patterns by the first byte of each, longest first.
    private var patterns = [[SecretPattern]](repeating: [], count: 256)
    /// Whether a match may begin with a byte, be it an escape's first.
    private var isStart = [Bool](repeating: false, count: 256)
    /// Whether a pattern begins with two bytes, at the first byte times 256 and the second; empty without secrets.
    private var isPair: [Bool] = []
    /// What may stand behind the `…` of a text that was cut.
    private var windows = SecretWindows()
    private var known: Set<[UInt8]> = []
    /// Files in which secrets stand, masked; nil for a file without any.
    private var maskedFiles: [SourceFile: SourceFile?] = [:]

    /// Whether no secret is known.
    var isEmpty: Bool { known.isEmpty }

    /// Masks a value from now on.
    mutating func learn(_ secret: String) {
        let bytes = Array(secret.utf8)
        add(bytes)
        let trimmed = Self.trimmed(bytes[...])
        if trimmed.count < bytes.count { add(Array(trimmed)) }
        let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        guard lines.count > 1 else { return }
        for line in lines.map(Self.trimmed) where line.count >= Self.shortestLine { add(Array(line)) }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return bytes.prefix(0) }
        return bytes[first...last]
    }

    private mutating func add(_ secret: [UInt8]) {
        guard !secret.isEmpty, known.insert(secret).inserted else { return }
        maskedFiles = [:]
        // A short one would match everywhere, and the masks would tell it.
        let isShort = SecretText.isShort(String(decoding: secret, as: UTF8.self))
        add(secret, isShort: isShort)
        guard !isShort else { return }
        for form in Self.jsonForms(of: secret) where known.insert(form).inserted { add(form, isShort: false) }
    }

    /// A secret as JSON text has it where that is not the secret itself, so that it is also found in JSON inside of JSON.
    private static func jsonForms(of secret: [UInt8]) -> [[UInt8]] {
        let quoted = JSONValue.string(String(decoding: secret, as: UTF8.self)).serializedBytes()
        let escaped = Array(quoted.dropFirst().dropLast())
        // Some writers escape the slash, too.
        let slash = UInt8(ascii: "/")
        let slashed = escaped.flatMap { $0 == slash ? [UInt8(ascii: "\\"), slash] : [$0] }
        return [escaped, slashed].filter { $0 != secret }
    }

    private mutating func add(_ secret: [UInt8], isShort: Bool) {
        var added: Set<SecretPattern> = [SecretPattern(bytes: secret, isWhole: isShort)]
        if isShort { added.insert(SecretPattern(bytes: Self.paddedBase64(secret), isWhole: true)) }
        for shift in isShort ? 0..<0 : 0..<3 {
            let standard = Self.base64Core(secret, shift: shift)
            guard standard.count >= Self.shortestBase64 else { continue }
            let isPartial = (shift + secret.count) % 3 != 0
            added.insert(SecretPattern(bytes: standard, extendsLeft: shift > 0, extendsRight: isPartial))
            let urlSafe = standard.map { byte in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: byte
                }
            }
            added.insert(SecretPattern(bytes: urlSafe, extendsLeft: shift > 0, extendsRight: isPartial))
        }
        for pattern in added {
            guard let first = pattern.bytes.first else { continue }
            if !isShort { windows.insert(pattern.bytes) }
            patterns[Int(first)].append(pattern)
            patterns[Int(first)].sort { $0.bytes.count > $1.bytes.count }
            isStart[Int(first)] = true
            if isPair.isEmpty { isPair = [Bool](repeating: false, count: 65_536) }
            if pattern.bytes.count > 1 {
                isPair[Int(first) << 8 | Int(pattern.bytes[1])] = true
            } else {
                for second in 0..<256 { isPair[Int(first) << 8 | second] = true }
            }
            if first == UInt8(ascii: " ") { isStart[Int(UInt8(ascii: "+"))] = true }
        }
        // Of a value that was cut at its beginning, the end or the middle of a secret may be left behind `…`.
        isStart[0xE2] = true
        isStart[Int(UInt8(ascii: "%"))] = true
        isStart[Int(UInt8(ascii: "\\"))] = true
        isStart[Int(UInt8(ascii: "&"))] = true
    }

    /// The base64 digits that a secret alone decides when `shift` unknown bytes stand before it and any behind it.
    private static func base64Core(_ secret: [UInt8], shift: Int) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let bytes = [UInt8](repeating: 0, count: shift) + secret
        let firstWhole = (shift * 8 + 5) / 6
        let digits = bytes.count * 8 / 6
        guard firstWhole < digits else { return [] }
        return (firstWhole..<digits).map { digit in
            let bit = digit * 6
            let high = UInt16(bytes[bit / 8]) << 8
            let low = bit / 8 + 1 < bytes.count ? UInt16(bytes[bit / 8 + 1]) : 0
            return alphabet[Int((high | low) >> UInt16(10 - bit % 8) & 0x3F)]
        }
    }

    /// The base64 text of a secret by itself.
    private static func paddedBase64(_ secret: [UInt8]) -> [UInt8] {
        let padding = (3 - secret.count % 3) % 3
        let digits = base64Core(secret + [UInt8](repeating: 0, count: padding), shift: 0)
        return digits.dropLast(padding) + [UInt8](repeating: UInt8(ascii: "="), count: padding)
    }

    // MARK: Texts

    /// A text with its secrets masked, or nil when it has none.
    func redacted(_ text: String) -> String? {
        guard !isEmpty, !text.isEmpty else { return nil }
        var text = text
        return text.withUTF8 { bytes in
            replacements(in: bytes).map { String(decoding: Self.masking(bytes, $0), as: UTF8.self) }
        }
    }

    /// Bytes with their secrets masked, or nil when they have none.
    func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        guard !isEmpty, !bytes.isEmpty else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            replacements(in: bytes).map { Self.masking(bytes, $0) }
        }
    }

    /// The first bytes of something with their secrets masked, also one of which they have only the beginning; nil when
    /// they have none.
    func redacted(firstBytes bytes: [UInt8]) -> [UInt8]? {
        guard !isEmpty, !bytes.isEmpty else { return nil }
        let mark = Array("…".utf8)
        guard var masked = redacted(bytes + mark) else { return nil }
        if masked.suffix(mark.count).elementsEqual(mark) { masked.removeLast(mark.count) }
        return masked
    }

    /// A file in which each secret is replaced by as many asterisks as it has characters, so that columns stay true;
    /// the file itself when it has none.
    mutating func redacted(_ file: SourceFile) -> SourceFile {
        if isEmpty { return file }
        if let masked = maskedFiles[file] { return masked ?? file }
        let ranges = file.text.withUnsafeBufferPointer { replacements(in: $0) }
        var masked: SourceFile?
        if let ranges {
            var text: [UInt8] = []
            text.reserveCapacity(file.text.count)
            var position = 0
            for range in ranges {
                text += file.text[position..<range.lowerBound]
                for byte in file.text[range] where byte & 0xC0 != 0x80 {
                    text.append(byte == 0x0A || byte == 0x0D ? byte : UInt8(ascii: "*"))
                }
                position = range.upperBound
            }
            text += file.text[position...]
            masked = SourceFile(name: file.name, text: text)
        }
        maskedFiles[file] = masked
        return masked ?? file
    }

    private static func masking(_ bytes: UnsafeBufferPointer<UInt8>, _ ranges: [Range<Int>]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        for range in ranges {
            result.append(contentsOf: bytes[position..<range.lowerBound])
            result.append(contentsOf: mask.utf8)
            position = range.upperBound
        }
        result.append(contentsOf: bytes[position...])
        return result
    }

    /// Where secrets stand, in order and without overlap; nil when there is none.
    private func replacements(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>]? {
        isStart.withUnsafeBufferPointer { isStart in
            var ranges: [Range<Int>] = []
            var position = 0
            var end = 0
            while position < text.count {
                guard isStart[Int(text[position])], let match = match(in: text, at: position) else {
                    position += 1
                    continue
                }
                var start = position
                if match.extendsLeft, start > end, SecretPattern.isBase64Digit(text[start - 1]) { start -= 1 }
                ranges.append(start..<match.end)
                end = match.end
                position = match.end
            }
            return ranges.isEmpty ? nil : ranges
        }
    }

    private func match(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> (end: Int, extendsLeft: Bool)? {
        let byte = text[position]
        if mayMatch(in: text, at: position), let found = match(patterns[Int(byte)], in: text, at: position) {
            return found
        }
        switch byte {
        case UInt8(ascii: "%"):
            guard let first = SecretPattern.percentDecoded(text, at: position) else { return nil }
            return match(patterns[Int(first)], in: text, at: position)
        case UInt8(ascii: "\\"):
            guard let first = SecretPattern.unescaped(text, at: position)?.bytes.first else { return nil }
            return match(patterns[Int(first)], in: text, at: position)
        case UInt8(ascii: "&"):
            guard let first = SecretPattern.referenced(text, at: position)?.bytes.first else { return nil }
            return match(patterns[Int(first)], in: text, at: position)
        case UInt8(ascii: "+"):
            return match(patterns[0x20], in: text, at: position)
        case 0xE2 where SecretPattern.isCut(text, at: position):
            let start = position + 3
            guard windows.mayMatch(text, at: start),
                // What is whole there is found there.
                match(patterns[Int(text[start])], in: text, at: start) == nil
            else { return nil }
            let end = patterns.joined().reduce(0) { max($0, $1.partEnd(in: text, at: start) ?? 0) }
            return end > 0 ? (end, false) : nil
        default: return nil
        }
    }

    /// Whether the two bytes at a position can be a pattern's first, so that the patterns need to be looked at one by one.
    private func mayMatch(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        guard position + 1 < text.count else { return true }
        switch text[position + 1] {
        // The second byte may stand escaped, or a space as `+`.
        case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "+"): return true
        case let second: return isPair[Int(text[position]) << 8 | Int(second)]
        }
    }

    private func match(
        _ candidates: [SecretPattern], in text: UnsafeBufferPointer<UInt8>, at position: Int
    ) -> (end: Int, extendsLeft: Bool)? {
        for pattern in candidates {
            if let end = pattern.matchEnd(in: text, at: position) { return (end, pattern.extendsLeft) }
        }
        return nil
    }

    /// A diagnostic with its secrets masked, also in the lines that it shows.
    mutating func redacted(_ diagnostic: Diagnostic) -> Diagnostic {
        if isEmpty { return diagnostic }
        var diagnostic = diagnostic
        diagnostic.message = redacted(diagnostic.message) ?? diagnostic.message
        diagnostic.label = redacted(diagnostic.label) ?? diagnostic.label
        if let suggestion = diagnostic.suggestion { diagnostic.suggestion = redacted(suggestion) ?? suggestion }
        redact(&diagnostic.range)
        for index in diagnostic.related.indices {
            let message = diagnostic.related[index].message
            diagnostic.related[index].message = redacted(message) ?? message
            redact(&diagnostic.related[index].range)
        }
        return diagnostic
    }

    /// Replaces what a redacted source file stands for.
    mutating func redact(_ range: inout SourceRange?) {
        guard let original = range else { return }
        let file = redacted(original.file)
        guard file !== original.file else { return }
        range = SourceRange(file: file, start: original.start, end: original.end)
    }
}
