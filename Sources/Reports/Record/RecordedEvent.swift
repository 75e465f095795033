import SuiteModel

/// An event that was read from a record.
struct RecordedEvent {
    var event: RunEvent
    /// The sizes of its bodies before they were masked or cut.
    var sizes = BodySizes()
    /// Nanoseconds from the run's start to the event, where the record says it.
    var time: Int64?
    /// Whether the exchanges of steps that passed are in the record for those reports alone that need them.
    var hasAllExchanges = false
}
