import HTTPSession
import Synchronization

/// Gives pieces one after the other.
final class PieceList: Sendable {
    private let pieces: Mutex<ArraySlice<[UInt8]>>

    init(_ pieces: [[UInt8]]) {
        self.pieces = Mutex(pieces[...])
    }

    func next() -> [UInt8]? { pieces.withLock { $0.popFirst() } }
}
