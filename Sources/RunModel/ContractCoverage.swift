/// The parts of an OpenAPI description that a run has exercised: operations, parameters, media types, and statuses.
///
/// Coverage only grows: recording an exchange or merging another coverage never removes anything.
public struct ContractCoverage: Sendable {
    /// A part of an OpenAPI description that an exchange can exercise.
    public struct Item: Sendable {
        /// The kind of a part.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// A method on a path.
            case operation
            /// A parameter of an operation.
            case parameter
            /// A media type of an operation's request body.
            case request
            /// A response status of an operation.
            case response
            /// A media type of a response.
            case responseContent = "response-content"

            /// The singular name of the kind.
            public var singular: String {
                switch self {
                case .operation: "operation"
                case .parameter: "parameter"
                case .request: "request media type"
                case .response: "response"
                case .responseContent: "response media type"
                }
            }

            /// The plural name of the kind.
            public var plural: String { singular + "s" }
        }

        /// The kind of the part.
        public var kind: Kind
        /// The operation, such as `GET /books/{id}`.
        public var operation: String
        /// The part of the operation: `query limit`, `application/json`, `200`, `200 application/json`; empty for the
        /// operation.
        public var name: String
        /// Whether an exchange has exercised the part.
        public var isCovered: Bool

        /// Creates an item.
        public init(kind: Kind, operation: String, name: String = "", isCovered: Bool = false) {
            self.kind = kind
            self.operation = operation
            self.name = name
            self.isCovered = isCovered
        }
    }

    /// A number of items, and the number of covered ones among them.
    public struct Share: Sendable, Hashable {
        /// The number of covered items.
        public var covered = 0
        /// The number of items.
        public var total = 0

        /// Creates a share.
        public init(covered: Int = 0, total: Int = 0) {
            self.covered = covered
            self.total = total
        }

        /// The covered share in percent; 100 if the number of items is zero.
        public var percent: Double { total == 0 ? 100 : Double(covered) * 100 / Double(total) }

        /// The percentage with one decimal, such as `64.2 %`. It is rounded down, so that only full coverage is `100.0
        /// %`.
        public var percentText: String {
            let tenths = total <= 0 ? 1_000 : Int(clamping: Int64(covered) * 1_000 / Int64(total))
            return "\(tenths / 10).\(tenths % 10)%"
        }
    }

    /// The path of the description, as passed by the user.
    public var description: String
    /// Everything that can be covered, in the order of the description.
    public var items: [Item]
    /// The undocumented parts of exchanges, in the order in which they were first seen, without duplicates.
    public private(set) var undocumented: [String] = []
    private var seen: Set<String> = []

    /// The maximum number of undocumented parts to keep.
    static let maximumUndocumented = 1_000

    /// Creates a coverage.
    public init(description: String, items: [Item], undocumented: [String] = []) {
        self.description = description
        self.items = items
        for text in undocumented { note(undocumented: text) }
    }

    /// Marks items as covered.
    ///
    /// - Parameter covered: The indices of the items.
    public mutating func record(covered: some Sequence<Int>) {
        for index in covered where items.indices.contains(index) && !items[index].isCovered {
            items[index].isCovered = true
        }
    }

    /// Records an undocumented part of an exchange.
    public mutating func note(undocumented text: String) {
        guard undocumented.count < Self.maximumUndocumented, seen.insert(text).inserted else { return }
        undocumented.append(text)
    }

    /// Transforms the strings that come from exchanges and not from the description, for example to mask secrets.
    public mutating func changeUndocumented(_ change: (inout String) -> Void) {
        let texts = undocumented
        undocumented = []
        seen = []
        for var text in texts {
            change(&text)
            note(undocumented: text)
        }
    }

    /// Merges the coverage of the same description from another run.
    ///
    /// Items that only the other coverage contains are appended.
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

    /// Merges coverages by description, in the order in which each description first occurs.
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

    /// Returns the coverage of one kind of item.
    public func share(of kind: Item.Kind) -> Share {
        items.reduce(into: Share()) { share, item in
            guard item.kind == kind else { return }
            share.total += 1
            if item.isCovered { share.covered += 1 }
        }
    }

    /// The coverage of all items: each operation, parameter, media type, and status counts once.
    public var total: Share { Share(covered: items.count { $0.isCovered }, total: items.count) }

    /// The items that are not covered, without the parts of operations that are themselves not covered.
    public var missed: [Item] {
        let missedOperations = Set(items.lazy.filter { $0.kind == .operation && !$0.isCovered }.map(\.operation))
        return items.filter { item in
            !item.isCovered && (item.kind == .operation || !missedOperations.contains(item.operation))
        }
    }
}
