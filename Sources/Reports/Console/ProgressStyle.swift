/// How the console shows how far a run is.
public enum ProgressStyle: Sendable, Hashable {
    /// Not at all.
    case none
    /// A line at the bottom of a terminal that is drawn over and over.
    case live
    /// A plain line whenever nothing was written for so many nanoseconds: for logs, and terminals that cannot draw.
    case lines(every: Int64)
}
