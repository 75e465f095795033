import Basics
public import Diagnostics
public import OpenAPI

/// The operations whose changes are asked for: by the beginning of their paths, by `operationId`, or by method and path.
public struct SelectedOperations: Sendable {
    /// A name that neither description knows.
    public struct Unknown: Sendable {
        /// The name as it was given.
        public var name: String
        /// A name that may have been meant.
        public var suggestion: String?
    }

    private let isEverything: Bool
    private let prefixes: [String]
    /// Titles of operations, in both descriptions; paths of which an operation was chosen.
    private var titles: Set<String> = []
    private var paths: Set<String> = []
    private var others: [DescriptionNode] = []
    /// The names that neither description knows.
    public private(set) var unknown: [Unknown] = []

    /// Selects operations; all and the whole description where nothing is named.
    ///
    /// - Parameters:
    ///   - prefixes: Beginnings of paths.
    ///   - names: `operationId`s, `GET /books/{id}`, or `webhook newBook`, in either description.
    public init(
        prefixes: [String], names: [String], in old: OpenAPIDescription, _ new: OpenAPIDescription
    ) {
        self.prefixes = prefixes
        isEverything = prefixes.isEmpty && names.isEmpty
        guard !isEverything else { return }
        let operations = (old.paths + new.paths).flatMap(\.operations)
        var shapes: Set<String> = []
        let webhooks = Set((old.webhooks + new.webhooks).map { "webhook \($0.path)" })
        for name in names where webhooks.contains(name) { titles.insert(name) }
        for name in names where !webhooks.contains(name) {
            let found = operations.filter { $0.id == name || $0.title.lowercased() == name.lowercased() }
            shapes.formUnion(found.map(Self.shape))
            if found.isEmpty {
                let known = operations.compactMap(\.id) + operations.map(\.title)
                unknown.append(Unknown(name: name, suggestion: Spelling.nearest(to: name, among: known)))
            }
        }
        for prefix in prefixes where !(old.paths + new.paths).contains(where: { $0.path.hasPrefix(prefix) }) {
            unknown.append(
                Unknown(name: prefix, suggestion: Spelling.nearest(to: prefix, among: operations.map(\.path))))
        }
        for operation in operations {
            // The same operation counts under the name that its path has in the other description, too.
            if shapes.contains(Self.shape(operation)) || hasPrefix(operation.path) {
                titles.insert(operation.title)
                paths.insert(operation.path)
            } else {
                others.append(operation.node)
            }
        }
    }

    private static func shape(_ operation: Operation) -> String { "\(operation.method) \(operation.template.shape)" }

    private func hasPrefix(_ path: String) -> Bool { prefixes.contains { path.hasPrefix($0) } }

    /// Whether a change is one of a selected operation, or of all operations of its path.
    public func contains(_ change: Change) -> Bool {
        if isEverything { return true }
        guard let operation = change.operation else { return false }
        return titles.contains(operation) || paths.contains(operation)
    }

    /// The places among some that belong to operations that are not selected.
    public func excluded(_ ranges: [SourceRange]) -> Set<SourceRange> {
        guard !ranges.isEmpty, !others.isEmpty else { return [] }
        let operations = others.compactMap(\.range)
        return Set(
            ranges.filter { range in
                operations.contains { $0.file == range.file && $0.start <= range.start && range.end <= $0.end }
            })
    }
}
