import Glibc

/// Says cheaply whether files in folders may have changed: by inotify where there is one, otherwise always.
///
/// A hint is no more than that: what has changed is found out by comparing the files themselves.
final class ChangeHints {
    /// Folders are watched one by one up to this many; more are looked at again and again instead.
    private static let mostFolders = 4_096

    private var descriptor: Int32 = -1
    private var folders: Set<String> = []

    /// Creates hints without any folder.
    init() {
        #if os(Linux)
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        #endif
    }

    deinit { stop(descriptor) }

    /// Watches more folders; one that is not there cannot be watched, so that all are looked at from then on.
    func watch(_ more: some Sequence<String>) {
        #if os(Linux)
        let events = UInt32(
            IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
                | IN_DELETE_SELF
                | IN_MOVE_SELF)
        for folder in more where descriptor >= 0 && !folders.contains(folder) {
            if folders.count < Self.mostFolders, inotify_add_watch(descriptor, folder, events) >= 0 {
                folders.insert(folder)
            } else {
                stop(descriptor)
                descriptor = -1
            }
        }
        #endif
    }

    /// Whether something may have changed since this was asked last.
    func take() -> Bool {
        guard descriptor >= 0 else { return true }
        var hasEvents = false
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while read(descriptor, &buffer, buffer.count) > 0 { hasEvents = true }
        return hasEvents
    }
}

private func stop(_ descriptor: Int32) {
    if descriptor >= 0 { close(descriptor) }
}
