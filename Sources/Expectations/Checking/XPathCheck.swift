import Basics
import Diagnostics
import JSON
import RunModel
import SuiteModel
import XML

/// The checks of XPath results.
extension ExchangeCheck {
    /// Checks XPath expectations on the body, which is parsed once for all of them.
    func check(_ expectations: [ExpectationExtras.XPath], as markup: Markup, _ findings: inout [Finding]) {
        let document: XMLDocument
        do {
            document = try content.document(markup)
        } catch {
            findings.append(
                BodyProblem.finding(
                    error, content: content, markup: markup, range: expectations.first?.range,
                    subject: .other(markup.rawValue)))
            return
        }
        // Values in XML are untyped, as in headers.
        var evaluator = textEvaluator
        evaluator.root = ""
        for expectation in expectations {
            let subject: Finding.Subject = "\(markup.rawValue) \(expectation.query.expression.text)"
            let selection: XPathSelection
            do {
                selection = try XPathSelection(expectation.query, in: document)
            } catch {
                findings.append(.xpath(error, subject: subject, range: expectation.range))
                continue
            }
            let value: JSONValue?
            do {
                value = try selection.value(of: expectation.query.expression)
            } catch {
                findings.append(error.finding(subject: subject, range: expectation.range))
                continue
            }
            evaluator.isSelection = !expectation.query.expression.isSingular
            let mismatches = evaluator.mismatches(value, expectation.matcher)
            for (index, mismatch) in mismatches.enumerated() {
                var finding = mismatch.finding(subject: subject)
                if mismatch.isAbsence, mismatch.kind == .failure {
                    let absence = XPathAbsenceText(expectation.query, in: document)
                    finding.wording = absence.message
                    finding.details += absence.details
                    if expectation.matcher.acceptsNothingness {
                        finding.details.append("to expect that an XPath selects nothing, write exists: false")
                    }
                } else if index == 0, mismatch.kind == .failure {
                    if evaluator.isSelection, selection.nodes.isEmpty {
                        let absence = XPathAbsenceText(expectation.query, in: document)
                        finding.details.insert(contentsOf: [absence.message] + absence.details, at: 0)
                    }
                    if !Self.normalizesSpace(expectation.query),
                        Self.differInSpace(mismatch.expected, mismatch.actual)
                    {
                        finding.details.append(
                            "they differ only in whitespace; normalize-space(…) removes it")
                    }
                    finding.details += locations(selection, expectation.query, in: document)
                }
                findings.append(finding)
            }
        }
    }

    /// Returns whether a query is already `normalize-space(…)`, so a suggestion to use it would be pointless.
    private static func normalizesSpace(_ query: XPathQuery) -> Bool {
        query.expression.text.utf8.drop(while: isSpace).starts(with: "normalize-space".utf8)
    }

    /// Returns whether two strings, or lists of one string, differ only in white space at their ends and in the length
    /// of white space within.
    private static func differInSpace(_ expected: JSONValue?, _ actual: JSONValue?) -> Bool {
        if case .array(let first)? = expected, case .array(let second)? = actual, first.count == 1, second.count == 1 {
            return differInSpace(first[0], second[0])
        }
        guard case .string(let expected)? = expected, case .string(let actual)? = actual,
            actual.utf8.count <= 2_000
        else { return false }
        let first = expected.utf8.split(whereSeparator: isSpace)
        let second = actual.utf8.split(whereSeparator: isSpace)
        return first.count == second.count && zip(first, second).allSatisfy { $0.elementsEqual($1) }
    }

    /// Returns whether a byte is XML white space (XML 1.0, section 2.3), which `normalize-space(…)` removes.
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Returns the locations of the nodes; for a computed value, the paths in it that select nothing.
    private func locations(_ selection: XPathSelection, _ query: XPathQuery, in document: XMLDocument) -> [MessageText]
    {
        if selection.isComputed {
            return document.absences(of: query.expression, namespaces: query.namespaces).prefix(3)
                .map { XPathAbsenceText.message($0, query.namespaces) }
        }
        return XPathAbsenceText.locations(selection.nodes, count: selection.nodes.count)
    }
}

