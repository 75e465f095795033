import Glibc

/// Standard input, for commands that take a file from it.
enum StandardInput {
    /// The maximum number of bytes that are read.
    private static let maximumSize = 64 << 20

    /// All bytes up to the end, or nil when they cannot be read or are too many.
    static func readAll() -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { return nil }
            if bytes.count > maximumSize {
                errno = EFBIG
                return nil
            }
        }
    }
}
