import Glibc

/// What tells that a file has changed: its place on the disk, its size and its times; equal for files that are not there.
struct FileSignature: Hashable {
    private var device: UInt64 = 0
    private var number: UInt64 = 0
    private var size: Int64 = -1
    private var modified: [Int] = []

    /// The signature of what is at a path now.
    init(ofFile path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return }
        device = UInt64(information.st_dev)
        number = UInt64(information.st_ino)
        size = Int64(information.st_size)
        modified = [
            Int(information.st_mtim.tv_sec), Int(information.st_mtim.tv_nsec), Int(information.st_ctim.tv_sec),
            Int(information.st_ctim.tv_nsec),
        ]
    }
}
