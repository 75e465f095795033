import Foundation
import JSON

/// Repeats one operation on one document, and prints the number of repetitions and the processor time.
///
/// Arguments: LIBRARY WORK FILE SECONDS, see `Library` and `Work`. With 0 seconds, the operation runs once.
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

    /// Returns the peak memory of this program in kilobytes, or 0 if the system does not report it.
    private static func peakMemory() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    /// Returns the processor time of this program in nanoseconds. Other programs do not affect it.
    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
