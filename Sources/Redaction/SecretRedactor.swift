public import Diagnostics
import JSON
import RunModel
import Synchronization

/// Masks secrets in texts, bytes and events, also where they are encoded; ``SecretSearch`` says in which ways.
///
/// A copy costs nothing, and goes on masking while others learn.
package struct SecretRedactor: Sendable {
    /// What stands in place of a secret.
    package static let mask = "***"

    /// Nil without secrets.
    private var secrets: KnownSecrets?
    /// How many secrets are known, so that what was masked can be told from what has to be masked again.
    private(set) var generation = 0
    private let maskedFiles = MaskedFiles()

    /// Creates a redactor that knows no secret yet.
    package init() {}

    /// Whether no secret is known.
    package var isEmpty: Bool { secrets == nil }

    /// Masks a value from now on.
    package mutating func learn(_ secret: String) {
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
    package func redacted(_ text: String) -> String? {
        guard !isEmpty, !text.isEmpty else { return nil }
        var text = text
        return text.withUTF8 { bytes in
            hits(in: bytes).map { String(decoding: Self.masking(bytes, $0), as: UTF8.self) }
        }
    }

    /// Bytes with their secrets masked, or nil when they have none.
    package func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        redacted(bytes, isCut: false)
    }

    /// The first bytes of something with their secrets masked, also one of which they have only the beginning; nil when
    /// they have none.
    package func redacted(firstBytes bytes: [UInt8]) -> [UInt8]? {
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
    package func redacted(_ file: SourceFile) -> SourceFile {
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
    package func redacted(_ diagnostic: Diagnostic) -> Diagnostic {
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

/// The secrets that a text is searched for; a copy costs nothing, and stays as it is while others learn.
struct KnownSecrets: Sendable {
    /// A byte with which a secret may begin.
    static let start: UInt8 = 1
    /// A byte that asks for more than a comparison: it begins an escape, or tells how a text is encoded or cut.
    static let special: UInt8 = 2

    private(set) var tree = SecretTree()
    /// What may stand behind the `…` of a text that was cut.
    let windows = SecretWindows()
    /// The bytes of the shortest secret that is masked anywhere; the largest number when there is none.
    private(set) var shortest = Int.max
    /// How far from an escape a secret can stand that it is a part of, however it is encoded.
    private(set) var reach = 64
    /// Whether a byte in a secret looks like the beginning of an escape.
    private(set) var hasEscapes = false
    /// What each byte in a text asks for; nothing for most.
    private(set) var interests: [UInt8]

    init() {
        interests = [UInt8](repeating: 0, count: 256)
        for byte in "%\\&'\"\u{0}".utf8 { interests[Int(byte)] = Self.special }
        interests[0xE2] = Self.special
    }

    /// Adds a text.
    ///
    /// - Returns: Whether it was not there.
    mutating func insert(_ bytes: [UInt8], _ kind: SecretTree.Kind) -> Bool {
        guard let first = bytes.first, tree.insert(bytes, kind) else { return false }
        for byte in 0...UInt8.max where SecretTree.folded(byte) == SecretTree.folded(first) {
            interests[Int(byte)] |= Self.start
        }
        if bytes.contains(where: { !Escapes.kind(of: $0).isEmpty || $0 == 0x22 || $0 == 0x27 }) { hasEscapes = true }
        guard kind == .anywhere else { return true }
        windows.insert(bytes)
        shortest = min(shortest, bytes.count)
        // Two ways of encoding, one in the other, make twelve bytes of one.
        reach = max(reach, 64 + min(bytes.count, 1 << 20) * 12)
        return true
    }
}

/// The suites' files with their secrets masked, made once for as long as no secret becomes known; all copies of a redactor
/// have the same.
final class MaskedFiles: Sendable {
    private struct State {
        var generation = 0
        /// Nil for a file without secrets.
        var files: [SourceFile: SourceFile?] = [:]
    }

    private let state = Mutex(State())

    /// The masked file; nil for one without secrets.
    ///
    /// - Parameters:
    ///   - generation: How many secrets are known to whoever asks.
    ///   - make: Masks the file.
    func file(for file: SourceFile, generation: Int, make: () -> SourceFile?) -> SourceFile? {
        if let known = state.withLock({ $0.generation == generation ? $0.files[file] : nil }) { return known }
        let made = make()
        return state.withLock { state in
            guard generation >= state.generation else { return made }
            if generation > state.generation { state = State(generation: generation) }
            // Another thread may have made it meanwhile; all must have the same.
            if let known = state.files[file] { return known }
            state.files[file] = .some(made)
            return made
        }
    }
}

/// Masks secrets in what is written beside the events of a run: diagnostics, lists, plans, logs.
public struct SecretMask: Sendable {
    private var redactor = SecretRedactor()

    /// Creates a mask for some secrets.
    public init(_ secrets: [String] = []) {
        for secret in secrets { redactor.learn(secret) }
    }

    package init(_ redactor: SecretRedactor) {
        self.redactor = redactor
    }

    /// Whether there is no secret.
    public var isEmpty: Bool { redactor.isEmpty }

    /// A text with its secrets masked.
    public func masked(_ text: String) -> String {
        redactor.redacted(text) ?? text
    }

    /// Bytes with their secrets masked, or nil when they have none.
    public func masked(_ bytes: [UInt8]) -> [UInt8]? {
        redactor.redacted(bytes)
    }

    /// Diagnostics with the secrets masked in their words and in the lines that they show; columns stay true.
    public func masked(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        diagnostics.map { redactor.redacted($0) }
    }
}
