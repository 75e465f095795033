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

/// The lines of a record that are not in its file yet, and the file.
///
/// Lines are added while others are written. Whoever has called ``commit()`` finds the lines of all tests that had passed
/// before in the file, whoever wrote them.
package final class RecordLines: Sendable {
    /// What lines are added to.
    package struct State: ~Copyable {
        package var writer: RecordWriter
        /// When the run began, by the clock.
        package var start: Int64?
        /// Whether something could not be written, after which nothing is any more.
        package fileprivate(set) var hasFailed = false
        /// Whether lines of tests that passed are held until ``RecordLines/commit()``.
        fileprivate var holdsPassed = false
        /// How many such lines there have been.
        fileprivate var passed = 0
        /// How many of these are in the file.
        fileprivate var writtenPassed = 0

        /// Whether there are so many lines that they must be written.
        package var isLong: Bool { writer.count >= RecordLines.mostHeld }

        /// Ends the line of a result.
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
        /// Takes the place of the lines that are to be written, so that others can be added meanwhile.
        var lines = ByteBuffer()
        var failure: ReportError?
    }

    /// The most bytes of lines that are held.
    private static let mostHeld = 1 << 16

    private let state: Mutex<State>
    /// Locked before ``state``, where both are.
    private let output: Mutex<Output>

    package init(file: consuming RecordFile, writer: consuming RecordWriter) {
        output = Mutex(Output(file: file))
        state = Mutex(State(writer: writer))
    }

    /// Why something could not be written.
    package var failure: ReportError? { output.withLock { $0.failure } }

    /// Holds the lines of tests that passed from now on.
    package func holdPassed() {
        state.withLock { $0.holdsPassed = true }
    }

    /// Adds lines.
    ///
    /// - Parameter change: Adds them, and says whether they must be written now.
    package func add(_ change: (inout State) -> Bool) {
        if state.withLock({ change(&$0) }) { flush() }
    }

    /// Writes the lines of tests that passed, and all others, while there is one of a test that passed.
    package func commit() {
        if state.withLock({ $0.passed != $0.writtenPassed }) { flush(onlyPassed: true) }
    }

    /// Writes all lines.
    package func flush() {
        flush(onlyPassed: false)
    }

    /// - Parameter onlyPassed: Whether that is only to be done while there is one of a test that passed.
    private func flush(onlyPassed: Bool) {
        output.withLock { output in
            let passed = state.withLock { state in
                // Who held the file before may have written what there was.
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

/// The file of a record: each line is in it as soon as it is written.
///
/// It is opened for the first line; whatever was in it is gone then, and until then it is as it was, so that a run that
/// does not begin leaves the record of an earlier one.
package struct RecordFile: ~Copyable {
    private let path: String
    /// Whether the path is no regular file, such as a pipe.
    private let isStream: Bool
    /// nil until the first line.
    private var file: FileHandle?
    private var isOpen = false

    /// Makes sure that a path can be written.
    ///
    /// Folders that do not exist are created for the first line.
    package init(path: String) throws(ReportError) {
        isStream = try ReportFile(path: path).isStream
        self.path = path
        file = nil
    }

    /// Writes bytes, with one call to the system unless that takes only a part of them.
    package mutating func write(_ bytes: borrowing ByteBuffer) throws(ReportError) {
        do throws(FileHandle.Failure) {
            if !isOpen {
                if !isStream { try ReportFile.createFolders(ReportFile.folder(of: path)) }
                // Appended, for a stream may be a file that others write to.
                file = try FileHandle(path: path, flags: O_WRONLY | O_APPEND | (isStream ? 0 : O_CREAT | O_TRUNC))
                isOpen = true
            }
            try file?.write(bytes)
        } catch {
            throw ReportFile.error(path, error.number)
        }
    }
}
