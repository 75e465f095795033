import Diagnostics

/// Text in HTML markup.
enum HTMLText {
    /// Appends a text as character data or as a quoted attribute's value; control characters are shown as escapes.
    ///
    /// - Parameter limit: The most characters that are written; an ellipsis stands for the rest.
    static func append(_ text: String, to output: inout [UInt8], limit: Int = 4_000) {
        var text = text
        if text.utf8.count > limit, let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
            end < text.endIndex
        {
            text = text[..<end] + "…"
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if index > 0 { output.append(0x0A) }
            for byte in DisplayWidth.printable(String(line)).utf8 {
                switch byte {
                case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
                case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
                case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
                case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
                default: output.append(byte)
                }
            }
        }
    }
}
