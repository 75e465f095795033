package import Basics
import FileSystem
import Glibc
package import RunModel
import Synchronization

/// A program that runs to its end, with pipes for its standard streams.
///
/// Each program has a thread of its own that waits for its streams and its exit, so it does not block an event loop.
package struct CommandProcess: Sendable {
    /// The program and its arguments.
    package var arguments: [String]
    /// The complete environment, as `NAME=value` strings.
    package var environment: [String]
    /// The absolute path of the working directory.
    package var directory: String
    /// The standard input.
    package var input: [UInt8]
    /// The time limit, in nanoseconds.
    package var timeout: Int64
    /// The clock of the time limit.
    package var clock: RunClock

    /// The result of a program.
    package struct Result: Sendable {
        /// The end of a program.
        package enum Ending: Sendable {
            /// The program ended by itself.
            case ended(CommandExecution.Ending)
            /// The program could not be started.
            case notStarted(message: MessageText)
            /// The time limit expired.
            case timedOut
            /// The task was cancelled.
            case cancelled
        }

        /// The end of the program.
        package var ending: Ending
        /// The standard output.
        package var output = CommandOutput(limit: CommandExecution.maximumOutput)
        /// The standard error.
        package var errors = CommandOutput(limit: CommandExecution.maximumErrors)
    }

    /// Creates a program.
    package init(
        arguments: [String], environment: [String], directory: String, input: [UInt8] = [], timeout: Int64,
        clock: RunClock
    ) {
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
        self.input = input
        self.timeout = timeout
        self.clock = clock
    }

    /// The maximum time between two checks whether the program has ended or must be killed, in milliseconds.
    private static let tick: Int32 = 20

    /// Runs the program until it ends, its time limit expires, or the calling task is cancelled.
    ///
    /// When the function returns, the program and all processes of its process group have ended.
    package func run() async -> Result {
        let stop = StopFlag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStarted = DetachedThread.start { continuation.resume(returning: runBlocking(until: stop)) }
                if !isStarted {
                    continuation.resume(
                        returning: Result(ending: .notStarted(message: "the system cannot start another thread")))
                }
            }
        } onCancel: {
            stop.request()
        }
    }

    private func runBlocking(until stop: StopFlag) -> Result {
        var streams: CommandStreams
        let process: ChildProcess
        do {
            streams = try CommandStreams(hasInput: !input.isEmpty)
        } catch {
            return Result(ending: .notStarted(message: error.message))
        }
        defer { streams.close() }
        do {
            process = try ChildProcess(
                arguments: arguments, environment: environment, directory: directory, streams: streams.child)
        } catch {
            return Result(ending: .notStarted(message: error.message))
        }
        defer { process.finish() }
        streams.closeChildEnds()
        let deadline = clock.time(in: timeout)
        var result = Result(ending: .cancelled)
        var written = 0
        while true {
            if stop.isRequested { return result }
            let now = clock.now()
            if now >= deadline {
                result.ending = .timedOut
                return result
            }
            let left = Int32(clamping: (deadline - now) / 1_000_000 + 1)
            streams.wait(milliseconds: streams.isOutputClosed ? 1 : min(Self.tick, left))
            written = streams.write(input, from: written)
            // The program is checked first: output that it wrote before its end is then read to the last byte.
            let ending = process.ending()
            streams.read(into: &result.output, and: &result.errors)
            guard let ending else { continue }
            switch ending {
            case .exit(let status): result.ending = .ended(.exit(Int(status)))
            case .signal(let signal): result.ending = .ended(.signal(Int(signal)))
            }
            return result
        }
    }
}

/// The output of a program on one stream.
package struct CommandOutput: Sendable {
    /// The maximum number of bytes that are kept.
    let limit: Int
    /// The first bytes.
    package private(set) var bytes: [UInt8] = []
    /// The number of bytes that the program wrote.
    private(set) var size = 0

    /// Whether bytes are missing.
    var isCut: Bool { size > bytes.count }

    init(limit: Int) { self.limit = limit }

    /// Appends bytes, up to the limit.
    mutating func append(_ new: ArraySlice<UInt8>) {
        size += new.count
        bytes += new.prefix(max(0, limit - bytes.count))
    }
}

/// A request to kill a program, which another thread makes.
final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Whether the request was made.
    var isRequested: Bool { flag.load(ordering: .acquiring) }

    /// Makes the request.
    func request() { flag.store(true, ordering: .releasing) }
}

/// A thread that ends by itself.
package enum DetachedThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs a closure on a new thread.
    ///
    /// - Returns: Whether the system could start the thread.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                // A program that closes its standard input must not end this process.
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
