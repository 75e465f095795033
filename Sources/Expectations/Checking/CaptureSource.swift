import Basics
import CEL
import Diagnostics
import JSON
import JSONPath
import RegularExpressions
import RunModel
import SuiteModel
import XML

/// The lookup of the values of captures.
enum CaptureSource {
    /// The reason why a capture has no value.
    struct Problem: Error {
        var finding: Finding
        /// Whether the body is not the expected JSON, XML or HTML.
        var isBodyProblem = false
        /// The value that was found but could not be converted or searched.
        var found: CELValue?
    }

    /// Returns the converted value and the original value, or the default if nothing was found.
    static func value(
        _ capture: Capture, content: ResponseContent, scope: some CELScope, context: CELContext
    ) throws(Problem) -> (value: CELValue, found: CELValue) {
        let found: CELValue
        do {
            let source = try find(capture, content: content, scope: scope, context: context)
            if let pattern = capture.pattern {
                found = try match(pattern, in: source, capture)
            } else {
                found = source
            }
        } catch {
            guard let defaultValue = capture.defaultValue, error.finding.kind == .failure, error.found == nil else {
                throw error
            }
            do {
                found = try defaultValue.value(in: scope, context: context)
            } catch {
                throw problem(capture, error)
            }
        }
        guard let conversion = capture.conversion else { return (found, found) }
        guard let converted = ValueConversion.convert(found, to: conversion) else {
            let value: MessageText = capture.isSecret ? "the secret value" : describe(found)
            var problem = problem(
                capture, type: .init("as"), "cannot convert \(value) to \(ValueConversion.article(conversion))",
                range: capture.range)
            problem.found = found
            throw problem
        }
        return (converted, found)
    }

    private static func find(
        _ capture: Capture, content: ResponseContent, scope: some CELScope, context: CELContext
    ) throws(Problem) -> CELValue {
        switch capture.source {
        case .json(let written):
            let path = try value(of: written, capture, scope, context)
            let body: JSONValue
            do {
                body = try content.json()
            } catch {
                throw Problem(
                    finding: BodyProblem.finding(
                        error, content: content, range: capture.sourceRange, subject: .capture(capture.name)),
                    isBodyProblem: true)
            }
            do {
                if path.isSingular {
                    if let value = try path.firstValue(in: body) { return CELValue(value) }
                } else if let list = list(try path.values(in: body), capture) {
                    return list
                }
            } catch {
                throw limit(capture, type: .json, error.wording)
            }
            var problem = problem(capture, type: .json, Absence.message(path, in: body))
            problem.finding.details += Absence.note(writtenAs: written)
            throw problem
        case .expression(let expression):
            do {
                let value = try expression.value(in: scope, context: context)
                guard case .optional(let optional) = value else { return value }
                if let present = optional.value { return present }
            } catch {
                var problem = problem(capture, error)
                if error.isAtString, let note = content.undeclaredJSONNote { problem.finding.details.append(note) }
                throw problem
            }
            throw problem(
                capture, type: .expression, "\(expression.expression.source) has no value")
        case .header(let written):
            let name = try value(of: written, capture, scope, context)
            if let value = content.exchange.response?.header(name) { return .string(value) }
            throw absentHeader(name, capture, content)
        case .headers(let written):
            let name = try value(of: written, capture, scope, context)
            let fields = content.headers.filter { $0.isNamed(name) }
            if let list = list(fields.map { .string($0.value) }, capture) { return list }
            throw absentHeader(name, capture, content)
        case .cookie(let written):
            let name = try value(of: written, capture, scope, context)
            let cookies = content.exchange.cookies
            if let cookie = cookies.last(where: { $0.name == name }) { return .string(cookie.value) }
            throw problem(
                capture, type: .init("cookie"),
                Absence.message("the response does not set the cookie", name, among: cookies.map(\.name)))
        case .text: return .string(content.text)
        case .xpath(let query):
            let document: XMLDocument
            let markup = content.markup
            do {
                document = try content.document(markup)
            } catch {
                throw Problem(
                    finding: BodyProblem.finding(
                        error, content: content, markup: markup, range: capture.sourceRange,
                        subject: .capture(capture.name)),
                    isBodyProblem: true)
            }
            let selection: XPathSelection
            do {
                selection = try XPathSelection(query, in: document)
            } catch {
                let text = query.expression.text
                if error.kind == .cancelled {
                    throw Problem(finding: .cutOff(subject: "xpath \(text)", range: capture.sourceRange))
                }
                throw limit(capture, type: .xpath, "\(text): \(error.wording)")
            }
            do {
                switch try selection.value(of: query.expression) {
                case .array(let values)?: if let list = list(values, capture) { return list }
                case let value?: return CELValue(value)
                case nil: break
                }
            } catch {
                var finding = error.finding(subject: .capture(capture.name), range: capture.sourceRange)
                finding.kind = .error
                throw Problem(finding: finding)
            }
            let absence = XPathAbsenceText(query, in: document)
            var problem = problem(capture, type: .xpath, absence.message)
            problem.finding.details = absence.details
            throw problem
        case .status:
            return .int(Int64(content.status))
        case .body:
            return CELValue(content.value)
        }
    }

    /// Returns the value of a setting of the capture.
    private static func value<Value>(
        of setting: Templated<Value>, _ capture: Capture, _ scope: some CELScope, _ context: CELContext
    ) throws(Problem) -> Value {
        do {
            return try setting.value(in: scope, context: context)
        } catch {
            throw problem(capture, error)
        }
    }

