import HTTPSession
import Synchronization

/// Notes the names of events.
final class RecordingMonitor: EventMonitor {
    private let events = Mutex<[SessionEvent]>([])

    func receive(_ event: SessionEvent, of request: RequestID) {
        events.withLock { $0.append(event) }
    }

    var all: [SessionEvent] { events.withLock { $0 } }

    /// The case of each event.
    var names: [String] {
        all.map { event in
            let text = "\(event)"
            return String(text.prefix { $0 != "(" })
        }
    }
}
