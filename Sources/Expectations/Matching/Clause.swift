import Basics
import JSON
import SuiteModel

extension MatcherEvaluator {
    /// Returns a description of a matcher's requirements.
    func clause(_ matcher: Matcher) throws(TemplateError) -> Clause {
        var clauses: [Clause] = []
        for operation in matcher.operations { clauses.append(try clause(operation.operator, matcher.domain)) }
        return .all(clauses)
    }

    func clauses(_ matchers: [Matcher]) throws(TemplateError) -> [Clause] {
        var clauses: [Clause] = []
        for matcher in matchers { clauses.append(try clause(matcher)) }
        return clauses
    }

    func oneOfClause(_ templates: [ValueTemplate], _ domain: Matcher.Domain) throws(TemplateError) -> Clause {
        var values: [MessageText] = []
        for template in templates.prefix(12) { values.append(try plain(template, domain)) }
        if templates.count > values.count { values.append("\(templates.count - values.count) more") }
        let list = values.joined(separator: ", ")
        return .being("one of \(list)", contrary: "none of \(list)")
    }

    func someClause(_ matcher: Matcher) throws(TemplateError) -> Clause {
        let element = try clause(matcher).ofElement
        return .having("an element \(element)", contrary: "no element \(element)")
    }

    func lengthClause(_ matcher: Matcher) throws(TemplateError) -> Clause {
        if case .equals(let template) = matcher.operations.first?.operator, matcher.operations.count == 1 {
            let number = try plain(template)
            return .having("length \(number)", contrary: "a length other than \(number)")
        }
        let inner = try clause(matcher)
        return .having("length \(inner.text)", contrary: "length \(inner.contrary)")
    }

    /// Returns an operand without its type.
    func plain(
        _ template: ValueTemplate, _ domain: Matcher.Domain = .value, isDuration: Bool = false
    ) throws(TemplateError) -> MessageText {
        let value = try operand(template, isDuration && domain == .status ? .value : domain)
        if isDuration, let nanoseconds = value.stringValue.flatMap(Quantity.parseDuration) {
            return MessageText(Quantity.exactDuration(nanoseconds))
        }
        return Quantity.plainOperand(value, in: domain)
    }

    /// Returns an operand with its type, or without it if the subject is untyped text.
    func describedOperand(_ value: JSONValue, _ domain: Matcher.Domain) -> MessageText {
        if subjectKind == .text, domain == .value, value.stringValue == nil {
            return MessageText(ValueDescription.plain(value))
        }
        return Quantity.describeOperand(value, in: domain)
    }
}

extension Matcher.ValueType {
    /// The type with its article, for messages.
    var article: MessageText {
        switch self {
        case .string: "a string"
        case .number: "a number"
        case .integer: "an integer"
        case .boolean: "a boolean"
        case .array: "an array"
        case .object: "an object"
        case .null: "null"
        case .uuid: "a UUID"
        case .date: "a date (YYYY-MM-DD)"
        case .dateTime: "a date-time (RFC 3339)"
        case .email: "an email address"
        case .uri: "a URI"
        case .ipv4: "an IPv4 address"
        case .ipv6: "an IPv6 address"
        }
    }
}

/// A description of an operator's requirement, for messages: `> 5`, `a string`, `to contain "x"`.
struct Clause {
    /// The verb that connects the text to "expected an element …", and its form for an element that matches.
    enum Verb {
        /// `to be > 5`, `is`.
        case be
        /// `to have length 3`, `has`.
        case have
        /// The text has its own verb: `to contain "x"`, `does`.
        case own
    }

    /// The text after "expected …".
    let text: MessageText
    /// The text after "expected …" for the opposite.
    let contrary: MessageText
    /// The verb that connects the text to "expected an element …".
    let verb: Verb

    private init(text: MessageText, contrary: MessageText, verb: Verb) {
        self.text = text
        self.contrary = contrary
        self.verb = verb
    }

    /// Creates a clause for the kind of a value: `a string`.
    static func being(_ text: MessageText, contrary: MessageText? = nil) -> Clause {
        Clause(text: text, contrary: contrary ?? "anything but \(text)", verb: .be)
    }

    /// Creates a clause for a comparison, which can be negated with "not": `> 5`.
    static func comparing(_ text: MessageText) -> Clause {
        Clause(text: text, contrary: "not \(text)", verb: .be)
    }

    /// Creates a clause for a property of a value: `length 3`.
    static func having(_ text: MessageText, contrary: MessageText) -> Clause {
        Clause(text: text, contrary: contrary, verb: .have)
    }

    /// Creates a clause with a verb: `contain "x"`.
    static func doing(_ text: MessageText) -> Clause {
        Clause(text: "to \(text)", contrary: "not to \(text)", verb: .own)
    }

    /// The clause for the opposite.
    var negated: Clause { Clause(text: contrary, contrary: text, verb: verb) }

    /// Returns the clause itself, or its opposite if `isAsked` is false.
    func negated(unless isAsked: Bool) -> Clause { isAsked ? self : negated }

    /// The text after "expected an element": `to be > 5`, `to contain "x"`.
    var ofElement: MessageText {
        switch verb {
        case .be: "to be \(text)"
        case .have: "to have \(text)"
        case .own: text
        }
    }

    /// The verb for an element that satisfies the clause: "element [1] is".
    var verdict: MessageText {
        switch verb {
        case .be: "is"
        case .have: "has"
        case .own: "does"
        }
    }

    /// Returns the clause for the part of a string that a pattern selects.
    static func selected(_ clause: Clause) -> Clause {
        let verb = clause.verb
        let words = { (text: MessageText) -> MessageText in
            switch verb {
            case .be: "the selected text to be \(text)"
            case .have: "the selected text to have \(text)"
            case .own: "the selected text \(text)"
            }
        }
        return Clause(text: words(clause.text), contrary: words(clause.contrary), verb: .own)
    }

    /// Returns the clause for a converted value: `> 5 as an integer`.
    func converted(to type: MessageText) -> Clause {
        Clause(text: "\(text) as \(type)", contrary: "\(contrary) as \(type)", verb: verb)
    }

    /// Returns the conjunction of clauses.
    static func all(_ clauses: [Clause]) -> Clause {
        joined(clauses, "and") { "anything but \($0)" }
    }

    /// Returns the disjunction of clauses.
    static func either(_ clauses: [Clause]) -> Clause {
        joined(clauses, "or") { _ in "neither \(ValueDescription.list(clauses.map(\.text), "nor"))" }
    }

    private static func joined(_ clauses: [Clause], _ conjunction: MessageText, contrary: (MessageText) -> MessageText)
        -> Clause
    {
        guard clauses.count != 1, let first = clauses.first else { return clauses.first ?? .being("anything") }
        if first.verb != .own, clauses.allSatisfy({ $0.verb == first.verb }) {
            let text = ValueDescription.list(clauses.map(\.text), conjunction)
            return Clause(text: text, contrary: contrary(text), verb: first.verb)
        }
        let text = ValueDescription.list(clauses.map(\.ofElement), conjunction)
        return Clause(text: text, contrary: "not \(text)", verb: .own)
    }
}
