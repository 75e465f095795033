import Diagnostics

/// Text on a line of TAP.
enum TAPText {
    /// Appends a description or a reason: `#` and `\` are escaped, control characters and line breaks are shown.
    ///
    /// - Parameter escapes: False for a comment, in which nothing has a meaning.
    static func append(_ text: String, to output: inout (some ByteSink & ~Copyable), escapes: Bool = true) {
        let isWritten = text.withBytes { bytes in
            guard bytes.count <= FailureSummary.longestMessage else { return false }
            for byte in bytes where !isPlain(byte) { return false }
            output.append(contentsOf: bytes)
            return true
        }
        if isWritten { return }
        let limit = FailureSummary.longestMessage
        var shown = DisplayWidth.printable(cut(text, to: limit))
        if text.utf8.count > limit { shown += " …" }
        for byte in shown.utf8 {
            if escapes, byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
            output.append(byte)
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "\\")
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    }
}
