import Glibc

/// Inexpensive hints that files in directories may have changed, from inotify if available.
///
/// Without inotify, there is always a hint. Actual changes are determined by comparing the files.
final class ChangeHints {
    /// The maximum number of directories to watch.
    ///
    /// If there are more, the files are polled instead.
    private static let maximumDirectories = 4_096

    private var descriptor: Int32 = -1
    private var directories: Set<String> = []
    /// The directories by their inotify watch descriptors.
    ///
    /// A directory may have several paths.
    private var numbers: [Int32: [String]] = [:]

    /// Creates hints without any directories.
    init() {
        #if os(Linux)
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        #endif
    }

    deinit { stop(descriptor) }

    /// Watches additional directories.
    ///
    /// If one cannot be watched, all files are polled from then on.
    ///
    /// - Returns: Whether any directory was not watched before. Earlier changes in it have caused no hint.
    @discardableResult
    func watch(_ more: some Sequence<String>) -> Bool {
        var isAnyNew = false
        #if os(Linux)
        let events = UInt32(
            IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
                | IN_DELETE_SELF
                | IN_MOVE_SELF)
        for directory in more where descriptor >= 0 && !directories.contains(directory) {
            let number =
                directories.count < Self.maximumDirectories ? inotify_add_watch(descriptor, directory, events) : -1
            if number >= 0 {
                directories.insert(directory)
                numbers[number, default: []].append(directory)
                isAnyNew = true
            } else {
                stop(descriptor)
                descriptor = -1
            }
        }
        #endif
        return isAnyNew
    }

    /// Returns whether files may have changed since the last call.
    func take() -> Bool {
        guard descriptor >= 0 else { return true }
        var hasEvents = false
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return hasEvents }
            hasEvents = true
            buffer.withUnsafeBytes { forgetDirectories(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        }
    }

    /// Removes directories that were deleted or renamed, so that new ones with the same names are watched.
    private func forgetDirectories(_ events: UnsafeRawBufferPointer) {
        #if os(Linux)
        let header = MemoryLayout<inotify_event>.size
        var start = 0
        while start + header <= events.count {
            let event = events.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
            start += header + Int(event.len)
            guard event.mask & UInt32(IN_IGNORED | IN_MOVE_SELF) != 0 else { continue }
            guard let paths = numbers.removeValue(forKey: event.wd) else { continue }
            directories.subtract(paths)
            if event.mask & UInt32(IN_MOVE_SELF) != 0 { inotify_rm_watch(descriptor, event.wd) }
        }
        #endif
    }
}

private func stop(_ descriptor: Int32) {
    if descriptor >= 0 { close(descriptor) }
}
