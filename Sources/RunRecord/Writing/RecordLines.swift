package import FileSystem
package import Output
package import RunModel
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The file of a record and the lines that have not been written to it yet.
///
/// Lines can be added while others are written. When ``commit()`` returns, the lines of all tests that had passed
/// before the call are in the file, no matter which thread wrote them.
package final class RecordLines: Sendable {
    /// The state to which lines are added.
    package struct State: ~Copyable {
        /// The writer of the lines that are not in the file yet.
        package var writer: RecordWriter
        /// The start of the run according to the clock.
        package var start: Int64?
        /// Whether a write has failed.
        ///
        /// Nothing is written after that.
        package fileprivate(set) var hasFailed = false
        /// Whether lines of passed tests are held until ``RecordLines/commit()``.
        fileprivate var holdsPassed = false
        /// The total number of held lines of passed tests.
        fileprivate var passed = 0
        /// The number of these lines that are in the file.
        fileprivate var writtenPassed = 0

        /// Whether there are so many lines that they must be written.
        package var isLong: Bool { writer.count >= RecordLines.maximumHeld }

        /// Completes the line of a result.
        ///
        /// - Returns: Whether it must be written now.
        package mutating func end(_ result: TestResult) -> Bool {
            guard holdsPassed, !isLong, case .passed = result.outcome else { return true }
            passed += 1
            return false
        }
    }

    private struct Output: ~Copyable {
        var file: RecordFile
        /// A buffer that is swapped with the lines to write, so that others can be added in the meantime.
        var lines = ByteBuffer()
        var failure: ReportError?
    }

    /// The maximum number of bytes of held lines.
    private static let maximumHeld = 1 << 16

    private let state: Mutex<State>
    /// The output.
    ///
    /// This lock is acquired before that of ``state``.
    private let output: Mutex<Output>

    /// Creates the lines of a record.
    package init(file: consuming RecordFile, writer: consuming RecordWriter) {
        output = Mutex(Output(file: file))
        state = Mutex(State(writer: writer))
    }

    /// The error of the first failed write.
    package var failure: ReportError? { output.withLock { $0.failure } }

    /// Starts to hold the lines of passed tests.
    package func holdPassed() {
        state.withLock { $0.holdsPassed = true }
    }

    /// Adds lines.
    ///
    /// - Parameter change: Adds the lines and returns whether they must be written now.
    package func add(_ change: (inout State) -> Bool) {
        if state.withLock({ change(&$0) }) { flush() }
    }

    /// Writes all lines if they include one of a passed test.
    package func commit() {
        if state.withLock({ $0.passed != $0.writtenPassed }) { flush(onlyPassed: true) }
    }

    /// Writes all lines.
    package func flush() {
        flush(onlyPassed: false)
    }

    /// Writes all lines.
    ///
    /// - Parameter onlyPassed: Whether to write only if the lines include one of a passed test.
    private func flush(onlyPassed: Bool) {
        output.withLock { output in
            let passed = state.withLock { state in
                // The previous holder of the lock may have written the lines.
                if !onlyPassed || state.passed != state.writtenPassed { state.writer.exchangeLines(&output.lines) }
                return state.passed
            }
            if output.lines.isEmpty { return }
            do throws(ReportError) {
                try output.file.write(output.lines)
            } catch {
                output.failure = output.failure ?? error
                state.withLock { $0.hasFailed = true }
            }
            output.lines.removeAll()
            state.withLock { $0.writtenPassed = passed }
        }
    }
}

/// The file of a record, to which each line is written immediately.
///
/// The file is opened and truncated for the first line. A run that does not start therefore leaves the record of a
/// previous run intact.
package struct RecordFile: ~Copyable {
    private let path: String
    /// Whether the path is not a regular file, such as a pipe.
    private let isStream: Bool
    /// The open file, or `nil` before the first line.
    private var file: SharedFile?

    /// Creates a record file and checks that its path is writable.
    ///
    /// Missing directories are created along with the first line.
    package init(path: String) throws(ReportError) {
        isStream = try ReportFile(path: path).isStream
        self.path = path
        file = nil
    }

    /// Creates a record file that is open already.
    ///
    /// - Parameter path: The name of the record in messages.
    package init(_ file: SharedFile, path: String) {
        isStream = false
        self.path = path
        self.file = file
    }

    /// Writes bytes, usually with a single system call.
    package mutating func write(_ bytes: borrowing ByteBuffer) throws(ReportError) {
        do throws(FileHandle.Failure) {
            if file == nil {
                if !isStream { try ReportFile.createDirectories(ReportFile.directory(of: path)) }
                // Appends because a stream may be a file that other processes write to.
                let flags = O_WRONLY | O_APPEND | (isStream ? 0 : O_CREAT | O_TRUNC)
                file = SharedFile(try FileHandle(path: path, flags: flags))
            }
            try file?.handle.write(bytes)
        } catch {
            throw ReportFile.error(path, error.number)
        }
    }
}
