import Basics
import CLibXML2
import Synchronization

/// A parsed XML or HTML document.
///
/// XPath expressions are evaluated on libxml2's tree; ``root`` and ``children`` are converted to values on first
/// access. Parsing reads only the given bytes: no external entities, no external document types, no network. Default
/// attribute values from a document type are not added.
public final class XMLDocument: Sendable {
    private struct State: ~Copyable {
        let handle: DocumentHandle
        var children: [XMLNode]?
        var index: DocumentIndex?
    }

    /// libxml2 is called by only one thread at a time.
    private let state: Mutex<State>

    /// The version in the XML declaration, or 1.0; nil for HTML.
    public let version: String?
    /// The declared or detected encoding; nil if unknown.
    public let encoding: String?
    /// The name in the document type declaration; nil if there is none.
    public let documentType: String?

    private init(_ handle: consuming DocumentHandle) {
        let pointer = handle.pointer
        version = clx_document_version(pointer).map { String(cString: $0) }
        encoding = clx_document_encoding(pointer).map { String(cString: $0) }
        documentType = clx_document_type_name(pointer).map { String(cString: $0) }
        state = Mutex(State(handle: handle))
    }

    /// Parses XML 1.0 with namespaces.
    /// - Parameters:
    ///   - bytes: The document.
    ///   - encoding: The encoding from an external source, such as a `charset` parameter; nil to detect it.
    ///   - limits: The parser's limits.
    /// - Throws: ``XMLError`` with its location if the document is not well-formed, exceeds a limit, or the task is
    ///   cancelled.
    public static func parse(
        _ bytes: [UInt8], encoding: String? = nil, limits: XMLLimits = .init()
    ) throws(XMLError) -> XMLDocument {
        try parse(bytes, encoding, isHTML: false, limits)
    }

    /// Parses HTML as leniently as browsers do: errors are corrected, not reported.
    /// - Parameters:
    ///   - bytes: The document.
    ///   - encoding: The encoding from an external source, such as a `charset` parameter; nil for UTF-8 if the bytes
    ///     are valid UTF-8, otherwise to detect it.
    ///   - limits: The parser's limits.
    /// - Throws: ``XMLError`` if the document is empty, exceeds a limit, or the task is cancelled.
    public static func parseHTML(
        _ bytes: [UInt8], encoding: String? = nil, limits: XMLLimits = .init()
    ) throws(XMLError) -> XMLDocument {
        var encoding = encoding
        if encoding == nil, bytes.contains(where: { $0 >= 0x80 }), String(validating: bytes, as: UTF8.self) != nil {
            encoding = "UTF-8"
        }
        return try parse(bytes, encoding, isHTML: true, limits)
    }

    private static func parse(
        _ bytes: [UInt8], _ encoding: String?, isHTML: Bool, _ limits: XMLLimits
    ) throws(XMLError) -> XMLDocument {
        try XMLLibrary.require()
        guard bytes.count <= min(limits.bytes, Int(Int32.max)) else {
            throw XMLError(kind: .limit, message: "the document exceeds the maximum of \(limits.bytes) bytes")
        }
        guard bytes.contains(where: { $0 > 32 }) else {
            throw XMLError(kind: .syntax, message: "the document is empty", line: 1, column: 1)
        }
        let (seconds, attoseconds) = limits.time.components
        let (time, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        var bounds = clx_limits(
            depth: Int64(max(0, min(limits.depth, Int(Int16.max)))), nodes: Int64(limits.nodes),
            elements: Int64(limits.elements), attributes: Int64(limits.attributes), entities: Int64(limits.entities),
            expansion: Int64(limits.expandedBytes), subset: Int64(limits.documentTypeBytes),
            time: isOver ? .max : time + attoseconds / 1_000_000_000, is_given_up: { Task.isCancelled })
        var error = clx_error()
        let pointer = bytes.withUnsafeBufferPointer { buffer in
            if let encoding {
                clx_parse(buffer.baseAddress, buffer.count, encoding, isHTML, &bounds, &error)
            } else {
                clx_parse(buffer.baseAddress, buffer.count, nil, isHTML, &bounds, &error)
            }
        }
        guard let pointer else { throw ErrorText.parsing(error, limits) }
        return XMLDocument(DocumentHandle(pointer))
    }

    /// The top-level nodes: the root element, and the comments and processing instructions around it.
    public var children: [XMLNode] {
        state.withLock { state in
            if let children = state.children { return children }
            let children = clx_document_node(state.handle.pointer).map { TreeBuilder.children(of: $0) } ?? []
            state.children = children
            return children
        }
    }

    /// The root element; nil for an HTML document without elements.
    public var root: XMLElement? {
        for case .element(let element) in children { return element }
        return nil
    }

    /// Calls `body` with the nodes in document order; their pointers must not escape.
    func withIndex<Result>(
        _ body: (borrowing DocumentIndex) throws(XMLError) -> sending Result
    ) throws(XMLError) -> sending Result {
        try state.withLock { state throws(XMLError) in
            if let index = state.index { return try body(index) }
            let index = try DocumentIndex(state.handle.pointer)
            state.index = index
            return try body(index)
        }
    }

    /// Calls `body` with libxml2's document; its pointers must not escape.
    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try state.withLock { state throws(Failure) in try body(state.handle.pointer) }
    }
}

/// The limits of the XML and HTML parser.
public struct XMLLimits: Sendable, Hashable {
    /// The maximum size of the document in bytes.
    public var bytes: Int
    /// The maximum nesting depth of elements; libxml2 itself rejects more than 256 levels in XML.
    public var depth: Int
    /// The maximum number of elements.
    public var elements: Int
    /// The maximum number of nodes: elements, attributes, namespace declarations, text, comments and instructions.
    public var nodes: Int
    /// The maximum number of attributes of an element, of namespaces in scope, and of attributes in a document type.
    public var attributes: Int
    /// The maximum number of entities that a document type declares or uses.
    public var entities: Int
    /// The maximum size of all expanded entity references in bytes.
    public var expandedBytes: Int
    /// The maximum size of a document type's internal subset in bytes.
    public var documentTypeBytes: Int
    /// The maximum processor time for parsing.
    public var time: Duration

    /// Creates limits.
    public init(
        bytes: Int = 64 << 20, depth: Int = 256, elements: Int = 1_000_000, nodes: Int = 2_000_000,
        attributes: Int = 1000, entities: Int = 256, expandedBytes: Int = 1 << 20, documentTypeBytes: Int = 64 << 10,
        time: Duration = .seconds(10)
    ) {
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
        self.nodes = nodes
        self.attributes = attributes
        self.entities = entities
        self.expandedBytes = expandedBytes
        self.documentTypeBytes = documentTypeBytes
        self.time = time
    }
}

/// The owner of libxml2's document.
///
/// It is Sendable despite the pointer: it is noncopyable, so it has a single owner, which protects it with a lock.
struct DocumentHandle: ~Copyable, @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { clx_document_free(pointer) }
}

/// The libxml2 library, which is loaded on first use.
public enum XMLLibrary {
    /// Whether libxml2 is installed; the first access loads it.
    public static var isAvailable: Bool { clx_is_available() }

    /// Throws an error if libxml2 is not installed.
    static func require() throws(XMLError) {
        guard isAvailable else {
            throw XMLError(kind: .unavailable, message: "libxml2 is not installed: apt-get install libxml2")
        }
    }
}
