package import Basics
public import Diagnostics
import JSON
import RunModel
import Synchronization

/// Masks secrets in strings, bytes, and events, including encoded ones; see ``SecretSearch`` for the encodings.
///
/// Copying is cheap: a copy keeps its secrets while others register more.
package struct SecretRedactor: Sendable {
    /// The replacement for a secret.
    package static let mask = "***"

    /// The known secrets; nil if there are none.
    private var secrets: KnownSecrets?
    /// A number that increases with each new secret and identifies values that must be masked again.
    private(set) var generation = 0
    private let maskedFiles = MaskedFiles()

    /// Creates a redactor without secrets.
    package init() {}

    /// Whether no secret is known.
    package var isEmpty: Bool { secrets == nil }

    /// Registers a secret, which is masked from then on.
    package mutating func register(_ secret: String) {
        let texts = SecretForms(secret).texts
        guard !texts.isEmpty else { return }
        var known = secrets ?? KnownSecrets()
        var isNew = false
        for bytes in texts where known.insert(bytes) { isNew = true }
        guard isNew else { return }
        secrets = known
        generation += 1
    }

    // MARK: Texts

    /// Returns a string with its secrets masked; nil if it contains none.
    package func redacted(_ text: String) -> String? {
        guard !isEmpty, !text.isEmpty else { return nil }
        var text = text
        return text.withUTF8 { bytes in
            hits(in: bytes).map { String(decoding: Self.masking(bytes, $0), as: UTF8.self) }
        }
    }

    /// Returns a message with the secrets in its data masked; nil if it contains none.
    package func redacted(_ message: MessageText) -> MessageText? {
        guard !isEmpty, !message.data.isEmpty else { return nil }
        var text = message.text
        let found = text.withUTF8 { self.hits(in: $0) } ?? []
        let hits = found.filter { hit in message.data.contains { $0.overlaps(hit.range) } }
        guard !hits.isEmpty else { return nil }
        // Masks are words, so that a later secret does not mask the words around them.
        return message.replacing(hits.map(\.range), with: Self.mask)
    }

    /// Returns bytes with their secrets masked; nil if they contain none.
    package func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        redacted(bytes, isCut: false)
    }

    /// Returns truncated bytes with their secrets masked, including a secret that is cut off at the end.
    ///
    /// - Returns: The masked bytes; nil if they contain no secret.
    package func redacted(firstBytes bytes: [UInt8]) -> [UInt8]? {
        redacted(bytes, isCut: true)
    }

    private func redacted(_ bytes: [UInt8], isCut: Bool) -> [UInt8]? {
        guard !isEmpty, !bytes.isEmpty else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            hits(in: bytes, isCut: isCut).map { Self.masking(bytes, $0) }
        }
    }

    /// Returns a file with each secret replaced by one asterisk per character, so that columns stay correct.
    ///
    /// - Returns: The masked file, or the file itself if it contains no secret.
    package func redacted(_ file: SourceFile) -> SourceFile {
        if isEmpty { return file }
        return maskedFiles.file(for: file, generation: generation) { masked(file) } ?? file
    }

    /// Returns a file with its secrets masked; nil if it contains none.
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

    /// Returns bytes with the hits replaced by masks in the encoding of each hit.
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

    /// Returns the ranges of secrets, in order and without overlap; nil if there are none.
    private func hits(in text: UnsafeBufferPointer<UInt8>, isCut: Bool = false) -> [SecretSearch.Hit]? {
        guard let secrets else { return nil }
        let hits = SecretSearch(secrets).hits(in: text, isEndCut: isCut)
        return hits.isEmpty ? nil : hits
    }

    /// Returns a diagnostic with its secrets masked, including those in its source lines.
    package func redacted(_ diagnostic: Diagnostic) -> Diagnostic {
        if isEmpty { return diagnostic }
        var diagnostic = diagnostic
        diagnostic.wording = redacted(diagnostic.wording) ?? diagnostic.wording
        diagnostic.labelWording = redacted(diagnostic.labelWording) ?? diagnostic.labelWording
        if let suggestion = diagnostic.suggestionWording {
            diagnostic.suggestionWording = redacted(suggestion) ?? suggestion
        }
        redact(&diagnostic.range)
        for index in diagnostic.related.indices {
            let message = diagnostic.related[index].wording
            diagnostic.related[index].wording = redacted(message) ?? message
            redact(&diagnostic.related[index].range)
        }
        return diagnostic
    }

    /// Replaces the file of a source range with its masked version.
    func redact(_ range: inout SourceRange) {
        let file = redacted(range.file)
        guard file !== range.file else { return }
        range = SourceRange(file: file, start: range.start, end: range.end)
    }

    /// Replaces the file of a source range, if there is one, with its masked version.
    func redact(_ range: inout SourceRange?) {
        guard var masked = range else { return }
        redact(&masked)
        range = masked
    }
}

