/// What an answer is to a step that polls.
enum PollVerdict: Sendable {
    /// What is polled for, or something after which polling makes no sense.
    case done
    /// Not yet what is polled for.
    case pending
    /// What `abort` describes.
    case aborted
}
