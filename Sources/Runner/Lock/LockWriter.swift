public import Expectations
import JSON
import SuiteModel

extension LockFile {
    /// The text of the file: YAML that people can review.
    ///
    /// - Parameter suite: The name of the suite's file.
    public func text(ofSuite suite: String) -> String {
        var writer = LockWriter()
        writer.write(self, suite: suite)
        return writer.text
    }
}

/// Writes lock files: maps and lists on lines of their own, short ones on one line, names quoted only where they must be.
private struct LockWriter {
    /// The longest line that a map or list is written on as a whole.
    private static let width = 100

    private(set) var text = ""

    mutating func write(_ file: LockFile, suite: String) {
        // A name is no part of what is compared, so control characters and line breaks in it are left out.
        let name = String(suite.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
        text = """
            # The shapes of the responses to \(name): for each test and step the statuses, content types, names of
            # header fields, and a JSON Schema of the body. `apitest --locked` holds later runs to them.
            # Written by `apitest lock`, to be reviewed and committed; `apitest lock --update` merges changes into it.
            lock: \(LockFile.version)

            """
        if file.entries.isEmpty {
            text += "tests: []\n"
            return
        }
        text += "tests:\n"
        for entry in file.entries { write(entry) }
    }

    private mutating func write(_ entry: LockFile.Entry) {
        text += "  - test: \(Self.scalar(entry.key.test))\n"
        if let step = entry.key.step { text += "    step: \(Self.scalar(step))\n" }
        if entry.key.document > 0 { text += "    document: \(entry.key.document + 1)\n" }
        text += "    responses:\n"
        for (status, shape) in entry.shapes.sorted(by: { $0.key < $1.key }) {
            text += "      \(status):\n"
            write(Self.value(of: shape), indentation: 8)
        }
    }

    /// The members of a response as they are written.
    private static func value(of shape: ResponseShape) -> JSONObject {
        var object = JSONObject()
        let types = shape.contentTypes.sorted().map { JSONValue.string($0) }
        object.append("contentType", types.count == 1 ? types[0] : .array(types))
        for (key, isRequired) in [("headers", true), ("optionalHeaders", false)] {
            let names = shape.headers.filter { $0.value == isRequired }.keys.sorted()
            if !names.isEmpty { object.append(key, .array(names.map { .string($0) })) }
        }
        if let body = shape.body { object.append("body", body.schema) }
        return object
    }

    /// Writes the members of a map, each on a line of its own.
    ///
    /// The depth of shapes is bounded, and with it this recursion.
    private mutating func write(_ object: JSONObject, indentation: Int) {
        let margin = String(repeating: " ", count: indentation)
        for (name, value) in object {
            let key = "\(margin)\(Self.scalar(name)):"
            // A line for each property, so that a change is seen for itself.
            let isOpen = name == "properties" && value.objectValue?.isEmpty == false
            if !isOpen, let flow = Self.flow(value, room: Self.width - key.utf8.count - 1) {
                text += "\(key) \(flow)\n"
                continue
            }
            text += key + "\n"
            switch value {
            case .object(let object): write(object, indentation: indentation + 2)
            case .array(let elements):
                for element in elements { text += "\(margin)  - \(Self.flow(element, room: .max) ?? "null")\n" }
            case .null, .bool, .number, .string: break
            }
        }
    }

    /// A value on one line, or nil when it takes too much room, or has members to be read one by one.
    private static func flow(_ value: JSONValue, room: Int) -> String? {
        switch value {
        case .null: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .number(let number): return number.literal
        case .string(let text): return scalar(text)
        case .array(let elements):
            var parts: [String] = []
            var length = 2
            for element in elements {
                guard let part = flow(element, room: room) else { return nil }
                length += part.utf8.count + 2
                if length > room { return nil }
                parts.append(part)
            }
            return "[\(parts.joined(separator: ", "))]"
        case .object(let object):
            if object.isEmpty { return "{}" }
            if object.contains("properties") || object.contains("body") || object.contains("items") { return nil }
            var parts: [String] = []
            var length = 4
            for (name, value) in object {
                guard let part = flow(value, room: room) else { return nil }
                parts.append("\(scalar(name)): \(part)")
                length += name.utf8.count + part.utf8.count + 4
                if length > room { return nil }
            }
            return "{ \(parts.joined(separator: ", ")) }"
        }
    }

    // MARK: Scalars

    /// Words that a reader of YAML may take for another type than a string.
    private static let reserved: Set<String> = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]

