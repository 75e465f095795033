import Foundation
import JSON

/// Does one thing with one document again and again, and prints how often and how much processor time it took.
///
/// Arguments: LIBRARY WORK FILE SECONDS, see `Library` and `Work`. With 0 seconds it is done once.
@main
enum JSONLoad {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let library = Library(rawValue: arguments[1]),
            let work = Work(rawValue: arguments[2]), let seconds = Double(arguments[4])
        else {
            print("arguments: \(Library.names) \(Work.names) FILE SECONDS")
            exit(2)
        }
        let document = try Data(contentsOf: URL(fileURLWithPath: arguments[3]))
        let once = try library.prepare(work, document)
        var check = seconds > 0 ? try once() : 0
        let start = processorTime()
        var times = 0
        var elapsed = 0
        repeat {
            check &+= try once()
            times += 1
            elapsed = processorTime() - start
        } while Double(elapsed) < seconds * 1e9
        print("\(document.count) bytes, \(times) times, \(elapsed) ns, peak \(peakMemory()) kB, check \(check)")
    }

    /// The most memory that this program has had in use, in kilobytes; 0 where the system does not tell.
    private static func peakMemory() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    /// The processor time that this program has taken, in nanoseconds; other programs do not make it longer.
    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
