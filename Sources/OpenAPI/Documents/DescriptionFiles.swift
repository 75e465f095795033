public import Diagnostics
import JSON
import Synchronization
import YAML

/// The files of one description, each read once, and what references lead to.
public final class DescriptionFiles: Sendable {
    /// Why a reference leads nowhere.
    public struct ReferenceProblem: Error, Sendable {
        /// What is wrong, as one sentence without a final full stop.
        public var message: String
        /// What to do.
        public var suggestion: String?
        /// Problems of the file that it leads to, with their places.
        public var causes: [Diagnostic] = []
    }

    private struct State {
        var files: [String: Result<DescriptionFile, ReferenceProblem>] = [:]
        var order: [DescriptionFile] = []
    }

    private let source: any DocumentSource
    private let state = Mutex(State())

    /// Creates an empty collection.
    init(source: any DocumentSource) {
        self.source = source
    }

    /// The files that were read, the description's own first.
    public var all: [DescriptionFile] { state.withLock { $0.order } }

    /// Puts a file in the place of what the source has at its location.
    func add(_ file: DescriptionFile) {
        state.withLock { state in
            if let position = state.order.firstIndex(where: { $0.location == file.location }) {
                state.order[position] = file
            } else {
                state.order.append(file)
            }
            state.files[file.location] = .success(file)
        }
    }

    /// The file at a location, read at its first use.
    func file(at location: String) throws(ReferenceProblem) -> DescriptionFile {
        if let known = state.withLock({ $0.files[location] }) { return try known.get() }
        let isRemote = location.hasPrefix("http://") || location.hasPrefix("https://")
        let reading: LocatedDocument.Reading =
            isRemote
            ? .problems([
                Diagnostic(
                    id: "unresolved-reference", message: "\"\(location)\" is not loaded from the network",
                    suggestion: "keep a copy of it beside the description, and refer to that")
            ]) : source.document(at: location)
        switch reading {
        case .document(let document):
            let file = DescriptionFile(location: location, document: document)
            add(file)
            return file
        case .problems(let problems):
            let problem = ReferenceProblem(
                message: problems.first?.message ?? "\"\(location)\" cannot be read",
                suggestion: problems.first?.suggestion, causes: problems.filter { $0.range != nil })
            state.withLock { $0.files[location] = .failure(problem) }
            throw problem
        }
    }

    /// What a reference leads to: a file, and a JSON Pointer in its fragment.
    ///
    /// - Parameter node: Where the reference stands; relative ones start from its file.
    /// - Throws: Why it leads nowhere.
    public func target(of reference: String, from node: DescriptionNode) throws(ReferenceProblem) -> DescriptionNode {
        let hash = reference.firstIndex(of: "#")
        let location = DocumentLocation.resolve(
            String(reference[..<(hash ?? reference.endIndex)]), against: node.file.location)
        let file = try location == node.file.location ? node.file : file(at: location)
        guard let hash else { return DescriptionNode(file: file, value: file.value) }
        let fragment = String(reference[reference.index(after: hash)...])
        if fragment.isEmpty { return DescriptionNode(file: file, value: file.value) }
        let pointer: JSONPointer
        do {
            pointer = try JSONPointer(uriFragment: fragment)
        } catch {
            guard !fragment.hasPrefix("/"), let found = Self.anchor(fragment, in: file) else {
                throw ReferenceProblem(message: "\"\(reference)\" is no reference: \(error.message)")
            }
            return found
        }
        if let value = pointer.evaluate(in: file.value) {
            return DescriptionNode(file: file, pointer: pointer, value: value)
        }
        throw ReferenceProblem(
            message: "\"\(reference)\" leads nowhere", suggestion: Self.suggestion(for: pointer, in: file.value))
    }

    /// What a node stands for: itself, or what its `$ref`, and that one's, lead to in the end.
    ///
    /// - Throws: Why a reference leads nowhere, or that it leads back to itself.
    public func resolve(_ node: DescriptionNode) throws(ReferenceProblem) -> DescriptionNode {
        guard var reference = node.reference else { return node }
        var current = node
        var seen: Set<DescriptionNode> = [node]
        while true {
            current = try target(of: reference, from: current)
            guard seen.insert(current).inserted else {
                throw ReferenceProblem(message: "\"\(reference)\" leads back to itself")
            }
            guard let next = current.reference else { return current }
            reference = next
        }
    }

    /// The schema that calls itself by a name (`$anchor`).
    private static func anchor(_ name: String, in file: DescriptionFile) -> DescriptionNode? {
        var pending = [DescriptionNode(file: file, value: file.value)]
        while let node = pending.popLast() {
            if node.value["$anchor"]?.stringValue == name { return node }
            pending += node.members
            pending += node.elements
        }
        return nil
    }

    private static func suggestion(for pointer: JSONPointer, in document: JSONValue) -> String? {
        var known = JSONPointer()
        for token in pointer.tokens {
            if known.appending(token).evaluate(in: document) != nil {
                known = known.appending(token)
                continue
            }
            let names = known.evaluate(in: document)?.objectValue.map { Array($0.keys) } ?? []
            if let nearest = Spelling.nearest(to: token, among: names) { return "did you mean \"\(nearest)\"?" }
            return names.isEmpty ? nil : "there is \(names.prefix(8).joined(separator: ", "))"
        }
        return nil
    }
}
