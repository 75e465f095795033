public import Basics
public import Diagnostics
import JSON
import Synchronization
public import YAML

/// The files of a description, each read once, with the resolution of references.
public final class DescriptionFiles: Sendable {
    /// An error that prevents the resolution of a reference.
    public struct ReferenceProblem: Error, Sendable {
        /// The message, in one sentence without a period.
        public var message: MessageText
        /// The suggested correction.
        public var suggestion: MessageText?
        /// The problems of the referenced file, with their locations.
        public var causes: [Diagnostic] = []
    }

    private struct State {
        var files: [String: Result<DescriptionFile, ReferenceProblem>] = [:]
        var order: [DescriptionFile] = []
        /// The files that have their own URI or contain schemas with one.
        var named: [DescriptionFile] = []
        /// The files that replace URIs, in order of use.
        var standIns: [(uri: String, location: String)] = []
        /// The remaining number of name comparisons for suggestions, which limits the cost of thousands of errors.
        var comparisons = 200
    }

    /// The maximum length of a chain of references.
    static let maximumChainLength = 100

    private let source: any DocumentSource
    private let state = Mutex(State())

    /// Creates an empty collection.
    init(source: any DocumentSource) {
        self.source = source
    }

    /// The files that were read, starting with the description's main file.
    public var all: [DescriptionFile] { state.withLock { $0.order } }

    /// Adds a file, which replaces the document that the source has at its location.
    func add(_ file: DescriptionFile) {
        state.withLock { state in
            if let position = state.order.firstIndex(where: { $0.location == file.location }) {
                let previous = state.order[position]
                state.order[position] = file
                state.named.removeAll { $0 == previous }
            } else {
                state.order.append(file)
            }
            if file.selfURI != nil || file.mayNameSchemas { state.named.append(file) }
            state.files[file.location] = .success(file)
        }
    }

    /// Returns the file at a location, which is read on first use.
    func file(at location: String) throws(ReferenceProblem) -> DescriptionFile {
        if let known = state.withLock({ $0.files[location] }) { return try known.get() }
        switch source.document(at: location) {
        case .document(let document):
            let file = DescriptionFile(location: location, document: document)
            add(file)
            return file
        case .problems(let problems):
            let problem = ReferenceProblem(
                message: problems.first?.wording ?? "\"\(location)\" cannot be read",
                suggestion: problems.first?.suggestionWording, causes: problems.filter { $0.range != nil })
            state.withLock { $0.files[location] = .failure(problem) }
            throw problem
        }
    }

    /// Returns the file that the schema compiler identifies by a URI, which is read on first use.
    ///
    /// The compiler resolves the references in a file that replaces a URI against that URI.
    func file(ofURI uri: String) throws(ReferenceProblem) -> DescriptionFile {
        let location = DescriptionURI.location(of: uri)
        guard DocumentLocation.isRemote(location) else { return try file(at: location) }
        if let own = state.withLock({ $0.named.first { $0.selfURI == location } }) { return own }
        do {
            return try file(at: try standIn(for: location))
        } catch {
            let others = state.withLock { $0.standIns }
            for other in others {
                if let beside = Self.location(of: location, beside: other.uri, at: other.location),
                    let file = try? file(at: beside)
                {
                    return file
                }
            }
            throw error
        }
    }

    /// Returns the location of the file that replaces a URI.
    private func standIn(for uri: String) throws(ReferenceProblem) -> String {
        if let location = source.location(ofURI: uri) {
            state.withLock { state in
                if !state.standIns.contains(where: { $0.uri == uri }) { state.standIns.append((uri, location)) }
            }
            return location
        }
        let near = state.withLock { $0.named }.lazy.compactMap { file in
            file.selfURI.flatMap { Self.location(of: uri, beside: $0, at: file.location) }
        }.first
        guard let near else {
            throw ReferenceProblem(
                message: "\"\(uri)\" is not loaded from the network",
                suggestion: "save a copy and name it under \"schemas\" in the suite or with --schema \(uri)=FILE")
        }
        return near
    }

    // MARK: References

