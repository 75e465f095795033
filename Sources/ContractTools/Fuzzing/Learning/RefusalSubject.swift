import RegularExpressions

/// The part of a request that a sentence of a response is about.
struct RefusalSubject {
    private static let maximumSteps = 2_000_000

    /// A form of sentences with a name.
    private struct Form: Sendable {
        /// The trust in a name that the description does not contain.
        enum Evidence: Sendable { case none, ifLowercase, strong }

        let expression: RegularExpression?
        let evidence: Evidence

        init(_ pattern: String, _ evidence: Evidence) {
            expression = try? RegularExpression(pattern, dialect: .ecmaScript, options: .caseInsensitive)
            self.evidence = evidence
        }
    }

    private static let forms = [
        // `Field "x"`, `parameter 'x'`
        Form(
            #"(?:parameter|field|property|attribute|key|member|argument|column|header)(?: name| named)?:? ?["'`\[](?<name>[\w.\[\]-]+)["'`\]]"#,
            .strong),
        // `email - must not be blank`, `body.email: must not be blank`
        Form(#"^["'`]?(?<name>[\w$][\w.$\[\]-]*)["'`]? ?(?: - |: |=> ?)"#, .ifLowercase),
        // `"email" must be a valid email`
        Form(#"^["'`](?<name>[\w.\[\]-]+)["'`] "#, .ifLowercase),
        // `subject field missing`
        Form(
            #"(?:^|\s)(?<name>[\w.]+) (?:field|property|parameter|param|attribute) (?:is |was )?(?:missing|required|not provided)"#,
            .strong),
        // `The field Username must be …`
        Form(#"^the field (?<name>[\w.]+) "#, .strong),
        // `The username field must …`, `Topic name is invalid`, `/name must be string`
        Form(
            #"^(?:the |your )?(?:field |parameter |property )?(?<name>[\w./$\[\]-]+(?: [\w-]+){0,3}?)(?: field| parameter| property| value)? (?:is|are|must|should|has|have|cannot|can't|can|may|needs?|does|was|length|size|contains?|shall)\b"#,
            .ifLowercase),
        // `Invalid value for email: …`
        Form(#"(?:value|format) for (?:the )?["'`]?(?<name>[\w.\[\]-]+)"#, .none),
    ]
    private static let chain = try? RegularExpression(#"\["(?<name>[^"\]]+)"\]"#, dialect: .ecmaScript)
    private static let quoted = try? RegularExpression(
        #"(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|`(?<back>[^`]*)`)"#, dialect: .ecmaScript)

    private let text: String
    private let request: RefusedRequest

    /// Creates the subject of a sentence.
    init(_ text: String, _ request: RefusedRequest) {
        self.text = String(text.prefix(1_000))
        self.request = request
    }

    /// Returns the part, or `nil` if it is unknown.
    ///
    /// - Parameter isRequired: Whether the sentence requires the part, so that it may be one that is not described.
    func place(isRequired: Bool) -> Lesson.Place? {
        if let names = chained, !names.isEmpty { return request.target(names)?.place }
        for form in Self.forms {
            var steps = Self.maximumSteps
            guard let match = try? form.expression?.firstMatch(in: text, steps: &steps),
                let name = match.text(ofGroup: "name").map(String.init)
            else { continue }
            guard let target = request.target([name]) else { continue }
            if target.isKnown { return target.place }
            let isTrusted =
                switch form.evidence {
                case .none: false
                case .ifLowercase: name.first?.isLowercase == true || name.contains("_") || name.contains(".")
                case .strong: true
                }
            if isRequired, isTrusted, !name.contains(" ") { return target.place }
        }
        return valued
    }

    /// The names of a chain of references: `User["address"]->Address["street"]`.
    private var chained: [String]? {
        guard let range = text.firstRange(of: "reference chain:") else { return nil }
        let rest = String(text[range.upperBound...])
        var names: [String] = []
        var offset = 0
        var steps = Self.maximumSteps
        while names.count < 20, let match = try? Self.chain?.firstMatch(in: rest, from: offset, steps: &steps) {
            if let name = match.text(ofGroup: "name") { names.append(String(name)) }
            offset = max(match.range.upperBound, offset + 1)
        }
        return names
    }

    /// The part whose name or value the sentence quotes.
    private var valued: Lesson.Place? {
        var offset = 0
        var steps = Self.maximumSteps
        var quotes: [String] = []
        while quotes.count < 10, let match = try? Self.quoted?.firstMatch(in: text, from: offset, steps: &steps) {
            let quote = ["double", "single", "back"].lazy.compactMap { match.text(ofGroup: $0) }.first
            if let quote, !quote.isEmpty { quotes.append(String(quote)) }
            offset = max(match.range.upperBound, offset + 1)
        }
        for quote in quotes {
            if let target = request.target([quote]), target.isKnown { return target.place }
        }
        return quotes.lazy.compactMap { request.place(of: $0) }.first
    }
}
