/// The tests that capture a name, in file order; nearly always one.
struct CaptureSites {
    /// The first test.
    let first: Int
    /// The others.
    private(set) var rest: [Int] = []

    /// Creates the sites of a name that one test captures.
    init(_ test: Int) {
        first = test
    }

    /// Adds a test, which is the last one so far.
    mutating func add(_ test: Int) {
        if rest.last ?? first != test { rest.append(test) }
    }

    /// All of the tests.
    var all: [Int] { [first] + rest }

    /// The nearest test before another.
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

    /// The tests behind another.
    func after(_ test: Int) -> [Int] {
        (first > test ? [first] : []) + rest.drop { $0 <= test }
    }
}
