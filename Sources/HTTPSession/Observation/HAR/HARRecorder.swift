import Synchronization

/// A monitor that records a session's exchanges as a HAR log, with an entry per attempt and redirect.
///
/// ```swift
/// let recorder = HARRecorder()
/// configuration.monitors.append(recorder)
/// // After the requests:
/// try Data(recorder.log().serialized()).write(to: URL(filePath: "exchanges.har"))
/// ```
///
/// It keeps the newest entries, up to a maximum number and size. The bodies of streamed responses are not recorded.
public final class HARRecorder: EventMonitor {
    private struct Pending {
        var started: Double
        var method: HTTPMethod
        var url: String
        var attempt = 1
        var sent: SentRequest?
        var credentials: Set<String> = []
        var isWhole = false
        var note: String?
    }

    private struct Kept {
        /// The entry; nil after it has been dropped.
        var entry: HAREntry?
        var bytes: Int
    }

    private struct State {
        var pending: [RequestID: Pending] = [:]
        var entries: [Kept] = []
        /// The number of dropped elements at the start of ``entries``, which are removed in batches.
        var first = 0
        var bytes = 0
        var dropped = 0
    }

    /// The maximum number of entries.
    public let maximumEntries: Int
    /// The maximum size of all URLs, headers and bodies in bytes.
    public let maximumBytes: Int
    /// The options for omitted bodies and redaction.
    public let options: HAROptions

    private let state = Mutex(State())
    private let clock: SessionClock

    /// Creates an empty recorder.
    /// - Parameters:
    ///   - maximumEntries: The maximum number of entries.
    ///   - maximumBytes: The maximum size of all URLs, headers and bodies in bytes.
    ///   - options: The options for omitted bodies and redaction.
    ///   - clock: The source of the current time.
    public init(
        maximumEntries: Int = 1000, maximumBytes: Int = 64 << 20, options: HAROptions = .init(),
        clock: SessionClock = .system
    ) {
        self.maximumEntries = max(0, maximumEntries)
        self.maximumBytes = max(0, maximumBytes)
        self.options = options
        self.clock = clock
    }

    /// The recorded entries, in the order of their completion.
    public var entries: [HAREntry] {
        state.withLock { state in state.entries[state.first...].compactMap(\.entry) }
    }

    /// The number of entries dropped to stay within the limits.
    public var droppedEntries: Int { state.withLock { $0.dropped } }

    /// Returns the recorded entries as a log, in the order of their start.
    public func log(creator: HARLog.Creator = .init()) -> HARLog {
        let (entries, dropped) = state.withLock { ($0.entries[$0.first...].compactMap(\.entry), $0.dropped) }
        return HARLog(
            creator: creator, entries: entries.sorted { $0.startedDateTime < $1.startedDateTime },
            comment: dropped == 0 ? nil : "\(dropped) older entries were dropped")
    }

    /// Removes all entries.
    public func removeAll() {
        state.withLock { state in
            state.entries = []
            state.first = 0
            state.bytes = 0
            state.dropped = 0
        }
    }

    // MARK: Events

    /// Records an event.
    public func receive(_ event: SessionEvent, of request: RequestID) {
        switch event {
        case .created(let created):
            let now = clock.date()
            state.withLock {
                $0.pending[request] = Pending(started: now, method: created.method, url: created.url)
            }
        case .adapted(let adapted, let attempt):
            let now = clock.date()
            change(request) { pending in
                if attempt > pending.attempt { pending.started = now }
                pending.attempt = attempt
                pending.sent = nil
                pending.note = nil
                pending.isWhole = false
                pending.credentials.formUnion(adapted.credentialFields.map { $0.lowercased() })
            }
        case .sent(let sent, _): change(request) { $0.sent = sent }
        case .coalesced: change(request) { $0.note = "shared the response of an identical request in flight" }
        case .received: change(request) { $0.isWhole = true }
        case .redirected(let response, _):
            guard let pending = state.withLock({ $0.pending[request] }) else { return }
            record(HAREntry(response, startedAt: pending.started, options: options(pending), comment: comment(pending)))
            let now = clock.date()
            change(request) { pending in
                pending.started = now
                pending.sent = nil
            }
        case .retrying(_, _, let failure):
            guard let pending = state.withLock({ $0.pending[request] }) else { return }
            if let error = failure.error {
                record(error, pending)
            } else if let response = failure.response {
                record(response, pending)
            }
        case .finished(let result):
            guard let pending = state.withLock({ $0.pending.removeValue(forKey: request) }) else { return }
            switch result {
            case .success(let response): record(response, pending)
            case .failure(let error): record(error, pending)
            }
        case .servedFromCache, .resolved, .connected, .secured, .unverified, .informational, .headReceived,
            .validated, .decoded:
            break
        }
    }

