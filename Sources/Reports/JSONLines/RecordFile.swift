#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The file of a record: each line is in it as soon as it is written.
///
/// It is opened for the first line; whatever was in it is gone then, and until then it is as it was, so that a run that
/// does not begin leaves the record of an earlier one.
struct RecordFile: ~Copyable {
    private let path: String
    /// Whether the path is no regular file, such as a pipe.
    private let isStream: Bool
    /// nil until the first line.
    private var file: FileHandle?
    private var isOpen = false

    /// Makes sure that a path can be written.
    ///
    /// Folders that do not exist are created for the first line.
    init(path: String) throws(ReportError) {
        isStream = try ReportFile(path: path).isStream
        self.path = path
        file = nil
    }

    /// Writes bytes, with one call to the system unless that takes only a part of them.
    mutating func write(_ bytes: borrowing ByteBuffer) throws(ReportError) {
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
