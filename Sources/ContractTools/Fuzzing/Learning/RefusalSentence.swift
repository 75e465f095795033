import JSON
import RegularExpressions

/// A sentence of a response that refused a request, with the rules that it states.
struct RefusalSentence {
    /// The rules of a sentence.
    struct Statement: Equatable {
        var rules: [Lesson.Rule]
        /// The names of the members that the sentence states together with the rule, as in `"name" is required`.
        var members: [String] = []
        /// Whether the rule applies to the whole body.
        var isAboutBody = false
    }

    fileprivate static let maximumLength = 1_000
    private static let maximumSteps = 2_000_000

    /// The forms of sentences, in the order in which they are tried.
    private static let forms: [Form] =
        typeForms + valueForms + nameForms + lengthForms + numberForms + formatForms
        + requiredForms

    private let text: String

    /// Creates a sentence.
    init(_ text: some StringProtocol) {
        self.text = String(text.prefix(Self.maximumLength))
    }

    /// The rules that the sentence states, or `nil` if it states none.
    var statement: Statement? {
        for form in Self.forms {
            guard let match = form.match(in: text) else { continue }
            if let statement = form.statement(match) { return statement }
        }
        return nil
    }

    // MARK: Forms

    /// A form of sentences.
    struct Form: Sendable {
        private let expression: RegularExpression?
        private let make: @Sendable (RegularExpression.Match) -> Statement?

        init(_ pattern: String, _ make: @escaping @Sendable (RegularExpression.Match) -> Statement?) {
            expression = try? RegularExpression(pattern, dialect: .ecmaScript, options: .caseInsensitive)
            self.make = make
        }

        /// Creates a form that states rules about a subject.
        init(rules pattern: String, _ make: @escaping @Sendable (RegularExpression.Match) -> [Lesson.Rule]) {
            self.init(pattern) { match in
                let rules = make(match)
                return rules.isEmpty ? nil : Statement(rules: rules)
            }
        }

        /// Creates a form that states one rule about members that it names.
        init(members pattern: String, _ rule: Lesson.Rule) {
            self.init(pattern) { match in
                let names = match.listedValues("members")
                return names.isEmpty ? nil : Statement(rules: [rule], members: names)
            }
        }

        func match(in text: String) -> RegularExpression.Match? {
            var steps = RefusalSentence.maximumSteps
            return try? expression?.firstMatch(in: text, steps: &steps)
        }

        func statement(_ match: RegularExpression.Match) -> Statement? { make(match) }
    }
}

/// The statements of sentences that were read before, because the responses of a server repeat a few sentences.
final class RefusalStatements {
    private static let (maximumCount, maximumBytes) = (1_000, 4_000)

    private var known: [String: RefusalSentence.Statement?] = [:]

    /// Returns the rules that a sentence states, or `nil` if it states none.
    func statement(of sentence: some StringProtocol) -> RefusalSentence.Statement? {
        let text = String(sentence.prefix(RefusalSentence.maximumLength))
        if let statement = known[text] { return statement }
        let statement = RefusalSentence(text).statement
        guard text.utf8.count <= Self.maximumBytes else { return statement }
        if known.count >= Self.maximumCount { known = [:] }
        known.updateValue(statement, forKey: text)
        return statement
    }
}
