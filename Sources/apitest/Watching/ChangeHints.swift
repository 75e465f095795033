import Glibc

/// Says cheaply whether files in folders may have changed: by inotify where there is one, otherwise always.
///
/// A hint is no more than that: what has changed is found out by comparing the files themselves.
final class ChangeHints {
    /// Folders are watched one by one up to this many; more are looked at again and again instead.
    private static let mostFolders = 4_096

    private var descriptor: Int32 = -1
    private var folders: Set<String> = []
    /// The folders by the numbers that inotify has given their watches; a folder may have several paths.
    private var numbers: [Int32: [String]] = [:]

    /// Creates hints without any folder.
    init() {
        #if os(Linux)
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        #endif
    }

    deinit { stop(descriptor) }

    /// Watches more folders; one that is not there cannot be watched, so that all are looked at from then on.
    ///
    /// - Returns: whether one was not watched before: what came into it until now has given no hint.
    @discardableResult
    func watch(_ more: some Sequence<String>) -> Bool {
        var isAnyNew = false
        #if os(Linux)
        let events = UInt32(
            IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
                | IN_DELETE_SELF
                | IN_MOVE_SELF)
        for folder in more where descriptor >= 0 && !folders.contains(folder) {
            let number = folders.count < Self.mostFolders ? inotify_add_watch(descriptor, folder, events) : -1
            if number >= 0 {
                folders.insert(folder)
                numbers[number, default: []].append(folder)
                isAnyNew = true
            } else {
                stop(descriptor)
                descriptor = -1
            }
        }
        #endif
        return isAnyNew
    }

    /// Whether something may have changed since this was asked last.
    func take() -> Bool {
        guard descriptor >= 0 else { return true }
        var hasEvents = false
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return hasEvents }
            hasEvents = true
            buffer.withUnsafeBytes { forgetFolders(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        }
    }

    /// Forgets folders that have been removed or renamed, so that new ones of the same names are watched.
    private func forgetFolders(_ events: UnsafeRawBufferPointer) {
        #if os(Linux)
        let header = MemoryLayout<inotify_event>.size
        var start = 0
        while start + header <= events.count {
            let event = events.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
            start += header + Int(event.len)
            guard event.mask & UInt32(IN_IGNORED | IN_MOVE_SELF) != 0 else { continue }
            guard let paths = numbers.removeValue(forKey: event.wd) else { continue }
            folders.subtract(paths)
            if event.mask & UInt32(IN_MOVE_SELF) != 0 { inotify_rm_watch(descriptor, event.wd) }
        }
        #endif
    }
}

private func stop(_ descriptor: Int32) {
    if descriptor >= 0 { close(descriptor) }
}
