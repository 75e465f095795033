import HTTPSession
import Synchronization

@testable import HTTPSession

/// A monitor that records all events of a session.
final class EventRecorder: EventMonitor {
    private let all = Mutex<[SessionEvent]>([])

    func receive(_ event: SessionEvent, of request: RequestID) {
        all.withLock { $0.append(event) }
    }

    var events: [SessionEvent] { all.withLock { $0 } }

    /// The case names of the events.
    var names: [String] { events.map { Mirror(reflecting: $0).children.first?.label ?? "\($0)" } }
}

/// A monitor that records the names of events.
final class RecordingMonitor: EventMonitor {
    private let events = Mutex<[SessionEvent]>([])

    func receive(_ event: SessionEvent, of request: RequestID) {
        events.withLock { $0.append(event) }
    }

    var all: [SessionEvent] { events.withLock { $0 } }

    /// The case names of the events.
    var names: [String] {
        all.map { event in
            let text = "\(event)"
            return String(text.prefix { $0 != "(" })
        }
    }
}
