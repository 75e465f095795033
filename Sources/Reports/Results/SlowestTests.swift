import Diagnostics
import Output
import RunModel

/// The tests that passed and took the longest, where they stand out from the others.
struct SlowestTests {
    /// Tests below which none is called slow.
    private static let fewest = 50
    /// Nanoseconds below which no test is called slow.
    private let threshold: Int64
    /// How many times the average a slow test takes.
    private let factor: Int64
    private var slowest: SlowestList<(title: String, place: String)>
    private var tests: Int64 = 0
    private var total: Int64 = 0

    /// Creates a list; a verbose one has more tests, and tests that stand out less.
    init(isVerbose: Bool) {
        slowest = SlowestList(limit: isVerbose ? 10 : 3)
        threshold = isVerbose ? 200_000_000 : 1_000_000_000
        factor = isVerbose ? 2 : 5
    }

    /// Counts a test that passed.
    ///
    /// - Returns: Whether it is to be added as one of the slowest.
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
            result.duration, (title: title, place: DisplayWidth.printable("\(range.file.name):\(range.start.line)")))
    }

    /// The list, or nothing when no test stands out.
    func text(painter: Painter, width: Int) -> String {
        guard tests >= Self.fewest else { return "" }
        let average = total / tests
        let slow = slowest.items.filter { $0.duration / factor >= average }
        guard !slow.isEmpty else { return "" }
        var text = painter.paint("slowest:", .bold)
        text += " " + painter.paint("\(DurationText.text(average)) is the average", .dim) + "\n"
        let times = slow.map { DurationText.text($0.duration) }
        let timeWidth = times.map(\.utf8.count).max() ?? 0
        for (entry, time) in zip(slow, times) {
            let head = "  " + TextFitting.spaces(timeWidth - time.utf8.count) + time + "  "
            let room = max(20, width - 2 - timeWidth - 2 - DisplayWidth.of(entry.item.place) - 2)
            text +=
                head + TextFitting.cut(entry.item.title, to: room) + "  " + painter.paint(entry.item.place, .dim) + "\n"
        }
        return text + "\n"
    }
}

/// The slowest of many tests; what it keeps does not grow with their number.
struct SlowestList<Item> {
    private let limit: Int
    private(set) var items: [(duration: Int64, item: Item)] = []

    /// Creates a list of at most some items.
    init(limit: Int) { self.limit = limit }

    /// Whether an item would be among the slowest.
    func takes(_ duration: Int64) -> Bool { items.count < limit || duration > items.last?.duration ?? .max }

    /// Adds an item if it is among the slowest; of equal ones the first stays.
    mutating func add(_ duration: Int64, _ item: @autoclosure () -> Item) {
        guard takes(duration) else { return }
        if items.count == limit { items.removeLast() }
        let index = items.firstIndex { $0.duration < duration } ?? items.endIndex
        items.insert((duration, item()), at: index)
    }
}
