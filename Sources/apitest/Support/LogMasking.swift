import Glibc
import Reports

/// Masks secrets in a log that another program has written.
enum LogMasking {
    /// The largest log that is masked, in bytes.
    private static let maximumSize = 256 << 20

    /// Rewrites a file in place if it holds a secret.
    static func mask(_ path: String, with mask: SecretMask) {
        guard !mask.isEmpty else { return }
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return }
        let size = Int(information.st_size)
        guard size <= maximumSize else {
            StandardError.write("apitest: the log \(path) is too large for secrets to be masked in it\n")
            return
        }
        var bytes = [UInt8](repeating: 0, count: size)
        var count = 0
        bytes.withUnsafeMutableBytes { buffer in
            while count < size {
                let result = pread(file, buffer.baseAddress.map { $0 + count }, size - count, off_t(count))
                if result > 0 { count += result } else if result == 0 || errno != EINTR { return }
            }
        }
        bytes.removeLast(size - count)
        guard let masked = mask.masked(bytes) else { return }
        guard ftruncate(file, 0) == 0, lseek(file, 0, SEEK_SET) == 0 else { return }
        _ = FileDescriptorWriter.writeAll(masked, to: file)
    }
}
