import HTTPSession
import Synchronization

@testable import HTTPSession

/// Keeps what a session tells its monitors.
final class EventRecorder: EventMonitor {
    private let all = Mutex<[SessionEvent]>([])

    func receive(_ event: SessionEvent, of request: RequestID) {
        all.withLock { $0.append(event) }
    }

    var events: [SessionEvent] { all.withLock { $0 } }

    /// The names of the events' cases.
    var names: [String] { events.map { Mirror(reflecting: $0).children.first?.label ?? "\($0)" } }
}

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