    private static func absentHeader(_ name: String, _ capture: Capture, _ content: ResponseContent) -> Problem {
        problem(
            capture, type: .init("header"),
            Absence.message("the response has no header", name, among: content.headers.map(\.name)))
    }

    /// Returns the list that a source yields; nil for an empty one if the capture has a default value.
    private static func list(_ values: [JSONValue], _ capture: Capture) -> CELValue? {
        values.isEmpty && capture.defaultValue != nil ? nil : CELValue(.array(values))
    }

    /// Returns the part of a string that a pattern selects.
    private static func match(
        _ pattern: RegularExpression, in value: CELValue, _ capture: Capture
    ) throws(Problem) -> CELValue {
        let name = "/\(pattern.pattern)/"
        guard case .string(let text) = value else {
            let found: MessageText = capture.isSecret ? "the secret value" : describe(value)
            var problem = problem(capture, type: .regex, "\(name) requires a string, got \(found)")
            if case .body = capture.source {
                problem.finding.details.append(
                    "body is a JSON value because of its Content-Type; to search its text, write \"text: true\" instead of \"body: true\""
                )
            }
            problem.found = value
            throw problem
        }
        let selection: PatternSelection
        do {
            selection = try PatternSelection(pattern, in: text)
        } catch {
            throw limit(capture, type: .regex, error.wording)
        }
        switch selection {
        case .text(let part): return .string(part)
        case .emptyGroup: throw problem(capture, type: .regex, "\(name) matches, but its first group captures nothing")
        case .none:
            let place: MessageText = if case .text = capture.source { "the body: " } else { "" }
            let shown: MessageText =
                capture.isSecret ? "the secret value" : MessageText(ValueDescription.plain(.string(text)))
            throw problem(capture, type: .regex, "\(name) matches nothing in \(place)\(shown)")
        }
    }

    private static func problem(
        _ capture: Capture, type: Finding.Reason, _ message: MessageText, range: SourceRange? = nil
    ) -> Problem {
        Problem(
            finding: Finding(
                subject: .capture(capture.name), type: type, message: message, range: range ?? capture.sourceRange))
    }

    /// Returns the problem of a search that exceeded its limits. The default value does not apply in this case.
    private static func limit(_ capture: Capture, type: Finding.Reason, _ message: MessageText) -> Problem {
        Problem(
            finding: Finding(
                kind: .error, subject: .capture(capture.name), type: type, message: message,
                range: capture.sourceRange))
    }

    private static func problem(_ capture: Capture, _ error: TemplateError) -> Problem {
        Problem(finding: error.finding(subject: .capture(capture.name)))
    }

    private static func describe(_ value: CELValue) -> MessageText {
        value.json.map(ValueDescription.typed) ?? "a \(MessageText(words: value.typeName))"
    }
}

/// The part of a string that a pattern selects: the first group of the first match, or the match without groups.
enum PatternSelection {
    /// The selected part.
    case text(String)
    /// The pattern matches, but its first group does not take part in the match.
    case emptyGroup
    /// The pattern matches nothing.
    case none

    /// Searches for a pattern.
    init(_ pattern: RegularExpression, in text: String) throws(RegularExpressionLimitError) {
        guard let match = try pattern.firstMatch(in: text) else {
            self = .none
            return
        }
        if match.groups.count < 2 {
            self = .text(String(match.text))
        } else if let group = match.text(ofGroup: 1) {
            self = .text(String(group))
        } else {
            self = .emptyGroup
        }
    }
}

/// Conversions of captured values to the type named by `as`.
enum ValueConversion {
    /// Converts a value, or returns nil if it does not represent the type: `"42"` is an integer, `"4.2"` and true are
    /// not.
    static func convert(_ value: CELValue, to conversion: Capture.Conversion) -> CELValue? {
        switch conversion {
        case .string:
            return .string(value.text)
        case .boolean:
            switch value {
            case .bool: return value
            case .string("true"): return .bool(true)
            case .string("false"): return .bool(false)
            default: return nil
            }
        case .number:
            return number(value).map { CELValue($0) }
        case .integer:
            guard let number = number(value), number.isInteger else { return nil }
            return number.int64.map { .int($0) } ?? number.uint64.map { .uint($0) } ?? .number(number)
        }
    }

    private static func number(_ value: CELValue) -> JSONNumber? {
        switch value {
        case .string(let text): JSONNumber(literal: text)
        case .bool, .null: nil
        default: value.json?.numberValue
        }
    }

    /// Returns the name of the type with its article, for messages.
    static func article(_ conversion: Capture.Conversion) -> MessageText {
        switch conversion {
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .boolean: "a boolean"
        }
    }
}

/// A path segment that selects one name or one index.
enum NormalizedStep {
    case name(String)
    case index

    /// Parses a segment such as `.title`, `['title']` or `[3]`. Returns nil for any other kind of segment.
    init?(segment: String) {
        if segment.hasPrefix("."), !segment.hasPrefix(".."), segment != ".*", !segment.hasPrefix(".[") {
            self = .name(String(segment.dropFirst()))
            return
        }
        guard segment.hasPrefix("["), segment.hasSuffix("]") else { return nil }
        let inner = NormalizedStep.trimmed(segment.dropFirst().dropLast())
        if let quote = inner.first, quote == "'" || quote == "\"", inner.count >= 2, inner.last == quote,
            !inner.dropFirst().dropLast().contains(where: { $0 == quote || $0 == "\\" })
        {
            self = .name(String(inner.dropFirst().dropLast()))
        } else if Int(inner) != nil {
            self = .index
        } else {
            return nil
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
