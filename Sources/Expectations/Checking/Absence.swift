import Basics
import Diagnostics
import JSON
import JSONPath
import RunModel
import SuiteModel
import XML

/// Messages about missing values: what exists instead, and the probable spelling.
enum Absence {
    /// Returns a message about a header or cookie: `the response has no header "Locaton"; did you mean "Location"?`.
    static func message(_ beginning: MessageText, _ name: String, among names: [String]) -> MessageText {
        "\(beginning) \(ValueDescription.quoted(name))\(suggestion(name, among: names))"
    }

    /// Returns a message about a path: `$.data.items[3] does not exist: $.data.items has 2 elements`.
    static func message(_ path: JSONPath, in document: JSONValue) -> MessageText {
        guard let nearest = path.nearestExisting(in: document) else { return "\(path.source) selects nothing" }
        let problem: MessageText = path.isSingular ? "does not exist" : "selects nothing"
        let reason = reason(nearest.path, nearest.value, NormalizedStep(segment: nearest.missing), nearest.missing)
        return "\(path.source) \(problem): \(reason)"
    }

    /// Returns a note that shows a path with expressions as it is written; empty for a path without them.
    static func note(writtenAs path: Templated<JSONPath>) -> [MessageText] {
        path.template.map { ["the path is written \($0)"] } ?? []
    }

    private static func reason(_ location: String, _ value: JSONValue, _ step: NormalizedStep?, _ segment: String)
        -> MessageText
    {
        switch (value, step) {
        case (.object(let members), _) where members.isEmpty: "\(location) is an empty object"
        case (.object(let members), .name(let name)):
            "\(location) has no member \(ValueDescription.quoted(name))\(suggestion(name, among: members.keys))"
        case (.array(let elements), .index):
            "\(location) has \(ValueDescription.count(elements.count, "element"))"
        case (.array(let elements), .name(let name)):
            "\(location) is an array of \(ValueDescription.count(elements.count, "element")), which has no member \(ValueDescription.quoted(name))"
        case (.object(let members), .index):
            "\(location) is an object, not an array\(suggestion("", among: members.keys))"
        case (.array(let elements), nil):
            elements.isEmpty
                ? "\(location) is an empty array"
                : "\(segment) selects none of the \(ValueDescription.count(elements.count, "element")) of \(location)"
        case (.object(let members), nil):
            "\(segment) selects none of the \(ValueDescription.count(members.count, "member")) of \(location)"
        default:
            "\(location) is \(ValueDescription.typed(value))"
        }
    }

    /// Returns a suffix with the probable spelling, or otherwise the existing names.
    private static func suggestion(_ name: String, among names: some Collection<String>) -> MessageText {
        if let nearest = Spelling.nearest(to: name, among: names) {
            return "; did you mean \(ValueDescription.quoted(nearest))?"
        }
        return names.isEmpty ? "; available: none" : "; available: \(ValueDescription.names(names))"
    }
}

/// The explanation of an XPath expression that selects nothing: the last existing node and the nodes near it.
struct XPathAbsenceText {
    /// The maximum number of locations in the details.
    private static let shown = 5

    /// A one-sentence description without a final period.
    let message: MessageText
    /// Additional lines with the locations of the nearest nodes.
    let details: [MessageText]

    /// Creates the explanation of a query that selects nothing.
    init(_ query: XPathQuery, in document: XMLDocument) {
        let text = query.expression.text
        let absences = document.absences(of: query.expression, namespaces: query.namespaces)
        guard let first = absences.first, absences.count == 1 else {
            message = "\(text) selects nothing"
            details = absences.prefix(3).map { Self.message($0, query.namespaces) }
            return
        }
        message = "\(text) selects nothing: \(Self.reason(first, query.namespaces))"
        details = first.existing == nil ? [] : Self.locations(first.nodes, count: first.count)
    }

    /// Returns a sentence with the path that selects nothing and the reason.
    static func message(_ absence: XPathAbsence, _ namespaces: [String: String]) -> MessageText {
        "\(absence.path) selects nothing: \(reason(absence, namespaces))"
    }

    private static func reason(_ absence: XPathAbsence, _ namespaces: [String: String]) -> MessageText {
        let existing: MessageText = absence.existing.map { MessageText($0) } ?? "the document"
        // `/shop/book has` or `none of the 2 nodes of /shop/book has`.
        let has: MessageText =
            absence.count == 1 || absence.existing == nil
            ? "\(existing) has no" : "none of the \(absence.count) nodes of \(existing) has an"
        switch absence.reason {
        case .predicate(_, isPosition: true):
            return "\(existing) selects \(ValueDescription.count(absence.count, "node"))"
        case .predicate(let text, isPosition: false):
            return absence.count == 1
                ? "the only node of \(existing) does not satisfy \(text)"
                : "none of the \(absence.count) nodes of \(existing) satisfies \(text)"
        case .name(let name, let isAttribute, let names):
            if absence.existing == nil, !absence.isBelow, !isAttribute, let root = names.first {
                return "the root element is \(ValueDescription.quoted(root))"
            }
            let noun: MessageText = isAttribute ? "attribute" : "element"
            let inner: MessageText = absence.isBelow && absence.existing != nil ? " below it" : ""
            return "\(has) \(noun) \(ValueDescription.quoted(name))\(inner)" + suggestion(name, among: names)
        case .namespace(let name, let isAttribute, let found):
            let what: MessageText =
                "the document's \(isAttribute ? "attribute" : "element") \(ValueDescription.quoted(name))"
            guard let found else { return "\(what) is in no namespace; write it without a prefix" }
            let prefix = namespaces.filter { $0.value == found }.map(\.key).min()
            return "\(what) is in the namespace \(ValueDescription.quoted(found)); "
                + (prefix.map { "write \($0):\(name)" } ?? "bind a prefix to it under \"namespaces\" of the suite")
        case .step(let text):
            return absence.existing == nil
                ? "the document has no \(text)"
                : "\(text) selects nothing from \(existing)"
        }
    }

    private static func suggestion(_ name: String, among names: [String]) -> MessageText {
        if let nearest = Spelling.nearest(to: name, among: names) {
            return "; did you mean \(ValueDescription.quoted(nearest))?"
        }
        return names.isEmpty ? "; available: none" : "; available: \(ValueDescription.names(names))"
    }

    /// Returns the line and an excerpt of the element of each node.
    static func locations(_ nodes: [XPathNode], count: Int) -> [MessageText] {
        var lines: [MessageText] = []
        for (index, node) in nodes.prefix(shown).enumerated() {
            guard let excerpt = node.excerpt() else { continue }
            let text = BriefWriter.escapedMarkup(excerpt.text.unicodeScalars)
            let location: MessageText = excerpt.line.map { "line \($0): \(text)" } ?? MessageText(text)
            lines.append(count > 1 ? "[\(index)] \(location)" : location)
        }
        if count > shown, !lines.isEmpty { lines.append("… and \(count - shown) more") }
        return lines
    }
}
