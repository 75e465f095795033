import SuiteModel

/// A line of a record: an event as it was written.
enum RecordLine {
    /// An event, with the sizes of its bodies before they were masked or cut, and the time where the line has one.
    case event(RunEvent, sizes: BodySizes, time: Int64?)
    /// A line of a kind that this version does not know.
    case unknown
}
