public import Diagnostics
import Expectations
import SuiteModel
import YAML

/// A lock file that was read: its contents, and the line of each part.
public struct SuiteLock: Sendable {
    /// The contents.
    public let file: LockFile
    /// The path that people are shown.
    public let path: String
    private let shapes: [LockKey: [Int: ResponseShape]]
    private let nodes: [LockKey: YAMLNode]

    /// Reads the text of a file.
    ///
    /// - Returns: The lock, and every problem; with an error among them, the lock is not to be used.
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

    /// The shapes that are locked for a step, or nil when it has no entry.
    func shapes(of key: LockKey) -> [Int: ResponseShape]? { shapes[key] }

    /// The place of an entry, as `bookshop.lock.yaml:41`.
    func place(of key: LockKey) -> String {
        nodes[key].map { "\(path):\($0.range.start.line)" } ?? path
    }

    /// The place in the file of what a response differs from.
    func place(of difference: ResponseDifference, in key: LockKey) -> String {
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

    /// The line of the key that a path ends with, or of the last one above it that there is.
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

    /// The way through a schema to a place of values.
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

/// Whose responses an entry of a lock describes: those of all rows, rounds and iterations of a step.
public struct LockKey: Sendable, Hashable {
    /// The index of the suite's document in its file, from 0.
    public var document: Int
    /// The test's name as it is written; the second of a name has ` [2]` behind it.
    public var test: String
    /// The step's name, or its request as it is written, behind the calls that lead to it; nil for a test that is a single
    /// exchange.
    public var step: String?

    /// Creates a key.
    public init(document: Int = 0, test: String, step: String? = nil) {
        self.document = document
        self.test = test
        self.step = step
    }

    /// What people are shown: `order › POST /orders`.
    var title: String { step.map { "\(test) › \($0)" } ?? test }
}

/// What the tests of a suite are called in a lock: their names as written, the second of a name with ` [2]`.
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

    /// What a test is called.
    subscript(test: Int) -> String { labels[test] }

    /// All of them, in the order of the suite.
    var all: [String] { labels }
}
