import Basics
public import Diagnostics
public import OpenAPI

/// A selection of operations whose changes are reported, by path prefix, `operationId`, or method and path.
public struct SelectedOperations: Sendable {
    /// A name that neither description contains.
    public struct Unknown: Sendable {
        /// The name as the user wrote it.
        public var name: String
        /// The most similar known name, if any.
        public var suggestion: String?
    }

    private let isEverything: Bool
    private let prefixes: [String]
    /// The titles of the selected operations in both descriptions. ``paths`` has the paths with a selected operation.
    private var titles: Set<String> = []
    private var paths: Set<String> = []
    private var others: [DescriptionNode] = []
    /// The names that neither description contains.
    public private(set) var unknown: [Unknown] = []

    /// Selects operations. Without prefixes and names, the selection includes everything.
    ///
    /// - Parameters:
    ///   - prefixes: The path prefixes.
    ///   - names: The names in either description: `operationId`s, `GET /books/{id}`, or `webhook newBook`.
    ///   - old: The old description.
    ///   - new: The new description.
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
            // An operation is selected under both names if its path is named differently in the other description.
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

    /// Returns whether a change affects a selected operation or a path that has one.
    public func contains(_ change: Change) -> Bool {
        if isEverything { return true }
        guard let operation = change.operation else { return false }
        return titles.contains(operation) || paths.contains(operation)
    }

    /// Returns the locations that belong to unselected operations.
    public func excluded(_ ranges: [SourceRange]) -> Set<SourceRange> {
        guard !ranges.isEmpty, !others.isEmpty else { return [] }
        let operations = others.compactMap(\.range)
        return Set(
            ranges.filter { range in
                operations.contains { $0.file == range.file && $0.start <= range.start && range.end <= $0.end }
            })
    }
}