/// The result of an XPath expression, in the form that matchers and captures use.
struct XPathSelection {
    /// The maximum number of selected nodes.
    private static let maximumNodes = 100_000
    /// The maximum total size of the nodes' text, in bytes.
    private static let maximumBytes = 64 << 20

    /// The nodes, in document order; empty for any other result.
    let nodes: [XPathNode]
    /// The text of each node, or the single computed value.
    private let values: [JSONValue]
    /// Whether the value is a number, string or Boolean, which always exists, regardless of the document.
    let isComputed: Bool

    /// Creates the result of evaluating a query on a document.
    ///
    /// - Throws: ``XMLError`` if the evaluation takes too long or the result is too large.
    init(_ query: XPathQuery, in document: XMLDocument) throws(XMLError) {
        switch try document.evaluate(query.expression, namespaces: query.namespaces) {
        case .nodes(let nodes):
            guard nodes.count <= Self.maximumNodes else {
                throw XMLError(
                    kind: .limit, message: "selects \(nodes.count) nodes; the maximum is \(Self.maximumNodes)")
            }
            var values: [JSONValue] = []
            values.reserveCapacity(nodes.count)
            var bytes = 0
            for node in nodes {
                let text = node.stringValue
                bytes += text.utf8.count
                guard bytes <= Self.maximumBytes else {
                    throw XMLError(
                        kind: .limit, message: "selects more than \(Self.maximumBytes) bytes of text")
                }
                values.append(.string(text))
            }
            self.init(nodes: nodes, values: values, isComputed: false)
        case .string(let text): self.init(computed: .string(text))
        case .boolean(let flag): self.init(computed: .bool(flag))
        case .number(let number):
            // A number that is not finite becomes the result of string().
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

    /// Returns the value of the expression: one value for a singular expression, an array for any other.
    ///
    /// One value is a number, string or Boolean, or the text of the node at a position; nil without such a node. The
    /// array contains the text of each node, even of one or none.
    ///
    /// - Throws: ``SeveralNodes`` if a position selects several nodes, one for each parent.
    func value(of expression: XPathExpression) throws(SeveralNodes) -> JSONValue? {
        guard expression.isSingular else { return .array(values) }
        guard values.count <= 1 else { throw SeveralNodes(nodes: nodes) }
        return values.first
    }

    /// The error of a position that selects several nodes: `//a[1]` is the first `a` of each parent.
    struct SeveralNodes: Error {
        let nodes: [XPathNode]

        /// The description of the error, without a final period.
        var message: MessageText { "expected one node, got \(nodes.count)" }

        /// The ways to write the expression.
        var advice: MessageText { "a position counts within each parent; to count among all nodes, write (…)[1]" }
    }
}

extension XPathSelection.SeveralNodes {
    /// Returns the finding of an expectation.
    func finding(subject: Finding.Subject, range: SourceRange?) -> Finding {
        Finding(
            subject: subject, type: .xpath, message: message, range: range,
            details: [advice] + XPathAbsenceText.locations(nodes, count: nodes.count))
    }
}

extension Finding {
    /// Creates the finding of a check that was stopped.
    static func cutOff(subject: Finding.Subject, range: SourceRange?) -> Finding {
        Finding(
            kind: .error, subject: subject, type: .cutOff, message: "was stopped before it finished", range: range)
    }

    /// Creates the finding of an XPath expression that could not be evaluated.
    static func xpath(_ error: XMLError, subject: Finding.Subject, range: SourceRange?) -> Finding {
        if error.kind == .cancelled { return cutOff(subject: subject, range: range) }
        return Finding(kind: .error, subject: subject, type: .xpath, message: error.wording, range: range)
    }
}
