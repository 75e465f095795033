import SuiteModel

/// What the tests of a suite and their rows are called: a repeated name has ` [2]` added.
///
/// Mostly no name is repeated. Then nothing is kept, and it takes about two bytes for each name to know it.
struct SuiteNames {
    /// Names that differ from those of the suite, by the index of the test; empty when there are none.
    private var own: [NameList] = []

    /// Finds the names of all tests, selected or not, so that a test has the same name whatever was selected beside it.
    init(_ suite: Suite) {
        guard Self.mayRepeat(in: suite) else { return }
        var names = UniqueNames()
        own = suite.tests.map { test in
            guard let data = test.data else { return NameList([names.name(test.name)]) }
            var list = NameList()
            for row in 0..<data.count { list.append(names.name(data.names.isEmpty ? test.name : data.names[row])) }
            list.finish()
            return list
        }
    }

    /// What a test without rows is called.
    func name(ofTest index: Int, in suite: Suite) -> String {
        own.isEmpty ? suite.tests[index].name : own[index][0]
    }

    /// What the rows of a test are called.
    func names(of test: SuiteTest, _ data: TestData) -> RowNames {
        if !own.isEmpty { return .list(own[test.index]) }
        return data.names.isEmpty ? .numbered(test.name) : .list(data.names)
    }

    /// Whether two tests or rows may have one name, or a name may be what another one becomes when it is numbered.
    private static func mayRepeat(in suite: Suite) -> Bool {
        var numbered: Set<String> = []
        var count = 0
        // By index, as a test that is taken out of its array is copied whole.
        for index in suite.tests.indices {
            guard let data = suite.tests[index].data else {
                count += 1
                continue
            }
            count += max(1, data.names.count)
            if data.names.isEmpty, data.count > 1 { numbered.insert(suite.tests[index].name) }
        }
        var sieve = RepetitionSieve(count: count)
        var mayBeNumber = false
        forEachName(in: suite) { name in
            sieve.add(name.hashValue)
            if !numbered.isEmpty, isNumber(name, of: numbered) { mayBeNumber = true }
        }
        if mayBeNumber { return true }
        guard sieve.needsSecondPass() else { return false }
        forEachName(in: suite) { sieve.addAgain($0.hashValue) }
        return sieve.hasRepetition
    }

    /// Visits the names as they are written: of the tests, and of rows that have their own.
    private static func forEachName(in suite: Suite, _ body: (String) -> Void) {
        for index in suite.tests.indices {
            if let names = suite.tests[index].data?.names, !names.isEmpty {
                for name in names { body(name) }
            } else {
                body(suite.tests[index].name)
            }
        }
    }

    /// Whether a name is one of some others with a number behind it, as in `a [2]`.
    private static func isNumber(_ name: String, of others: Set<String>) -> Bool {
        guard name.utf8.last == UInt8(ascii: "]"), let bracket = name.utf8.lastIndex(of: UInt8(ascii: "[")),
            bracket > name.startIndex
        else { return false }
        return others.contains(String(name[..<name.utf8.index(before: bracket)]))
    }
}

/// What the rows of a test are called, each differently from every other test of the suite.
enum RowNames: Sendable {
    /// The name of the test, to which ` [2]`, ` [3]`, … is added from the second row on.
    case numbered(String)
    /// A name for each row.
    case list(NameList)

    subscript(row: Int) -> String {
        switch self {
        case .numbered(let name): row == 0 ? name : "\(name) [\(row + 1)]"
        case .list(let names): names[row]
        }
    }
}

/// Gives each test of a suite a name of its own: a repeated one has ` [2]` added.
struct UniqueNames {
    private var counts: [String: Int] = [:]

    /// Makes room for so many names.
    mutating func reserveCapacity(_ count: Int) {
        counts.reserveCapacity(count)
    }

    /// A name that was not given before.
    mutating func name(_ name: String) -> String {
        var count = Self.increment(&counts[name, default: 0])
        if count == 1 { return name }
        var candidate = "\(name) [\(count)]"
        while counts[candidate] != nil {
            count += 1
            candidate = "\(name) [\(count)]"
        }
        counts[name] = count
        counts[candidate] = 1
        return candidate
    }

    private static func increment(_ count: inout Int) -> Int {
        count += 1
        return count
    }
}
