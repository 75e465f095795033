import OpenAPI

/// The deterministic tests of a fuzz run, with their dependencies.
struct TestIndex {
    /// The tests in the order in which they run.
    let tests: [GeneratedTest]
    /// The positions of tests by name.
    private var positions: [String: Int] = [:]
    /// The positions of the tests that capture a variable.
    private var providers: [String: [Int]] = [:]
    /// The positions of the tests with the valid request of an operation.
    private var mains: [Int: Int] = [:]

    /// Creates the index of tests.
    init(_ tests: [GeneratedTest]) {
        self.tests = tests
        for (position, test) in tests.enumerated() {
            positions[test.name] = position
            for variable in test.definitions { providers[variable, default: []].append(position) }
            if case .valid = test.intent, mains[test.operation] == nil { mains[test.operation] = position }
        }
    }

    /// Returns the test of an operation's valid request.
    func main(of operation: Int) -> GeneratedTest? { mains[operation].map { tests[$0] } }

    /// Returns the tests that tests need before them, in the order in which they run: those that provide captures, and
    /// those that they follow.
    func predecessors(of dependents: some Sequence<GeneratedTest>) -> [GeneratedTest] {
        var needed: Set<Int> = []
        var names: Set<String> = []
        var pending = Array(dependents)
        for test in pending { names.insert(test.name) }
        while let next = pending.popLast() {
            var found = next.follows.flatMap { positions[$0] }.map { [$0] } ?? []
            for variable in next.variables { found += providers[variable] ?? [] }
            for position in found where !names.contains(tests[position].name) && needed.insert(position).inserted {
                pending.append(tests[position])
            }
        }
        return needed.sorted().map { tests[$0] }
    }
}

extension GeneratedTest {
    /// The variables that the test defines for those after it.
    var definitions: [String] { captures.map(\.0) + (definesName ? [chosen?.variable].compactMap { $0 } : []) }

    /// The variables in the last segment of the path.
    var target: Set<String> {
        SuiteNode.text(request.path.split(separator: "/").last.map(String.init) ?? "").variables
    }

    /// Returns the test with other names of variables.
    func renaming(_ names: [String: String]) -> GeneratedTest {
        var test = self
        test.captures = captures.map { (names[$0.0] ?? $0.0, $0.1) }
        test.identifiers = Set(identifiers.map { names[$0] ?? $0 })
        if let chosen { test.chosen?.variable = names[chosen.variable] ?? chosen.variable }
        test.request = request.renaming(names)
        return test
    }

    /// The variables that the request and the condition use.
    var variables: Set<String> {
        var names = request.node.variables
        if let condition { names.formUnion(condition.variables) }
        return names
    }
}

extension SuiteNode {
    /// The names in the expressions of the node.
    var variables: Set<String> {
        switch self {
        case .plain: []
        case .text(let text): Self.names(in: text)
        case .members(let map): map.entries.reduce(into: []) { $0.formUnion($1.1.variables) }
        case .list(let elements): elements.reduce(into: []) { $0.formUnion($1.variables) }
        }
    }

    /// Returns the node with other names in its expressions.
    func renaming(_ names: [String: String]) -> SuiteNode {
        switch self {
        case .plain: self
        case .text(let text): .text(Self.renaming(names, in: text))
        case .members(let map): .map(map.entries.map { ($0.0, $0.1.renaming(names)) })
        case .list(let elements): .list(elements.map { $0.renaming(names) })
        }
    }

    /// Returns a text with other names within `${…}`.
    static func renaming(_ names: [String: String], in text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            result += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            let end = rest.firstIndex(of: "}") ?? rest.endIndex
            var word = ""
            for character in rest[..<end] {
                if character.isLetter || character.isNumber || character == "_" {
                    word.append(character)
                } else {
                    result += (names[word] ?? word) + String(character)
                    word = ""
                }
            }
            result += names[word] ?? word
            rest = rest[end...]
        }
        return result + rest
    }

    /// Returns the words within `${…}`.
    private static func names(in text: String) -> Set<String> {
        var names: Set<String> = []
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            rest = rest[start.upperBound...]
            let end = rest.firstIndex(of: "}") ?? rest.endIndex
            for word in rest[..<end].split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }) {
                names.insert(String(word))
            }
            rest = rest[end...]
        }
        return names
    }
}

extension RequestParts {
    /// Returns the request with other names in its expressions.
    func renaming(_ names: [String: String]) -> RequestParts {
        func renamed(_ entries: [(String, SuiteNode)]) -> [(String, SuiteNode)] {
            entries.map { ($0.0, $0.1.renaming(names)) }
        }
        var request = self
        request.path = SuiteNode.renaming(names, in: path)
        request.pairs = pairs.map { SuiteNode.renaming(names, in: $0) }
        request.query = renamed(query)
        request.headers = renamed(headers)
        request.cookies = renamed(cookies)
        request.body = body.map { ($0.key, $0.node.renaming(names)) }
        return request
    }
}
