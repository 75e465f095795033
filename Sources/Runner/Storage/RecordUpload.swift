import Basics
package import FileSystem
import HTTPSession
import Output
import Synchronization

/// An upload of a record while it is written: at regular intervals, and once at the end.
///
/// Each upload replaces the object with all whole lines so far, so that a run that is lost leaves a readable record.
public final class RecordUpload: Sendable {
    /// The time between two uploads.
    private static let interval: Duration = .seconds(30)
    /// The maximum number of retries of an upload in between, which the next one replaces.
    private static let retries = 2
    /// The maximum number of retries of the last upload.
    private static let lastRetries = 7

    private struct State {
        var isStopped = false
        var sleep: Task<Void, Never>?
    }

    /// The location of the record.
    public let location: StorageLocation
    private let file: SharedFile
    private let client: StorageClient
    private let clock: SessionClock
    private let state = Mutex(State())

    /// Creates an upload.
    ///
    /// - Parameter file: The local copy of the record, to which lines are appended.
    package convenience init(_ file: SharedFile, to location: StorageLocation, client: StorageClient) {
        self.init(file, to: location, client: client, clock: .system)
    }

    /// Creates an upload with a clock for the intervals.
    init(_ file: SharedFile, to location: StorageLocation, client: StorageClient, clock: SessionClock) {
        self.file = file
        self.location = location
        self.client = client
        self.clock = clock
    }

    /// Uploads the record at regular intervals until ``stop()`` is called.
    ///
    /// - Parameter warn: Called with a message when an upload fails for the first time.
    @concurrent public func run(warn: @escaping @Sendable (String) -> Void) async {
        var hasFailed = false
        var uploaded = 0
        while await sleep() {
            do throws(StorageError) {
                let count = try wholeLines()
                guard count != uploaded else { continue }
                try await client.put(file, count: count, to: location, retries: Self.retries)
                uploaded = count
            } catch {
                if hasFailed { continue }
                hasFailed = true
                warn("cannot write the record to \"\(location)\" yet: \(error.message)")
            }
        }
    }

    /// Waits until the next upload.
    ///
    /// - Returns: Whether the upload was not stopped.
    private func sleep() async -> Bool {
        let clock = clock
        // A task of its own, because stopping must not cancel an upload, which could then overtake the last one.
        let sleep = Task { _ = try? await clock.sleep(Self.interval) }
        let isStopped = state.withLock { state in
            state.sleep = sleep
            return state.isStopped
        }
        if isStopped { sleep.cancel() }
        await sleep.value
        return state.withLock { !$0.isStopped }
    }

    /// Ends ``run(warn:)`` as soon as no upload is in progress.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            state.sleep?.cancel()
        }
    }

    /// Uploads the complete record.
    ///
    /// - Throws: ``StorageError`` if all attempts fail.
    public func finish() async throws(StorageError) {
        try await client.put(file, count: try wholeLines(), to: location, retries: Self.lastRetries)
    }

    /// Returns the number of bytes up to the end of the last whole line.
    private func wholeLines() throws(StorageError) -> Int {
        do throws(FileHandle.Failure) {
            var end = try file.handle.size()
            while end > 0 {
                let start = max(0, end - 1 << 16)
                if let last = try file.handle.read(start..<end).lastIndex(of: 0x0A) { return start + last + 1 }
                end = start
            }
            return 0
        } catch {
            throw StorageError(message: "cannot read the local copy: \(SystemInfo.message(of: error.number))")
        }
    }
}