    /// Returns the target of a reference: a file, or the part of it in the fragment, as a JSON Pointer or a schema
    /// name.
    ///
    /// The pointer may pass through other references.
    ///
    /// - Parameters:
    ///   - reference: The reference.
    ///   - node: The node with the reference. A relative reference resolves against its file.
    /// - Throws: ``ReferenceProblem`` if the reference has no target.
    public func target(of reference: String, from node: DescriptionNode) throws(ReferenceProblem) -> DescriptionNode {
        var steps = 0
        return try target(of: reference, from: node, steps: &steps)
    }

    /// Returns the node itself, or the final target of its `$ref`.
    ///
    /// - Throws: ``ReferenceProblem`` if a reference has no target or is circular.
    public func resolve(_ node: DescriptionNode) throws(ReferenceProblem) -> DescriptionNode {
        guard node.reference != nil else { return node }
        var steps = 0
        return try resolve(node, steps: &steps)
    }

    private func resolve(_ node: DescriptionNode, steps: inout Int) throws(ReferenceProblem) -> DescriptionNode {
        var current = node
        var seen: Set<DescriptionNode> = [node]
        while let reference = current.reference {
            current = try target(of: reference, from: current, steps: &steps)
            guard seen.insert(current).inserted else {
                throw ReferenceProblem(message: "\"\(node.reference ?? reference)\" is a circular reference")
            }
        }
        return current
    }

    private func target(
        of reference: String, from node: DescriptionNode, steps: inout Int
    ) throws(ReferenceProblem) -> DescriptionNode {
        steps += 1
        guard steps <= Self.maximumChainLength else {
            throw ReferenceProblem(
                message: "\"\(reference)\" passes through more than \(Self.maximumChainLength) other references")
        }
        let hash = reference.firstIndex(of: "#")
        let resource = String(reference[..<(hash ?? reference.endIndex)])
        var fragment = hash.map { String(reference[reference.index(after: $0)...]) } ?? ""
        // An invalid percent-encoding and other characters that a URI must not contain are used literally.
        if !fragment.isEmpty, !fragment.hasPrefix("/") { fragment = PercentEncoding.decode(fragment) }
        let start = try root(of: resource, from: node)
        if fragment.isEmpty { return start }
        guard fragment.hasPrefix("/") else { return try anchor(fragment, in: start, reference) }
        let pointer: JSONPointer
        do {
            pointer = try JSONPointer(uriFragment: fragment)
        } catch {
            throw ReferenceProblem(message: "\"\(reference)\" is not a valid reference: \(error.wording)")
        }
        if let found = Self.descend(from: start, by: pointer.tokens) { return found }
        if !start.pointer.tokens.isEmpty {
            // A schema with `$id` is a separate document, but references in it are often meant for the file.
            let root = DescriptionNode(file: start.file, value: start.file.value)
            if let found = Self.descend(from: root, by: pointer.tokens) { return found }
        }
        if let moved = start.file.convertedPointer(pointer), let value = moved.evaluate(in: start.file.value) {
            return DescriptionNode(file: start.file, pointer: moved, value: value)
        }
        if let found = try descendThroughReferences(from: start, by: pointer.tokens, steps: &steps) { return found }
        throw ReferenceProblem(
            message: "\"\(reference)\" cannot be resolved",
            suggestion: suggestion(for: pointer, in: start.file.value))
    }

    private static func descend(from start: DescriptionNode, by tokens: [String]) -> DescriptionNode? {
        let relative = JSONPointer(tokens: tokens)
        guard let value = relative.evaluate(in: start.value) else { return nil }
        return DescriptionNode(
            file: start.file, pointer: JSONPointer(tokens: start.pointer.tokens + tokens), value: value)
    }

    private func descendThroughReferences(
        from start: DescriptionNode, by tokens: [String], steps: inout Int
    ) throws(ReferenceProblem) -> DescriptionNode? {
        var node = start
        for token in tokens {
            var next = Self.descend(from: node, by: [token])
            if next == nil, node.reference != nil {
                next = Self.descend(from: try resolve(node, steps: &steps), by: [token])
            }
            guard let next else { return nil }
            node = next
        }
        return node
    }

