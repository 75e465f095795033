import Foundation
import JSON

/// Does one thing with one document again and again, and prints how often and for how long.
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
        let clock = ContinuousClock()
        let start = clock.now
        var times = 0
        var elapsed = Duration.zero
        repeat {
            check &+= try once()
            times += 1
            elapsed = clock.now - start
        } while elapsed < .seconds(seconds)
        let nanoseconds = elapsed.components.seconds * 1_000_000_000 + elapsed.components.attoseconds / 1_000_000_000
        print("\(document.count) bytes, \(times) times, \(nanoseconds) ns, check \(check)")
    }
}
