import JSON
import SuiteModel
import XML

/// What an XPath gives, as matchers and captures see it.
struct XPathSelection {
    /// The most nodes that are made a list of.
    private static let maximumNodes = 100_000
    /// The most bytes that the texts of nodes may have together.
    private static let maximumBytes = 64 << 20

    /// The nodes, in document order; empty for another value.
    let nodes: [XPathNode]
    /// The texts of the nodes, or the one value that is none.
    private let values: [JSONValue]
    /// Whether the value is a number, a string or a boolean, which is there whatever the document holds.
    let isComputed: Bool

    /// Evaluates a query over a document.
    ///
    /// - Throws: ``XMLError`` if that takes too long, or gives too much.
    init(_ query: XPathQuery, in document: XMLDocument) throws(XMLError) {
        switch try document.evaluate(query.expression, namespaces: query.namespaces) {
        case .nodes(let nodes):
            guard nodes.count <= Self.maximumNodes else {
                throw XMLError(
                    kind: .limit, message: "selects \(nodes.count) nodes, more than \(Self.maximumNodes)")
            }
            var values: [JSONValue] = []
            values.reserveCapacity(nodes.count)
            var bytes = 0
            for node in nodes {
                let text = node.stringValue
                bytes += text.utf8.count
                guard bytes <= Self.maximumBytes else {
                    throw XMLError(
                        kind: .limit, message: "selects texts of more than \(Self.maximumBytes) bytes together")
                }
                values.append(.string(text))
            }
            self.init(nodes: nodes, values: values, isComputed: false)
        case .string(let text): self.init(computed: .string(text))
        case .boolean(let flag): self.init(computed: .bool(flag))
        case .number(let number):
            // What is no finite number is the text that string() makes of it.
            self.init(
                computed: JSONNumber(number).map { .number($0) }
                    ?? .string(number.isNaN ? "NaN" : number > 0 ? "Infinity" : "-Infinity"))
        }
    }

    private init(computed value: JSONValue) {
        self.init(nodes: [], values: [value], isComputed: true)
    }

    private init(nodes: [XPathNode], values: [JSONValue], isComputed: Bool) {
        self.nodes = nodes
        self.values = values
        self.isComputed = isComputed
    }

    /// One node is its text, several are their list, none is nil.
    ///
    /// - Parameter asList: Whether one node is a list too.
    func value(asList: Bool) -> JSONValue? {
        guard let first = values.first else { return nil }
        return isComputed || (values.count == 1 && !asList) ? first : .array(values)
    }
}