    /// Returns the target of a reference without its fragment: a file, or a schema with `$id`.
    private func root(of resource: String, from node: DescriptionNode) throws(ReferenceProblem) -> DescriptionNode {
        let own = node.file
        let base = own.mayNameSchemas ? own.schemaNames.base(of: node.pointer) : nil
        if resource.isEmpty {
            guard let base,
                let found = Self.descend(from: DescriptionNode(file: own, value: own.value), by: base.pointer.tokens)
            else { return DescriptionNode(file: own, value: own.value) }
            return found
        }
        let names = [base?.uri, own.selfURI].compactMap { $0 }.map { DocumentLocation.resolve(resource, against: $0) }
        for name in names + [resource] {
            if let found = schema(named: name, from: own) { return found }
        }
        var location = DocumentLocation.resolve(resource, against: own.location)
        if DocumentLocation.isRemote(location) { location = try standIn(for: location) }
        let file = location == own.location ? own : try file(at: location)
        return DescriptionNode(file: file, value: file.value)
    }

    /// Returns the file or schema with its own URI.
    private func schema(named uri: String, from own: DescriptionFile) -> DescriptionNode? {
        for file in [own] + state.withLock({ $0.named }) {
            if file.selfURI == uri { return DescriptionNode(file: file, value: file.value) }
            if file.mayNameSchemas, let pointer = file.schemaNames.resources[uri],
                let value = pointer.evaluate(in: file.value)
            {
                return DescriptionNode(file: file, pointer: pointer, value: value)
            }
        }
        return nil
    }

    /// Returns the location of a file by its URI, if a known file has a URI in the same directory.
    private static func location(of uri: String, beside own: String, at location: String) -> String? {
        guard let slash = own.lastIndex(of: "/"), uri.hasPrefix(own[...slash]) else { return nil }
        return DocumentLocation.resolve(String(uri.dropFirst(own[...slash].count)), against: location)
    }

    /// Returns the schema with its own name (`$anchor`).
    private func anchor(
        _ name: String, in start: DescriptionNode, _ reference: String
    ) throws(ReferenceProblem) -> DescriptionNode {
        let names = start.file.schemaNames
        let base = names.base(of: start.pointer)?.uri ?? start.file.selfURI ?? ""
        if let pointer = names.anchors["\(base)#\(name)"], let value = pointer.evaluate(in: start.file.value) {
            return DescriptionNode(file: start.file, pointer: pointer, value: value)
        }
        throw ReferenceProblem(
            message: "\"\(reference)\" cannot be resolved: no schema there has the $anchor \"\(name)\"",
            suggestion: "a JSON Pointer in a fragment must start with a slash: #/components/schemas/…")
    }

    private func suggestion(for pointer: JSONPointer, in document: JSONValue) -> MessageText? {
        let isWanted = state.withLock { state in
            state.comparisons -= 1
            return state.comparisons >= 0
        }
        guard isWanted else { return nil }
        var known = document
        for (position, token) in pointer.tokens.enumerated() {
            if let next = JSONPointer(tokens: [token]).evaluate(in: known) {
                known = next
                continue
            }
            guard let names = known.objectValue?.keys else { return nil }
            if let nearest = Spelling.nearest(to: token, among: names.prefix(10_000)) {
                return "did you mean \"\(nearest)\"?"
            }
            if names.isEmpty || position == 0 { return nil }
            return "available names: \(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? ", …" : "")"
        }
        return nil
    }
}

/// A source of the files of an OpenAPI description.
public protocol DocumentSource: Sendable {
    /// Returns the document at a location, or the problems that prevent reading it.
    ///
    /// - Parameter location: A location that ``DocumentLocation`` derives from a path and the references in its files:
    ///   an absolute path (`/project/openapi.yaml`), or a path with a prefix that ends in a colon
    ///   (`git:main:openapi.yaml`).
    func document(at location: String) -> LocatedDocument.Reading

    /// Returns the location of the file that replaces a URI, or `nil` if there is none.
    func location(ofURI uri: String) -> String?
}