/// The set of secrets to search for. Copying is cheap: a copy keeps its secrets while others register more.
struct KnownSecrets: Sendable {
    /// The flag of a byte that a secret may start with.
    static let start: UInt8 = 1
    /// The flag of a byte that needs closer inspection, because it starts an escape or indicates an encoding or a
    /// truncation.
    static let special: UInt8 = 2

    private(set) var tree = SecretTree()
    /// The runs of bytes that may follow the `…` of a truncated text.
    let windows = SecretWindows()
    /// The length in bytes of the shortest secret; `Int.max` if there is none.
    private(set) var shortest = Int.max
    /// The maximum distance in bytes from an escape to the start or end of an encoded secret that contains it.
    private(set) var reach = 64
    /// Whether a secret contains a byte that looks like the start of an escape.
    private(set) var hasEscapes = false
    /// The flags of each byte value; 0 for most.
    private(set) var interests: [UInt8]

    init() {
        interests = [UInt8](repeating: 0, count: 256)
        for byte in "%\\&'\"\u{0}".utf8 { interests[Int(byte)] = Self.special }
        interests[0xE2] = Self.special
    }

    /// Adds a secret.
    ///
    /// - Returns: Whether the secret is new.
    mutating func insert(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, tree.insert(bytes) else { return false }
        for byte in 0...UInt8.max where SecretTree.folded(byte) == SecretTree.folded(first) {
            interests[Int(byte)] |= Self.start
        }
        if bytes.contains(where: { !Escapes.kind(of: $0).isEmpty || $0 == 0x22 || $0 == 0x27 }) { hasEscapes = true }
        windows.insert(bytes)
        shortest = min(shortest, bytes.count)
        // Two nested encodings turn one byte into at most twelve.
        reach = max(reach, 64 + min(bytes.count, 1 << 20) * 12)
        return true
    }
}

/// A cache of masked source files, shared by all copies of a redactor and discarded when a new secret becomes known.
final class MaskedFiles: Sendable {
    private struct State {
        var generation = 0
        /// The masked files; nil for a file without secrets.
        var files: [SourceFile: SourceFile?] = [:]
    }

    private let state = Mutex(State())

    /// Returns the masked version of a file; nil if it contains no secret.
    ///
    /// - Parameters:
    ///   - file: The file to mask.
    ///   - generation: The generation of the caller's secrets.
    ///   - make: A closure that masks the file.
    func file(for file: SourceFile, generation: Int, make: () -> SourceFile?) -> SourceFile? {
        if let known = state.withLock({ $0.generation == generation ? $0.files[file] : nil }) { return known }
        let made = make()
        return state.withLock { state in
            guard generation >= state.generation else { return made }
            if generation > state.generation { state = State(generation: generation) }
            // Another thread may have masked the file in the meantime. All threads must share one instance.
            if let known = state.files[file] { return known }
            state.files[file] = .some(made)
            return made
        }
    }
}

/// Masks secrets in output outside of the events of a run: diagnostics, lists, plans, and logs.
public struct SecretMask: Sendable {
    private var redactor = SecretRedactor()

    /// Creates a mask for secrets.
    public init(_ secrets: [String] = []) {
        for secret in secrets { redactor.register(secret) }
    }

    /// Creates a mask that uses a redactor.
    package init(_ redactor: SecretRedactor) {
        self.redactor = redactor
    }

    /// Whether the mask has no secrets.
    public var isEmpty: Bool { redactor.isEmpty }

    /// Returns a string with its secrets masked.
    public func masked(_ text: String) -> String {
        redactor.redacted(text) ?? text
    }

    /// Returns bytes with their secrets masked; nil if they contain none.
    public func masked(_ bytes: [UInt8]) -> [UInt8]? {
        redactor.redacted(bytes)
    }

    /// Returns diagnostics with the secrets in their messages and source lines masked. Columns stay correct.
    public func masked(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        diagnostics.map { redactor.redacted($0) }
    }
}
