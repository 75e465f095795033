import Diagnostics
import Output
import RunModel

/// The slowest tests that passed, if they stand out from the others.
struct SlowestTests {
    /// The minimum number of tests for any of them to be listed as slow.
    private static let minimum = 50
    /// The minimum duration of a slow test in nanoseconds.
    private let threshold: Int64
    /// The minimum duration of a slow test as a multiple of the average.
    private let factor: Int64
    private var slowest: SlowestList<(title: String, location: String)>
    private var tests: Int64 = 0
    private var total: Int64 = 0

    /// Creates a list.
    ///
    /// A verbose one has more tests and lower thresholds.
    init(isVerbose: Bool) {
        slowest = SlowestList(limit: isVerbose ? 10 : 3)
        threshold = isVerbose ? 200_000_000 : 1_000_000_000
        factor = isVerbose ? 2 : 5
    }

    /// Counts a test that passed.
    ///
    /// - Returns: Whether the test must be added as one of the slowest.
    mutating func count(_ result: TestResult) -> Bool {
        let duration = max(0, result.duration)
        tests += 1
        total &+= duration
        return duration >= threshold && slowest.takes(duration)
    }

    /// Adds one of the slowest tests.
    mutating func add(_ result: TestResult, title: String) {
        let range = result.test.range
        slowest.add(
            result.duration, (title: title, location: DisplayWidth.printable("\(range.file.name):\(range.start.line)")))
    }

    /// Returns the list, or an empty string if no test stands out.
    func text(painter: Painter, width: Int) -> String {
        guard tests >= Self.minimum else { return "" }
        let average = total / tests
        let slow = slowest.items.filter { $0.duration / factor >= average }
        guard !slow.isEmpty else { return "" }
        var text = painter.paint("slowest:", .bold)
        text += " " + painter.paint("average \(DurationText.text(average))", .dim) + "\n"
        let times = slow.map { DurationText.text($0.duration) }
        let timeWidth = times.map(\.utf8.count).max() ?? 0
        for (entry, time) in zip(slow, times) {
            let head = "  " + TextFitting.spaces(timeWidth - time.utf8.count) + time + "  "
            let room = max(20, width - 2 - timeWidth - 2 - DisplayWidth.of(entry.item.location) - 2)
            text +=
                head + TextFitting.cut(entry.item.title, to: room) + "  " + painter.paint(entry.item.location, .dim)
                + "\n"
        }
        return text + "\n"
    }
}

/// A bounded list of the slowest of many tests.
struct SlowestList<Item> {
    private let limit: Int
    private(set) var items: [(duration: Int64, item: Item)] = []

    /// Creates a list with a maximum number of items.
    init(limit: Int) { self.limit = limit }

    /// Returns whether an item with this duration would be in the list.
    func takes(_ duration: Int64) -> Bool { items.count < limit || duration > items.last?.duration ?? .max }

    /// Adds an item if it is among the slowest.
    ///
    /// Among items with equal durations, the first one is kept.
    mutating func add(_ duration: Int64, _ item: @autoclosure () -> Item) {
        guard takes(duration) else { return }
        if items.count == limit { items.removeLast() }
        let index = items.firstIndex { $0.duration < duration } ?? items.endIndex
        items.insert((duration, item()), at: index)
    }
}
