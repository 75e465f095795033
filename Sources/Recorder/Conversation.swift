import NIOCore
import NIOWebSocket
import SuiteImport
import Synchronization

/// The recorded messages of a WebSocket.
final class Conversation: Sendable {
    /// The maximum number of messages that are recorded.
    private static let maximumCount = 1_000
    /// The maximum size of a message that is recorded, in bytes.
    private static let maximumSize = 64 << 10

    /// The frames of a message that is not complete.
    private struct Fragments {
        var isText = false
        /// The bytes so far; nil if there are too many.
        var bytes: [UInt8]? = []

        mutating func add(_ data: ByteBuffer) {
            guard let count = bytes?.count else { return }
            if count + data.readableBytes > Conversation.maximumSize {
                bytes = nil
            } else {
                bytes?.append(contentsOf: data.readableBytesView)
            }
        }

        var content: RecordedMessage.Content {
            guard let bytes else { return .omitted(isBinary: !isText) }
            guard isText else { return .binary(bytes) }
            return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .omitted(isBinary: false)
        }
    }

    private struct State {
        var messages: [RecordedMessage] = []
        var sent = Fragments()
        var received = Fragments()
        var last: NIODeadline?
        var isOver = false
    }

    private let state = Mutex(State())

    /// The messages so far, in the order in which they passed.
    var messages: [RecordedMessage] { state.withLock { $0.messages } }

    /// Adds a frame.
    ///
    /// - Parameter isSent: Whether the client sent it.
    func add(_ frame: WebSocketFrame, isSent: Bool) {
        let data = frame.unmaskedData
        state.withLock { state in
            let content: RecordedMessage.Content
            switch frame.opcode {
            case .text, .binary, .continuation:
                var fragments = isSent ? state.sent : state.received
                if frame.opcode != .continuation { fragments = Fragments(isText: frame.opcode == .text) }
                fragments.add(data)
                if isSent { state.sent = fragments } else { state.received = fragments }
                guard frame.fin else { return }
                content = fragments.content
            case .connectionClose:
                // RFC 6455, section 7.1.5.
                content = .close(data.getInteger(at: data.readerIndex, as: UInt16.self).map { Int($0) } ?? 1_005)
            default: return
            }
            guard !state.isOver, state.messages.count < Self.maximumCount else { return }
            if case .close = content { state.isOver = true }
            let now = NIODeadline.now()
            let delay = state.last.map { (now - $0).nanoseconds } ?? 0
            state.last = now
            state.messages.append(RecordedMessage(isSent: isSent, content: content, delay: delay))
        }
    }
}
