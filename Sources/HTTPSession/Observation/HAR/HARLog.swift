public import JSON

/// A HAR 1.2 file: exchanges for browser developer tools, proxies and load tests.
public struct HARLog: Sendable, Hashable {
    /// The program that created a HAR file.
    public struct Creator: Sendable, Hashable, Codable {
        /// The name of the program.
        public var name: String
        /// The version of the program.
        public var version: String

        /// Creates a creator; by default, this library.
        public init(name: String = "HTTPSession", version: String = "0.1.0") {
            self.name = name
            self.version = version
        }
    }

    /// The program that created the file.
    public var creator: Creator
    /// The exchanges, oldest first.
    public var entries: [HAREntry]
    /// A note.
    public var comment: String?

    /// The version of the HAR format.
    public static let version = "1.2"

    /// Creates a log.
    public init(creator: Creator = .init(), entries: [HAREntry] = [], comment: String? = nil) {
        self.creator = creator
        self.entries = entries
        self.comment = comment
    }

    /// Creates a log of a response and of the redirects that led to it.
    public init(_ response: Response, options: HAROptions = .init()) {
        self.init(entries: HAREntry.entries(of: response, options: options))
    }

    /// The log as a JSON value.
    public var json: JSONValue {
        var log: JSONObject = [
            "version": .string(Self.version),
            "creator": ["name": .string(creator.name), "version": .string(creator.version)],
            "pages": [], "entries": .array(entries.map(\.json)),
        ]
        if let comment { log["comment"] = .string(comment) }
        return ["log": .object(log)]
    }

    /// Returns the log as JSON text in UTF-8.
    public func serialized(_ format: JSONFormat = .compact) -> [UInt8] { json.serializedBytes(format) }
}

extension HARLog: Codable {
    private enum FileKeys: String, CodingKey {
        case log
    }

    private enum LogKeys: String, CodingKey {
        case version, creator, pages, entries, comment
    }

    /// Creates a log from a HAR file.
    public init(from decoder: any Decoder) throws {
        let log = try decoder.container(keyedBy: FileKeys.self).nestedContainer(keyedBy: LogKeys.self, forKey: .log)
        creator = try log.decode(Creator.self, forKey: .creator)
        entries = try log.decode([HAREntry].self, forKey: .entries)
        comment = try log.decodeIfPresent(String.self, forKey: .comment)
    }

    /// Encodes the log as a HAR file.
    public func encode(to encoder: any Encoder) throws {
        var file = encoder.container(keyedBy: FileKeys.self)
        var log = file.nestedContainer(keyedBy: LogKeys.self, forKey: .log)
        try log.encode(Self.version, forKey: .version)
        try log.encode(creator, forKey: .creator)
        try log.encode([String](), forKey: .pages)
        try log.encode(entries, forKey: .entries)
        try log.encodeIfPresent(comment, forKey: .comment)
    }
}
