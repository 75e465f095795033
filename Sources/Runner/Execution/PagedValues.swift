/// A small value for each test of a run.
///
/// Tests mostly start and finish in order, so the tests of a page usually have the same value. Such a page takes a few
/// bytes; in the others, each value takes its own size.
struct PagedValues<Value: Equatable & Sendable>: Sendable {
    private struct Page {
        /// The value of all tests of the page, if they have the same.
        var common: Value
        /// The value of each test; empty if all are the same.
        var values: [Value] = []
        /// The different values and the number of their occurrences; empty if all are the same.
        var counts: [(value: Value, count: Int)] = []

        /// Sets the value at a position of a page with the given number of tests.
        mutating func set(_ value: Value, at position: Int, count: Int) {
            if values.isEmpty {
                if value == common { return }
                values = Array(repeating: common, count: count)
                counts = [(common, count)]
            }
            let old = values[position]
            if value == old { return }
            values[position] = value
            change(old, by: -1)
            change(value, by: 1)
            if counts.count == 1 {
                common = value
                values = []
                counts = []
            }
        }

        private mutating func change(_ value: Value, by difference: Int) {
            guard let index = counts.firstIndex(where: { $0.value == value }) else {
                counts.append((value, difference))
                return
            }
            counts[index].count += difference
            if counts[index].count == 0 { counts.remove(at: index) }
        }
    }

    /// The number of tests of a page.
    static var pageLength: Int { 4_096 }

    /// The number of values.
    let count: Int
    private var pages: [Page]

    /// The number of pages that contain different values.
    var mixedPageCount: Int { pages.count { !$0.values.isEmpty } }

    /// Creates values that are all the same.
    init(repeating value: Value, count: Int) {
        self.count = count
        pages = Array(repeating: Page(common: value), count: (count + Self.pageLength - 1) / Self.pageLength)
    }

    /// The value of a test.
    subscript(index: Int) -> Value {
        get {
            let (page, position) = index.quotientAndRemainder(dividingBy: Self.pageLength)
            return pages[page].values.isEmpty ? pages[page].common : pages[page].values[position]
        }
        set {
            let (page, position) = index.quotientAndRemainder(dividingBy: Self.pageLength)
            pages[page].set(newValue, at: position, count: min(Self.pageLength, count - page * Self.pageLength))
        }
    }
}
