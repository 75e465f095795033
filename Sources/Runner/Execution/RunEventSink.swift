public import SuiteModel

/// What takes a run's events; called in order, never by two threads at once, and waited for.
public typealias RunEventSink = @Sendable (RunEvent) -> Void
