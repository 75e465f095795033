import Basics
import SuiteModel

/// The names of a suite's tests and their rows. A repeated name gets a suffix such as ` [2]`.
///
/// Usually no name is repeated. In this case nothing is stored, and the check needs a few megabytes at most.
struct SuiteNames {
    /// For each test, its names if they differ from those in the suite; empty if no name is repeated.
    private var own: [NameList] = []

    /// Creates the names of all tests, selected or not, so that the selection does not affect the name of a test.
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

    /// Returns the name of a test without rows.
    func name(ofTest index: Int, in suite: Suite) -> String {
        own.isEmpty ? suite.tests[index].name : own[index][0]
    }

    /// Returns the names of a test's rows.
    func names(of test: SuiteTest, _ data: TestData) -> RowNames {
        if !own.isEmpty { return .list(own[test.index]) }
        return data.names.isEmpty ? .numbered(test.name) : .list(data.names)
    }

    /// Returns whether two tests or rows may have the same name, or a name may equal another one with its number.
    private static func mayRepeat(in suite: Suite) -> Bool {
        var numbered: Set<String> = []
        var count = 0
        // Accessed by index, because moving a test out of the array would copy it entirely.
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
        for pass in 0..<sieve.firstPasses {
            forEachName(in: suite) { name in
                sieve.add(name.hashValue)
                if pass == 0, !numbered.isEmpty, isNumber(name, of: numbered) { mayBeNumber = true }
            }
            sieve.endPass()
        }
        if mayBeNumber { return true }
        guard sieve.needsLastPass() else { return false }
        forEachName(in: suite) { sieve.addAgain($0.hashValue) }
        return sieve.hasRepetition
    }

    /// Calls the closure with the names as written: those of the tests, and of rows with their own names.
    private static func forEachName(in suite: Suite, _ body: (String) -> Void) {
        for index in suite.tests.indices {
            if let names = suite.tests[index].data?.names, !names.isEmpty {
                for name in names { body(name) }
            } else {
                body(suite.tests[index].name)
            }
        }
    }

    /// Returns whether a name consists of another name and a number, as in `a [2]`.
    private static func isNumber(_ name: String, of others: Set<String>) -> Bool {
        guard name.utf8.last == UInt8(ascii: "]"), let bracket = name.utf8.lastIndex(of: UInt8(ascii: "[")),
            bracket > name.startIndex
        else { return false }
        return others.contains(String(name[..<name.utf8.index(before: bracket)]))
    }
}

/// The names of a test's rows, unique within the suite.
enum RowNames: Sendable {
    /// The name of the test, with the suffixes ` [2]`, ` [3]` and so on from the second row.
    case numbered(String)
    /// A name for each row.
    case list(NameList)

    subscript(row: Int) -> String {
        switch self {
        case .numbered(let name): row == 0 ? name : name + Self.suffix(ofRow: row)
        case .list(let names): names[row]
        }
    }

    /// Calls the closure with the hash of each row's name, in order.
    ///
    /// - Parameters:
    ///   - count: The number of rows.
    ///   - prefix: The hash of the input before each name.
    func forEachHash(count: Int, after prefix: StableHash, _ body: (_ row: Int, _ hash: StableHash) -> Void) {
        switch self {
        case .numbered(let name):
            let first = prefix.adding(name)
            for row in 0..<count { body(row, row == 0 ? first : first.adding(Self.suffix(ofRow: row))) }
        case .list(let names):
            // The iterator reads each name once, and access by index reads up to 32.
            for (row, name) in names.enumerated() { body(row, prefix.adding(name)) }
        }
    }

    private static func suffix(ofRow row: Int) -> String { " [\(row + 1)]" }
}

/// Generates unique names for the tests of a suite. A repeated name gets a suffix such as ` [2]`.
struct UniqueNames {
    private var counts: [String: Int] = [:]

    /// Reserves capacity for the given number of names.
    mutating func reserveCapacity(_ count: Int) {
        counts.reserveCapacity(count)
    }

    /// Returns a name that was not returned before.
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
