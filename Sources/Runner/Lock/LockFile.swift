public import Expectations

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
