import HTTPSession
import SuiteModel
import Synchronization

/// The header of the request that was recorded last: most requests of a run have one list of fields, and so have their
/// records.
final class FieldMemory: Sendable {
    private struct Kept {
        var sent: [HTTPHeaders.Field] = []
        var fields: [HeaderField] = []
    }

    private let kept = Mutex(Kept())

    /// The fields of a request as they are recorded.
    func fields(_ headers: HTTPHeaders) -> [HeaderField] {
        let sent = headers.fields
        return kept.withLock { kept in
            if !Self.areOne(kept.sent, sent) {
                kept = Kept(sent: sent, fields: sent.map { HeaderField(name: $0.name, value: $0.value) })
            }
            return kept.fields
        }
    }

    /// Whether two lists are one in memory, which nothing can change while it is kept here.
    private static func areOne(_ first: [HTTPHeaders.Field], _ second: [HTTPHeaders.Field]) -> Bool {
        guard first.count == second.count else { return false }
        return first.withUnsafeBufferPointer { first in
            second.withUnsafeBufferPointer { second in first.baseAddress == second.baseAddress }
        }
    }
}
