/// What of a description was exercised: its operations, parameters, media types and statuses.
///
/// Coverage only grows: recording an exchange or adding another coverage never loses anything.
public struct ContractCoverage: Sendable {
    /// A part of a description that an exchange can be an instance of.
    public struct Item: Sendable {
        /// What kind of part it is.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// A method on a path.
            case operation
            /// A parameter of an operation.
            case parameter
            /// A media type of what an operation is sent.
            case request
            /// A status that an operation may answer.
            case response
            /// A media type of a response.
            case responseContent = "response-content"

            /// What one of them is called.
            public var singular: String {
                switch self {
                case .operation: "operation"
                case .parameter: "parameter"
                case .request: "request media type"
                case .response: "response"
                case .responseContent: "response media type"
                }
            }

            /// What several of them are called.
            public var plural: String { singular + "s" }
        }

        /// What kind of part it is.
        public var kind: Kind
        /// The operation: `GET /books/{id}`.
        public var operation: String
        /// Which of its parts: `query limit`, `application/json`, `200`, `200 application/json`; empty for the operation.
        public var name: String
        /// Whether an exchange was an instance of it.
        public var isCovered: Bool

        /// Creates an item.
        public init(kind: Kind, operation: String, name: String = "", isCovered: Bool = false) {
            self.kind = kind
            self.operation = operation
            self.name = name
            self.isCovered = isCovered
        }
    }

    /// How many of something there are, and how many of these are covered.
    public struct Share: Sendable, Hashable {
        /// Those that are covered.
        public var covered = 0
        /// All of them.
        public var total = 0

        /// Creates a share.
        public init(covered: Int = 0, total: Int = 0) {
            self.covered = covered
            self.total = total
        }

        /// The part that is covered, in per cent; 100 of nothing.
        public var percent: Double { total == 0 ? 100 : Double(covered) * 100 / Double(total) }

        /// The part that is covered with a decimal, `64.2 %`: rounded down, so that nothing but all is `100.0 %`.
        public var percentText: String {
            let tenths = total <= 0 ? 1_000 : Int(clamping: Int64(covered) * 1_000 / Int64(total))
            return "\(tenths / 10).\(tenths % 10) %"
        }
    }

    /// The description: its path as it was given.
    public var description: String
    /// Everything that can be covered, in the order of the description.
    public var items: [Item]
    /// What exchanges had that is not documented, in the order in which it was first seen, each once.
    public private(set) var undocumented: [String] = []
    private var seen: Set<String> = []

    /// How many undocumented things are kept.
    static let mostUndocumented = 1_000

    /// Creates a coverage.
    public init(description: String, items: [Item], undocumented: [String] = []) {
        self.description = description
        self.items = items
        for text in undocumented { note(undocumented: text) }
    }

    /// Notes that exchanges were instances of items.
    ///
    /// - Parameter covered: The indices of the items.
    public mutating func record(covered: some Sequence<Int>) {
        for index in covered where items.indices.contains(index) && !items[index].isCovered {
            items[index].isCovered = true
        }
    }

    /// Notes something that is not documented.
    public mutating func note(undocumented text: String) {
        guard undocumented.count < Self.mostUndocumented, seen.insert(text).inserted else { return }
        undocumented.append(text)
    }

    /// Changes the texts that come from exchanges and not from the description, such as to mask secrets in them.
    public mutating func changeUndocumented(_ change: (inout String) -> Void) {
        let texts = undocumented
        undocumented = []
        seen = []
        for var text in texts {
            change(&text)
            note(undocumented: text)
        }
    }

    /// Adds what another run covered of the same description; parts that this one does not have are added at the end.
    public mutating func merge(_ other: ContractCoverage) {
        var positions: [[String]: Int] = [:]
        for (index, item) in items.enumerated() { positions[Self.key(item)] = index }
        for item in other.items {
            if let index = positions[Self.key(item)] {
                if item.isCovered { items[index].isCovered = true }
            } else {
                positions[Self.key(item)] = items.count
                items.append(item)
            }
        }
        for text in other.undocumented { note(undocumented: text) }
    }

    /// Coverages with those of one description added up, in the order in which descriptions come first.
    public static func merged(_ coverages: some Sequence<ContractCoverage>) -> [ContractCoverage] {
        var result: [ContractCoverage] = []
        var positions: [String: Int] = [:]
        for coverage in coverages {
            if let position = positions[coverage.description] {
                result[position].merge(coverage)
            } else {
                positions[coverage.description] = result.count
                result.append(coverage)
            }
        }
        return result
    }

    private static func key(_ item: Item) -> [String] { [item.kind.rawValue, item.operation, item.name] }

    /// How much of one kind is covered.
    public func share(of kind: Item.Kind) -> Share {
        items.reduce(into: Share()) { share, item in
            guard item.kind == kind else { return }
            share.total += 1
            if item.isCovered { share.covered += 1 }
        }
    }

    /// How much of everything is covered: each operation, parameter, media type and status counts once.
    public var total: Share { Share(covered: items.count { $0.isCovered }, total: items.count) }

    /// What is not covered, without the parts of operations that are not covered at all.
    public var missed: [Item] {
        let missedOperations = Set(items.lazy.filter { $0.kind == .operation && !$0.isCovered }.map(\.operation))
        return items.filter { item in
            !item.isCovered && (item.kind == .operation || !missedOperations.contains(item.operation))
        }
    }
}
