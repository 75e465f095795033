import Diagnostics
import SuiteModel

/// A message of a WebSocket in one line: `→` what was sent, `←` what came.
enum MessageLine {
    /// The first bytes of a binary message that are shown.
    private static let shownBytes = 16

    /// The line.
    ///
    /// - Parameter width: The columns that it may take.
    static func text(_ message: WebSocketTranscript.Message, width: Int) -> String {
        let content: String
        var size = ""
        switch message.kind {
        case .text:
            let looked = message.bytes.prefix(width * 4)
            content = printable(looked)
            if message.isCut || looked.count < message.bytes.count || DisplayWidth.of(content) > width - 2 {
                size = " \(NumberText.size(message.size)) in all"
            }
        case .binary:
            let bytes = message.bytes.prefix(shownBytes).map { DisplayWidth.hexadecimal($0) }.joined(separator: " ")
            content =
                "\(NumberText.size(message.size)) of binary data"
                + (bytes.isEmpty ? "" : ": \(bytes)\(message.size > shownBytes ? " …" : "")")
        case .ping: content = "ping"
        case .pong: content = "pong"
        case .close(let code):
            // 1005 stands for a frame without a code.
            content =
                (code == 1_005 ? "close" : "close \(code)")
                + (message.bytes.isEmpty ? "" : " " + printable(message.bytes[...]))
        }
        return (message.side == .client ? "→ " : "← ")
            + TextFitting.cut(content, to: max(10, width - 2 - size.utf8.count)) + size
    }

    /// Text in which line breaks, and what drives a terminal, are escapes.
    private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        DisplayWidth.printable(String(decoding: bytes, as: UTF8.self))
    }
}
