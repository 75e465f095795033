public import Expectations
import JSON
import SuiteModel
import YAML

extension LockFile {
    /// Returns the text of the file, formatted as YAML for review.
    ///
    /// - Parameter suite: The name of the suite's file.
    public func text(ofSuite suite: String) -> String {
        // The name is not part of what is compared, so control characters and line breaks in it can be removed.
        let name = String(suite.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
        var writer = YAMLWriter(Self.style)
        writer.write(
            verbatim: """
                # The shapes of the responses to \(name): for each test and step the statuses, content types, names of
                # header fields, and a JSON Schema of the body. `apitest --locked` holds later runs to them.
                # Written by `apitest lock`, to be reviewed and committed; `apitest lock --update` merges changes into it.
                lock: \(Self.version)

                """)
        writer.writeEntry(.plain("tests"), .sequence(entries.map(\.output)), indentation: 0)
        return writer.text
    }

    /// The style of the file: block collections, except for short ones, and quotes around everything but words.
    private static let style = {
        var style = YAMLWriter.Style()
        style.width = 98
        style.quoting = .butWords
        style.hasLiterals = false
        style.hasShortElements = { $0 > 2 }
        // One line per property, so that a diff shows each change separately.
        style.isOpen = { key, _ in key == "properties" }
        style.isAlwaysOpen = { entries in
            entries.contains { entry in
                guard case .text(let key) = entry.key else { return true }
                return ["contentType", "body", "properties", "items"].contains(key)
            }
        }
        return style
    }()
}

extension LockFile.Entry {
    /// The entry in the form in which it is written.
    fileprivate var output: YAMLOutput {
        var members: [(key: YAMLOutput, value: YAMLOutput)] = [(.plain("test"), .text(key.test))]
        if let step = key.step { members.append((.plain("step"), .text(step))) }
        if key.document > 0 { members.append((.plain("document"), .plain("\(key.document + 1)"))) }
        let responses = shapes.sorted { $0.key < $1.key }.map { status, shape in
            (key: YAMLOutput.plain("\(status)"), value: YAMLOutput(.object(shape.members)))
        }
        members.append((.plain("responses"), .mapping(responses)))
        return .mapping(members)
    }
}

extension ResponseShape {
    /// The members of a response in the form in which they are written.
    fileprivate var members: JSONObject {
        var object = JSONObject()
        let types = contentTypes.sorted().map { JSONValue.string($0) }
        object.append("contentType", types.count == 1 ? types[0] : .array(types))
        for (key, isRequired) in [("headers", true), ("optionalHeaders", false)] {
            let names = headers.filter { $0.value == isRequired }.keys.sorted()
            if !names.isEmpty { object.append(key, .array(names.map { .string($0) })) }
        }
        if let body { object.append("body", body.schema) }
        return object
    }
}

/// The contents of a response lock: the response shapes of each step of a suite file, by status.
public struct LockFile: Sendable {
    /// The shapes of the responses of one step.
    public struct Entry: Sendable, Hashable {
        /// The key of the step.
        public var key: LockKey
        /// The shapes, by status.
        public var shapes: [Int: ResponseShape]

        /// Creates an entry.
        public init(key: LockKey, shapes: [Int: ResponseShape]) {
            self.key = key
            self.shapes = shapes
        }
    }

    /// The version of the file format.
    static let version = 1

    /// The entries, in the order of the file.
    public var entries: [Entry]

    /// Creates the contents of a file.
    public init(entries: [Entry] = []) {
        self.entries = entries
    }

    /// Returns the path of the response lock of a suite file: `bookshop.lock.yaml` for `bookshop.yaml`.
    public static func path(ofSuite path: String) -> String {
        for ending in [".yaml", ".yml"] where path.hasSuffix(ending) {
            return path.dropLast(ending.count) + ".lock" + ending
        }
        return path + ".lock.yaml"
    }
}

/// The order of the entries of a suite.
///
/// Entries follow the order of the tests and steps. The steps of a fragment are ordered by name.
struct LockOrder {
    private let tests: [String: Int]
    private let steps: [String: [String: Int]]

    init(of suite: Suite) {
        let labels = LockLabels(of: suite)
        tests = Dictionary(labels.all.enumerated().map { ($1, $0) }) { first, _ in first }
        var steps: [String: [String: Int]] = [:]
        for (index, test) in suite.tests.enumerated() where test.hasSteps {
            for (position, step) in test.steps.enumerated() {
                let name = step.name(in: test)
                if steps[labels[index]]?[name] == nil { steps[labels[index], default: [:]][name] = position }
            }
        }
        self.steps = steps
    }

    /// Returns whether the key belongs to a test of the suite.
    func contains(_ key: LockKey) -> Bool { tests[key.test] != nil }

    /// Returns whether one entry precedes another entry of the same suite.
    func precedes(_ first: LockKey, _ second: LockKey) -> Bool {
        let ranks = (tests[first.test] ?? .max, tests[second.test] ?? .max)
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
        if first.test != second.test { return first.test < second.test }
        let positions = (position(of: first), position(of: second))
        if positions.0 != positions.1 { return positions.0 < positions.1 }
        return (first.step ?? "") < (second.step ?? "")
    }

    /// Returns the position of a step in its test. For a step of a fragment, this is the position of the call.
    private func position(of key: LockKey) -> Int {
        guard let step = key.step, let known = steps[key.test] else { return -1 }
        if let position = known[step] { return position }
        var name = ""
        for (index, part) in step.split(separator: " › ").enumerated() {
            name += index == 0 ? String(part) : " › \(part)"
            if let position = known[name] { return position }
        }
        return .max
    }
}
