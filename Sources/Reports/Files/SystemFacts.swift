#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What reports say of the system they were made on.
public enum SystemFacts {
    /// The host's name; `localhost` when it has none.
    public static var hostName: String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let result = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { name in name.baseAddress.map { gethostname($0, 255) } ?? -1 }
        }
        let name = buffer.prefix { $0 != 0 }
        return result != 0 || name.isEmpty ? "localhost" : String(decoding: name, as: UTF8.self)
    }

    /// The absolute path of the working folder; empty when it cannot be found out.
    public static var workingFolder: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }

    /// Nanoseconds since the system was started, for distances in time: read for each test.
    @Sendable static func uptime() -> Int64 {
        var time = timespec()
        #if canImport(Darwin)
        clock_gettime(CLOCK_MONOTONIC, &time)
        #else
        clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// What an error number means.
    static func message(of error: Int32) -> String {
        strerror(error).map { String(cString: $0) } ?? "error \(error)"
    }
}
