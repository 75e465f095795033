/// A matcher of an imported expectation: operators that must all hold.
package struct ImportedMatcher: Sendable, Hashable {
    /// An operator of the suite language.
    package enum Operator: String, Sendable {
        case equals, not, type, contains, startsWith, endsWith, matches, oneOf, gt, gte, lt, lte, between, closeTo
        case length, empty, exists, each, any, none, unique, sorted, includes, like, strictLike, before, after
        case within, schema, all, either, regex, `as`
    }

    /// An operator with its operand.
    package struct Clause: Sendable, Hashable {
        /// The operator.
        package var `operator`: Operator
        /// The operand.
        package var operand: ImportedValue
    }

    /// The operators in order; never empty.
    package var clauses: [Clause]

    /// Creates a matcher of one operator.
    package init(_ operator: Operator, _ operand: ImportedValue) {
        clauses = [Clause(operator: `operator`, operand: operand)]
    }

    /// Creates a matcher that requires equality.
    package init(equals value: ImportedValue) { self.init(.equals, value) }

    /// Returns the matcher with a further operator.
    package func and(_ operator: Operator, _ operand: ImportedValue) -> ImportedMatcher {
        var result = self
        result.clauses.append(Clause(operator: `operator`, operand: operand))
        return result
    }

    /// The matcher that holds exactly if this one does not.
    package var negated: ImportedMatcher {
        if clauses.count == 1 {
            switch (clauses[0].operator, clauses[0].operand) {
            case (.exists, .plain(let flag)), (.empty, .plain(let flag)):
                return ImportedMatcher(clauses[0].operator, .bool(flag != "true"))
            default: break
            }
        }
        return ImportedMatcher(.not, value)
    }

    /// The matcher as it is written: a value to be equal to, or a mapping of operators.
    package var value: ImportedValue {
        if clauses.count == 1, clauses[0].operator == .equals {
            switch clauses[0].operand {
            case .text, .plain, .sequence: return clauses[0].operand
            // A mapping would be read as operators.
            case .mapping: break
            }
        }
        let names = clauses.map(\.operator)
        if Set(names).count == names.count {
            return .map(clauses.map { ($0.operator.rawValue, $0.operand) })
        }
        return .map([
            (Operator.all.rawValue, .sequence(clauses.map { ImportedMatcher($0.operator, $0.operand).value }))
        ])
    }
}

/// An expectation of an imported exchange.
package enum ImportedCheck: Sendable, Hashable {
    /// The part of the response that a matcher applies to.
    package enum Subject: Sendable, Hashable {
        /// A response header field.
        case header(ImportedText)
        /// A response cookie.
        case cookie(ImportedText)
        /// An attribute of a response cookie, by its key in a suite, such as `path`.
        case cookieAttribute(ImportedText, String)
        /// A part of the server's certificate, by its key in a suite, such as `expiresIn`.
        case certificate(String)
        /// The values that a JSONPath selects in the body.
        case json(ImportedText)
        /// The result of an XPath on an XML body.
        case xml(String)
        /// The result of an XPath on an HTML body.
        case html(String)
        /// The body as text, regardless of its media type.
        case text
        /// The body: a value if it is JSON, otherwise text.
        case body
        case duration, size, redirects, http, sha256
        /// All redirects in order, as a sequence of their properties.
        case hops
    }

    /// The status is one of these: `200`, `2xx`, `200-204`.
    case status([String])
    /// The status matches.
    case statusMatches(ImportedMatcher)
    /// A part of the response matches.
    case matches(Subject, ImportedMatcher)
    /// The body satisfies a JSON Schema.
    case schema(ImportedValue)
    /// A CEL expression is true.
    case assertion(String)

    /// Returns whether both expectations match the same part of the response.
    func hasSubject(of other: ImportedCheck) -> Bool {
        guard case .matches(let subject, _) = self, case .matches(let otherSubject, _) = other else { return false }
        return subject == otherSubject
    }
}

/// A value of a response that an imported exchange stores under a name.
package struct ImportedCapture: Sendable, Hashable {
    /// The source of the value.
    package enum Source: Sendable, Hashable {
        /// The values that a JSONPath selects in the body.
        case json(ImportedText)
        case header(ImportedText)
        case cookie(ImportedText)
        /// The first group of a pattern in the text of the body.
        case regex(String)
        case xpath(String)
        case status
        /// The body: a value if it is JSON, otherwise text.
        case body
        /// The body as text.
        case text
        /// A CEL expression.
        case expression(String)
    }

    /// The name of the variable.
    package var name: String
    /// The source of the value.
    package var source: Source
    /// The pattern whose first group is kept of a header, cookie or XPath.
    package var pattern: String?
    /// The value if nothing is found; nil if the step then fails.
    package var fallback: ImportedValue?
    /// Whether the value is masked in all output.
    package var isSecret = false
    /// Whether the test of the source fails if nothing is found, so that the capture is also an expectation.
    package var isExpectation = false

    /// Creates a capture.
    package init(_ name: String, _ source: Source) {
        self.name = name
        self.source = source
    }

    /// The expectation that something is found; nil if the source has none.
    var existence: ImportedCheck? {
        let exists = ImportedMatcher(.exists, true)
        switch source {
        case .json(let path): return .matches(.json(path), exists)
        case .header(let name): return .matches(.header(name), exists)
        case .cookie(let name): return .matches(.cookie(name), exists)
        case .regex(let pattern): return .matches(.text, ImportedMatcher(.matches, .literal(pattern)))
        case .xpath, .status, .body, .text, .expression: return nil
        }
    }
}
