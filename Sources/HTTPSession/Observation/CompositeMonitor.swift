/// Passes events on to several monitors, in order.
public struct CompositeMonitor: EventMonitor {
    /// The monitors.
    public let monitors: [any EventMonitor]

    /// Creates a monitor of others.
    public init(_ monitors: [any EventMonitor]) {
        self.monitors = monitors
    }

    /// Creates a monitor of others.
    public init(_ monitors: any EventMonitor...) {
        self.monitors = monitors
    }

    /// Passes the event on.
    public func receive(_ event: SessionEvent, of request: RequestID) {
        for monitor in monitors { monitor.receive(event, of: request) }
    }
}
