public import Diagnostics
import Expectations
import SuiteModel
import YAML

/// A response lock that was read from a file: its contents and the location of each part.
public struct SuiteLock: Sendable {
    /// The contents.
    public let file: LockFile
    /// The path as displayed in messages.
    public let path: String
    private let shapes: [LockKey: [Int: ResponseShape]]
    private let nodes: [LockKey: YAMLNode]

    /// Reads the text of a file.
    ///
    /// - Returns: The lock and all diagnostics. If one of them is an error, the lock must not be used.
    public static func read(_ text: [UInt8], path: String) -> (lock: SuiteLock, diagnostics: [Diagnostic]) {
        var reader = LockReader()
        let file = reader.read(SourceFile(name: path, text: text))
        return (SuiteLock(file: file, path: path, nodes: reader.nodes), reader.diagnostics)
    }

    private init(file: LockFile, path: String, nodes: [LockKey: YAMLNode]) {
        self.file = file
        self.path = path
        self.nodes = nodes
        shapes = Dictionary(file.entries.map { ($0.key, $0.shapes) }) { first, _ in first }
    }

    /// Returns the locked shapes of a step, or nil if it has no entry.
    func shapes(of key: LockKey) -> [Int: ResponseShape]? { shapes[key] }

    /// Returns the location of an entry, such as `bookshop.lock.yaml:41`.
    func location(of key: LockKey) -> String {
        nodes[key].map { "\(path):\($0.range.start.line)" } ?? path
    }

    /// Returns the location in the file that a response differs from.
    func location(of difference: ResponseDifference, in key: LockKey) -> String {
        guard let entry = nodes[key], let responses = entry["responses"] else { return path }
        var steps: [String] = []
        switch difference {
        case .status: return "\(path):\(line(of: [], in: responses, of: entry, key: "responses"))"
        case .contentType(_, let status, _): steps = [String(status), "contentType"]
        case .lostHeader(_, let status), .newHeader(_, let status): steps = [String(status), "headers"]
        case .noJSON(let status, _): steps = [String(status), "body"]
        case .body(let difference, let status):
            steps = [String(status), "body"] + Self.keywords(of: difference.path)
        }
        return "\(path):\(line(of: steps, in: responses, of: entry, key: "responses"))"
    }

    /// Returns the line of the last key of a path, or of its nearest existing ancestor.
    private func line(of steps: [String], in root: YAMLNode, of parent: YAMLNode, key: String) -> Int32 {
        var node = root
        var line = parent.mapping?.keyNode(key)?.range.start.line ?? root.range.start.line
        for step in steps {
            guard let map = node.mapping, let key = map.keyNode(step), let value = map[step] else { break }
            line = key.range.start.line
            node = value
        }
        return line
    }

    /// Returns the path within a schema for a path within the values that it describes.
    private static func keywords(of path: ShapePath) -> [String] {
        path.steps.flatMap { step -> [String] in
            switch step {
            case .member(let name): ["properties", name]
            case .anyMember: ["additionalProperties"]
            case .element: ["items"]
            }
        }
    }
}

/// The identity of a lock entry, which combines the responses of all rows, repetitions and iterations of a step.
public struct LockKey: Sendable, Hashable {
    /// The index of the suite's document in its file, starting at 0.
    public var document: Int
    /// The name of the test as written. A second test with the same name has the suffix ` [2]`.
    public var test: String
    /// The name of the step or its request as written, after the names of the enclosing calls.
    ///
    /// Nil for a test that is a single exchange.
    public var step: String?

    /// Creates a key.
    public init(document: Int = 0, test: String, step: String? = nil) {
        self.document = document
        self.test = test
        self.step = step
    }

    /// The text for people: `order › POST /orders`.
    var title: String { step.map { "\(test) › \($0)" } ?? test }
}

/// The names of a suite's tests in a lock: as written, with the suffix ` [2]` for a second test with the same name.
struct LockLabels: Sendable {
    private let labels: [String]

    init(of suite: Suite) {
        var counts: [String: Int] = [:]
        labels = suite.tests.map { test in
            let count = counts[test.name, default: 0] + 1
            counts[test.name] = count
            return count == 1 ? test.name : "\(test.name) [\(count)]"
        }
    }

    /// Returns the name of a test.
    subscript(test: Int) -> String { labels[test] }

    /// The names of all tests, in suite order.
    var all: [String] { labels }
}
