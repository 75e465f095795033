/// Keys of `retry`.
enum RetryKey: String, CaseIterable, Sendable {
    case times, delay, backoff, jitter, maxDelay, on, honourRetryAfter

    static let schema = MapSchema<RetryKey>(
        "retry", title: "retry", "How often something that did not pass is tried again, and when.",
        rows: [
            .init(.times, .integer(0...100), required: true, "Retries at most."),
            .init(.delay, .duration, "The wait before the first retry; without it, none."),
            .init(
                .backoff, .choice(["constant", "exponential"]),
                "Whether each wait is as long as the first (`constant`, the default) or twice the one before."),
            .init(
                .jitter, .anyOf([.boolean, .fraction]),
                "The part of each wait that is random, from 0 to 1; true for all of it. Without it, none."),
            .init(
                .maxDelay, .duration,
                "The longest wait, that of `Retry-After` included; without it, 1m, or `delay` if that is longer."),
            .init(
                .on, .anyOf([.list(.anyOf([.integer(100...999), .string])), .integer(100...999), .string]),
                "What is retried: statuses (`429`, `5xx`, `500-504`), `timeout`, `connect`, `expect`; without it, whatever did not pass."
            ),
            .init(
                .honourRetryAfter, .boolean,
                "Whether a response's `Retry-After` makes the wait longer; without it, true."),
        ])
}
