import Basics
import OpenAPI

/// A suite of a search, which expects nothing.
public struct FuzzSuite: Sendable {
    /// The order of the tests in a suite.
    enum Order: Equatable {
        /// One after another.
        case serial
        /// One after another, except for consecutive tests of one operation that only read: these run at the same time.
        case overlapping
        /// A number of tests one after another, and then the others at the same time.
        case trials(after: Int)
        /// All at the same time.
        case concurrent
    }

    /// The suite as YAML.
    public let text: String
    /// The positions of the tests in a serial suite that can run at the same time, in ascending order.
    public let overlapping: [Range<Int>]
}

/// The suites of requests, and those of findings.
extension FuzzPlan {
    /// The keys of the suites of findings that name or start the server.
    var replayServer: [(String, SuiteNode)] {
        options.server?.map { ($0.key, SuiteNode(source: $0.value)) }
            ?? [("baseURL", .text(ServerAddress(text: options.baseURL).expression("BASE_URL")))]
    }

    /// The header fields of all requests for suites of findings, whose values come from a login or the environment.
    var replayHeaders: [(String, SuiteNode)] {
        options.allHeaders.map { ($0.name, .text("${env('\(Naming.environment($0.name))')}")) } + loginFields
    }

    /// Whether the suites of findings log in.
    var logsIn: Bool { options.login != nil }

    private var loginFields: [(String, SuiteNode)] { options.login?.fields.map { ($0.name, .text($0.value)) } ?? [] }

    /// Returns a test without the values of the second user's header fields, which come from the environment.
    func withoutSecrets(_ test: GeneratedTest) -> GeneratedTest {
        guard let (user, header) = options.otherUser else { return test }
        var test = test
        test.request.headers = test.request.headers.map { entry in
            guard entry.0 == header.name, case .text(SuiteNode.escaped(header.value)) = entry.1 else { return entry }
            return (entry.0, .text("${env('\(Naming.environment("\(user)_\(header.name)"))')}"))
        }
        return test
    }

    /// Returns a suite with tests. The suite expects nothing, because ``FuzzJudge`` judges the responses.
    func suite(of tests: [GeneratedTest], _ order: FuzzSuite.Order) -> FuzzSuite {
        let (named, variables) = named(tests) { $0.fresh(numbers.next()) }
        let plain = named.map { test in
            var test = test
            test.expect = nil
            test.tags = []
            return test
        }
        let text = text(
            plain, server: [("baseURL", .text(SuiteNode.escaped(options.baseURL)))], head: [], variables: variables,
            headers: options.allHeaders.map { ($0.name, .text(SuiteNode.escaped($0.value))) } + loginFields,
            isSerial: order != .concurrent)
        return FuzzSuite(text: text, overlapping: Self.overlapping(tests, order))
    }

    /// Returns the positions of the tests in a serial suite that can run at the same time.
    private static func overlapping(_ tests: [GeneratedTest], _ order: FuzzSuite.Order) -> [Range<Int>] {
        switch order {
        case .serial, .concurrent: []
        case .overlapping: reading(tests)
        case .trials(let first): [first..<max(first, tests.count)]
        }
    }

    /// Returns the positions of consecutive tests of one operation that only read.
    private static func reading(_ tests: [GeneratedTest]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for (position, test) in tests.enumerated() where test.request.onlyReads && test.follows == nil {
            if let last = ranges.last, last.upperBound == position, tests[position - 1].operation == test.operation {
                ranges[ranges.count - 1] = last.lowerBound..<position + 1
            } else {
                ranges.append(position..<position + 1)
            }
        }
        return ranges
    }

    /// Returns the text of a suite.
    ///
    /// - Parameters:
    ///   - server: The entries that name or start the server.
    ///   - head: The entries after those of the server.
    ///   - variables: The names that the requests choose.
    ///   - headers: The header fields of all requests.
    ///   - name: The name of the suite.
    ///   - isSerial: Whether the tests run one after another; nil if there are several.
    ///   - logsIn: Whether the suite logs in by itself.
    func text(
        _ tests: [GeneratedTest], server: [(String, SuiteNode)], head: [(String, SuiteNode)],
        variables names: [(String, SuiteNode)], headers: [(String, SuiteNode)],
        name: String? = nil, isSerial: Bool? = nil, logsIn: Bool = false
    ) -> String {
        var entries: [(String, SuiteNode)] = []
        entries.append(("name", .text(SuiteNode.escaped(name ?? "fuzz"))))
        entries += server.filter { $0.0 != "variables" }
        entries += head
        if isSerial ?? (tests.count > 1) { entries.append(("mode", .text("serial"))) }
        let nodes = tests.map(\.node)
        let used = tests.reduce(into: Set<String>()) { $0.formUnion($1.variables) }
        var variables =
            generator.variables.filter { entry in used.contains(entry.0) && !names.contains { $0.0 == entry.0 } }
            + names.filter { used.contains($0.0) }
        if case .members(let own)? = server.first(where: { $0.0 == "variables" })?.1 {
            variables = own.entries + variables.filter { entry in !own.entries.contains { $0.0 == entry.0 } }
        }
        if !variables.isEmpty { entries.append(("variables", .map(variables))) }
        var defaults = generator.defaults(adding: headers)
        if options.fieldNames.contains(where: { $0.lowercased() == "authorization" }) {
            defaults.removeAll { $0.0 == "auth" }
        }
        if !defaults.isEmpty { entries.append(("defaults", .map(defaults))) }
        if logsIn, let login = options.login,
            !SuiteNode.map(defaults).variables.union(used).isDisjoint(with: login.outputs)
        {
            entries.append(("use", .text(SuiteNode.escaped(login.file))))
            if !login.dotenv.isEmpty, !entries.contains(where: { $0.0 == "dotenv" }) {
                entries.append(("dotenv", .list(login.dotenv.map { .text(SuiteNode.escaped($0)) })))
            }
            entries.append(("setup", .list([login.call])))
        }
        entries.append(("tests", .list(nodes)))
        var writer = SuiteTextWriter()
        writer.write(entries, separated: ["variables", "defaults", "setup", "tests"])
        return writer.text
    }
}