    /// A text as a scalar: plain where no reader takes it for anything else, otherwise in quotation marks.
    static func scalar(_ text: String) -> String {
        isPlain(text) ? text : quoted(text)
    }

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last, text.utf8.count <= 200 else { return false }
        let isLetter = { (byte: UInt8) in (byte | 0x20) &- UInt8(ascii: "a") <= 25 }
        guard isLetter(first) || first == UInt8(ascii: "_") || first == UInt8(ascii: "/"), last != 0x20 else {
            return false
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "$"), UInt8(ascii: " "), UInt8(ascii: "("),
                UInt8(ascii: ")"), UInt8(ascii: "'"):
                continue
            default: return false
            }
        }
        return !reserved.contains(text.lowercased())
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: result += "\\\""
            case 0x5C: result += "\\\\"
            case 0x0A: result += "\\n"
            case 0x09: result += "\\t"
            case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
                0xFFF0...0xFFFF:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// What a lock file says: for each step of a suite file the shapes of its responses, by status.
public struct LockFile: Sendable {
    /// The shapes of the responses at one step.
    public struct Entry: Sendable, Hashable {
        /// Whose responses they are.
        public var key: LockKey
        /// The shapes by status.
        public var shapes: [Int: ResponseShape]

        /// Creates an entry.
        public init(key: LockKey, shapes: [Int: ResponseShape]) {
            self.key = key
            self.shapes = shapes
        }
    }

    /// The version of the format that is written and read.
    static let version = 1

    /// The entries, in the order of the file.
    public var entries: [Entry]

    /// Creates the contents of a file.
    public init(entries: [Entry] = []) {
        self.entries = entries
    }

    /// The path of the lock beside a suite file: `bookshop.lock.yaml` for `bookshop.yaml`.
    public static func path(ofSuite path: String) -> String {
        for ending in [".yaml", ".yml"] where path.hasSuffix(ending) {
            return path.dropLast(ending.count) + ".lock" + ending
        }
        return path + ".lock.yaml"
    }
}

/// The order of the entries of a suite: that of its tests and steps, and what a fragment adds by its name.
struct LockOrder {
    private let tests: [String: Int]
    private let steps: [String: [String: Int]]

    init(of suite: Suite) {
        let labels = LockLabels(of: suite)
        tests = Dictionary(labels.all.enumerated().map { ($1, $0) }) { first, _ in first }
        var steps: [String: [String: Int]] = [:]
        for (index, test) in suite.tests.enumerated() where test.hasSteps {
            for (position, step) in test.steps.enumerated() {
                let name = StepSequence.name(of: step, in: test)
                if steps[labels[index]]?[name] == nil { steps[labels[index], default: [:]][name] = position }
            }
        }
        self.steps = steps
    }

    /// Whether the key is that of a test of the suite.
    func contains(_ key: LockKey) -> Bool { tests[key.test] != nil }

    /// Whether one entry comes before another of the same suite.
    func precedes(_ first: LockKey, _ second: LockKey) -> Bool {
        let ranks = (tests[first.test] ?? .max, tests[second.test] ?? .max)
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
        if first.test != second.test { return first.test < second.test }
        let positions = (position(of: first), position(of: second))
        if positions.0 != positions.1 { return positions.0 < positions.1 }
        return (first.step ?? "") < (second.step ?? "")
    }

    /// The place of a step in its test; that of the call for the steps of a fragment.
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
