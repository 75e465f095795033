/// The tests that capture a name, in file order; almost always a single one.
struct CaptureSites {
    /// The first test.
    let first: Int
    /// The other tests.
    private(set) var rest: [Int] = []

    /// Creates the sites of a name that one test captures.
    init(_ test: Int) {
        first = test
    }

    /// Adds a test, which must come last so far.
    mutating func add(_ test: Int) {
        if rest.last ?? first != test { rest.append(test) }
    }

    /// All of the tests.
    var all: [Int] { [first] + rest }

    /// Returns the nearest test before another; nil if there is none.
    func last(before test: Int) -> Int? {
        guard first < test else { return nil }
        var low = 0
        var high = rest.count
        while low < high {
            let middle = (low + high) / 2
            if rest[middle] < test { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : rest[low - 1]
    }

    /// Returns the tests after another.
    func after(_ test: Int) -> [Int] {
        (first > test ? [first] : []) + rest.drop { $0 <= test }
    }
}
