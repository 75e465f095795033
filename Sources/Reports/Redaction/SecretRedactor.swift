import Diagnostics
import JSON
import SuiteModel

/// Masks secrets in texts, bytes and events, also where they are encoded; ``SecretSearch`` says in which ways.
///
/// A copy costs nothing, and goes on masking while others learn.
struct SecretRedactor: Sendable {
    /// What stands in place of a secret.
    static let mask = "***"

    /// Nil without secrets.
    private var secrets: KnownSecrets?
    /// How many secrets are known, so that what was masked can be told from what has to be masked again.
    private(set) var generation = 0
    private let maskedFiles = MaskedFiles()

    /// Whether no secret is known.
    var isEmpty: Bool { secrets == nil }

    /// Masks a value from now on.
    mutating func learn(_ secret: String) {
        let texts = SecretForms(secret).texts
        guard !texts.isEmpty else { return }
        var known = secrets ?? KnownSecrets()
        var isNew = false
        for (bytes, kind) in texts where known.insert(bytes, kind) { isNew = true }
        guard isNew else { return }
        secrets = known
        generation += 1
    }

    // MARK: Texts

    /// A text with its secrets masked, or nil when it has none.
    func redacted(_ text: String) -> String? {
        guard !isEmpty, !text.isEmpty else { return nil }
        var text = text
        return text.withUTF8 { bytes in
            hits(in: bytes).map { String(decoding: Self.masking(bytes, $0), as: UTF8.self) }
        }
    }

    /// Bytes with their secrets masked, or nil when they have none.
    func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        redacted(bytes, isCut: false)
    }

    /// The first bytes of something with their secrets masked, also one of which they have only the beginning; nil when
    /// they have none.
    func redacted(firstBytes bytes: [UInt8]) -> [UInt8]? {
        redacted(bytes, isCut: true)
    }

    private func redacted(_ bytes: [UInt8], isCut: Bool) -> [UInt8]? {
        guard !isEmpty, !bytes.isEmpty else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            hits(in: bytes, isCut: isCut).map { Self.masking(bytes, $0) }
        }
    }

    /// A file in which each secret is replaced by as many asterisks as it has characters, so that columns stay true;
    /// the file itself when it has none.
    func redacted(_ file: SourceFile) -> SourceFile {
        if isEmpty { return file }
        return maskedFiles.file(for: file, generation: generation) { masked(file) } ?? file
    }

    /// A file with its secrets masked, or nil when it has none.
    private func masked(_ file: SourceFile) -> SourceFile? {
        let hits = file.text.withUnsafeBufferPointer { self.hits(in: $0) }
        guard let hits else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(file.text.count)
        var position = 0
        for range in hits.map(\.range) {
            text += file.text[position..<range.lowerBound]
            for byte in file.text[range] where byte & 0xC0 != 0x80 {
                text.append(byte == 0x0A || byte == 0x0D ? byte : UInt8(ascii: "*"))
            }
            position = range.upperBound
        }
        text += file.text[position...]
        return SourceFile(name: file.name, text: text)
    }

    private static func masking(_ bytes: UnsafeBufferPointer<UInt8>, _ hits: [SecretSearch.Hit]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        for hit in hits {
            result.append(contentsOf: bytes[position..<hit.range.lowerBound])
            for byte in mask.utf8 {
                switch hit.unit {
                case .byte: result.append(byte)
                case .utf16: result += [byte, 0]
                case .utf16BigEndian: result += [0, byte]
                }
            }
            position = hit.range.upperBound
        }
        result.append(contentsOf: bytes[position...])
        return result
    }

    /// Where secrets stand, in order and without overlap; nil when there is none.
    private func hits(in text: UnsafeBufferPointer<UInt8>, isCut: Bool = false) -> [SecretSearch.Hit]? {
        guard let secrets else { return nil }
        let hits = SecretSearch(secrets).hits(in: text, isEndCut: isCut)
        return hits.isEmpty ? nil : hits
    }

    /// A diagnostic with its secrets masked, also in the lines that it shows.
    func redacted(_ diagnostic: Diagnostic) -> Diagnostic {
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
    func redact(_ range: inout SourceRange?) {
        guard let original = range else { return }
        let file = redacted(original.file)
        guard file !== original.file else { return }
        range = SourceRange(file: file, start: original.start, end: original.end)
    }
}
