/// Sees what happens to the requests of a session.
///
/// A monitor is called where things happen, in order for each request, and for several requests at a time: it must be
/// quick, and passes on what takes time.
public protocol EventMonitor: Sendable {
    /// Takes note of an event.
    func receive(_ event: SessionEvent, of request: RequestID)
}