    private func change(_ request: RequestID, _ body: (inout Pending) -> Void) {
        state.withLock { state in
            if let index = state.pending.index(forKey: request) { body(&state.pending.values[index]) }
        }
    }

    private func options(_ pending: Pending) -> HAROptions {
        guard !pending.credentials.isEmpty else { return options }
        var options = options
        options.redaction = options.redaction?.hiding(fields: pending.credentials)
        return options
    }

    private func comment(_ pending: Pending) -> String? {
        let parts = [pending.attempt > 1 ? "attempt \(pending.attempt)" : nil, pending.note].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private func record(_ response: Response, _ pending: Pending) {
        var entry = HAREntry(
            response, startedAt: pending.started, options: options(pending), comment: comment(pending))
        if !pending.isWhole, response.body.isEmpty, !response.isFromCache {
            entry.response.content.comment = "the body was streamed and is not recorded"
            entry.response.bodySize = -1
        }
        record(entry)
    }

    private func record(_ error: SessionError, _ pending: Pending) {
        var error = error
        if error.url.isEmpty {
            error.url = pending.url
            error.method = pending.method
        }
        record(
            HAREntry(
                error, sent: pending.sent, startedAt: pending.started, options: options(pending),
                comment: comment(pending)))
    }

    private func record(_ entry: HAREntry) {
        let bytes = entry.size
        state.withLock { state in
            state.entries.append(Kept(entry: entry, bytes: bytes))
            state.bytes += bytes
            while state.first < state.entries.count,
                state.entries.count - state.first > maximumEntries || state.bytes > maximumBytes
            {
                state.bytes -= state.entries[state.first].bytes
                state.entries[state.first].entry = nil
                state.first += 1
                state.dropped += 1
            }
            guard state.first > 64, state.first * 2 > state.entries.count else { return }
            state.entries.removeFirst(state.first)
            state.first = 0
        }
    }
}

extension HAREntry {
    /// The approximate size of the entry in bytes.
    fileprivate var size: Int {
        func size(_ fields: [HARField]) -> Int {
            fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
        }
        var sum = 512 + request.url.utf8.count + size(request.headers) + size(request.queryString)
        sum += size(response.headers) + (response.content.text?.utf8.count ?? 0)
        sum += (request.postData?.text?.utf8.count ?? 0) + size(request.postData?.params ?? [])
        return sum
    }
}

/// The options of HAR entries: redaction and the maximum size of bodies.
public struct HAROptions: Sendable, Hashable {
    /// The values to hide; nil hides nothing.
    public var redaction: Redaction?
    /// The maximum size of a recorded body in bytes; for a larger body, only its size is recorded.
    public var maximumBodyBytes: Int

    /// Creates options.
    /// - Parameters:
    ///   - redaction: The values to hide; nil hides nothing.
    ///   - maximumBodyBytes: The maximum size of a recorded body in bytes.
    public init(redaction: Redaction? = .standard, maximumBodyBytes: Int = 1 << 20) {
        self.redaction = redaction
        self.maximumBodyBytes = maximumBodyBytes
    }
}
