import JSON
import RegularExpressions

/// The forms of sentences, as the usual frameworks and validators write them.
extension RefusalSentence {
    /// Types of programming languages: Jackson, Spring, .NET.
    static let typeForms: [Form] = [
        Form(rules: #"Enum class: ?\[(?<values>[^\]]*)\]"#) { $0.allowed },
        Form(rules: #"(?:required type|converted to|convert to(?: type)?) ['"`]?(?<type>[A-Za-z][\w.]*\w)"#) {
            Lesson.Rule.type(named: $0.string("type"))
        },
        Form(rules: #"value of type ['"`]?(?<type>[A-Za-z][\w.]*\w)"#) {
            Lesson.Rule.type(named: $0.string("type"))
        },
        Form(
            rules:
                #"out of range (?:of|for)(?: an?| type)? ['"`]?(?<type>byte|short|int|integer|long|Int16|Int32|Int64)\b"#
        ) {
            Lesson.Rule.integers(of: $0.string("type"))
        },
    ]

    /// Lists of values, and regular expressions.
    static let valueForms: [Form] = [
        Form(
            rules:
                #"(?:one of|(?:allowed|accepted|valid|permitted|possible|following|supported) values(?: are| is)?|choose from|must be in)(?: the following(?: values)?)?:? *[\[({]?(?<values>[^\])}]+)"#
        ) { $0.allowed },
        Form(rules: #"(?:input should be|must be either|expected) (?<values>'[^']*'(?:, '[^']*')*,? or '[^']*')"#) {
            $0.allowed
        },
        Form(
            rules:
                #"(?:match(?:es)?|fails to match)(?: the)?(?: following| required)?(?: regular expression| regex| pattern| format)?(?: pattern)?:? *(?:"(?<double>.+)"|'(?<single>.+)'|`(?<back>.+)`|/(?<slash>.+)/|(?<plain>\^\S+\$))"#
        ) { match in
            let pattern = ["double", "single", "back", "slash", "plain"].lazy.map { match.string($0) }
                .first { !$0.isEmpty }
            guard let pattern, (try? RegularExpression(pattern, dialect: .ecmaScript)) != nil else { return [] }
            return [.pattern(pattern)]
        },
        Form(
            rules:
                #"(?:characters other than|only(?: contain| be| have| include)?|consist(?:s)? (?:only )?of)(?: the)?(?: ascii| english)? (?<classes>(?:alphanumeric|letter|digit|number|alphabetic|lowercase|uppercase)(?:'\.'|[^.])*)"#
        ) { match in
            let pattern = CharacterWords.pattern(match.string("classes"))
            return pattern.map { [.pattern($0)] } ?? []
        },
        Form(rules: #"(?:have|of|contain|exactly|be) (?<count>\d{1,2}) digits"#) {
            $0.number("count").map { [.pattern("[0-9]{\($0)}")] } ?? []
        },
        Form(rules: #"must be (?:entirely )?alpha-?numeric"#) { _ in [.pattern("[A-Za-z0-9]+")] },
    ]

    private static let name = #"['"`](?<members>[\w.\[\]-]+)['"`]"#
    private static let names = #"(?<members>['"`][\w.\[\]-]+['"`](?:,? (?:and )?['"`][\w.\[\]-]+['"`])*)"#

    /// Members and parameters that are not allowed, and required ones whose names are part of the form.
    static let nameForms: [Form] = [
        Form(#"(?:request|http) body (?:is )?(?:missing|required|empty|must not be (?:empty|null))"#) { _ in
            Statement(rules: [.required], isAboutBody: true)
        },
        Form(
            members:
                #"(?:unrecognized|unknown|unexpected|undeclared|unpermitted|unsupported|extra|invalid additional) (?:(?:json|query|request) )?(?:field|property|properties|parameters?|key|keys|attribute|argument|member)(?:\(s\))?(?: name)?(?: in (?:the )?(?:object|body|request))?:? "#
                + names, .forbidden),
        Form(
            members: #"(?:parameter|field|property|attribute|key)(?: name)? "# + name
                + #" (?:is|are) not (?:allowed|permitted|supported|recognized)(?:$|[.,)])"#, .forbidden),
        Form(
            members: #"^"# + name + #" (?:is|are) not (?:allowed|permitted|supported|recognized)(?:$|[.,)])"#,
            .forbidden),
        Form(
            members: #"additional properties are not allowed \((?<members>[^)]*?) (?:was|were) unexpected"#, .forbidden),
        Form(members: #"^property (?<members>[\w.-]+) should not exist"#, .forbidden),
        Form(members: #"^unpermitted parameters?: (?<members>:[\w]+(?:, :[\w]+)*)"#, .forbidden),
        Form(
            rules:
                #"^(?:unknown|unexpected|unrecognized) (?:field|property|parameter|key)\.?$|extra (?:inputs|fields) (?:are )?not permitted|must not have additional properties"#
        ) { _ in [.forbidden] },
        Form(members: name + #" is a required (?:property|field|parameter|attribute)"#, .required),
        Form(
            members:
                #"(?:must have|should have|missing|requires?|lacks)(?: a| the)?(?: required)? (?:property|properties|field|fields|key|keys|attribute|member|creator property)(?:\(s\))?:? "#
                + names, .required),
        Form(
            members:
                #"(?:required|missing)(?: required)?(?: [\w.<>\[\]]+)?(?: request| query| header| body)? (?:parameter|header|argument|param)(?: name)?:? "#
                + name, .required),
        Form(
            members: #"(?:parameter|argument|header|field|property) "# + name
                + #" (?:is|was) (?:required|missing|not present|not provided|absent)"#, .required),
    ]

    private static let count = #"'?"?(?<count>\d{1,9})\b'?"?"#
    private static let characters = #" ?(?:char|characters?|letters|symbols|utf-8)"#

    /// The lengths of strings and arrays.
    static let lengthForms: [Form] = [
        Form(
            rules:
                #"(?:size|length|long|characters?)\b[^\d]*between '?(?<low>\d{1,9})'? (?:and|to|-) '?(?<high>\d{1,9})|between '?(?<from>\d{1,9})'?(?: characters)? (?:and|to|-) '?(?<upTo>\d{1,9})'? ?char|minimum length of '?(?<least>\d{1,9})'? and (?:a )?maximum length of '?(?<most>\d{1,9})|(?<first>\d{1,9}) ?(?:-|to) ?(?<second>\d{1,9}) characters"#
        ) { match in
            let low = match.number("low") ?? match.number("from") ?? match.number("least") ?? match.number("first")
            let high = match.number("high") ?? match.number("upTo") ?? match.number("most") ?? match.number("second")
            guard let low, let high, low <= high else { return [] }
            return [.minimumLength(low), .maximumLength(high)]
        },
        Form(rules: count + characters + #" or (?<more>more|less|fewer)"#) { match in
            guard let count = match.number("count") else { return [] }
            return [match.string("more").lowercased() == "more" ? .minimumLength(count) : .maximumLength(count)]
        },
        Form(
            rules:
                #"(?:at least|minimum(?: length)?(?: is| of)?|(?:fewer|less|shorter) than|(?:longer|more|greater) than or equal to|minimum) "#
                + count + characters
        ) { $0.number("count").map { [.minimumLength($0)] } ?? [] },
        Form(
            rules:
                #"(?:at most|up to|maximum(?: length)?(?: is| of)?|(?:more|greater|longer) than|(?:shorter|less|fewer) than or equal to|exceed(?:s|ed)?|limit of|maximum) "#
                + count + characters
        ) { $0.number("count").map { [.maximumLength($0)] } ?? [] },
        Form(rules: #"(?:exactly|must be|length(?: of)?) "# + count + characters) {
            $0.number("count").map { [.minimumLength($0), .maximumLength($0)] } ?? []
        },
        Form(
            rules:
                #"(?:minimum length(?: of| is)?:?|shorter than minimum length|length (?:must be |should be |is )?(?:at least|>=|greater than or equal to|no less than)|minlength:?|too short[^\d]*) ?"#
                + count
        ) { $0.number("count").map { [.minimumLength($0)] } ?? [] },
        Form(
            rules:
                #"(?:maximum length(?: of| is)?:?|longer than maximum length|length (?:must be |should be |is )?(?:at most|<=|less than or equal to|no more than)|length (?:must |should )?not exceed|maxlength:?|too long[^\d]*) ?"#
                + count
        ) { $0.number("count").map { [.maximumLength($0)] } ?? [] },
        Form(
            rules: #"(?:at least|minimum(?: of)?|(?:fewer|less) than) "# + count
                + #" (?:items?|elements?|entries|entry)"#
        ) {
            $0.number("count").map { [.minimumItems($0)] } ?? []
        },
        Form(rules: #"(?:at most|maximum(?: of)?|more than) "# + count + #" (?:items?|elements?|entries|entry)"#) {
            $0.number("count").map { [.maximumItems($0)] } ?? []
        },
        Form(
            rules:
                #"(?:not|n't) be (?:left )?(?:blank|an empty string|empty|null or empty)|must be (?:non-?empty|non-?blank)|not allowed to be empty|(?:is|was) (?:blank|empty)\b"#
        ) { _ in [.required, .minimumLength(1)] },
    ]

    private static let value = #"'?"?(?<value>-?\d{1,18}(?:\.\d{1,9})?)\b"#

    /// The bounds of numbers.
    static let numberForms: [Form] = [
        Form(
            rules:
                #"(?:between|from) '?(?<low>-?\d{1,18}(?:\.\d{1,9})?)'? (?:and|to) '?(?<high>-?\d{1,18}(?:\.\d{1,9})?)"#
        ) {
            guard let low = $0.decimal("low"), let high = $0.decimal("high") else { return [] }
            return [.minimum(low, isExclusive: false), .maximum(high, isExclusive: false)]
        },
        Form(rules: #"positive (?:number |integer )?or (?:zero|0)|non-?negative|zero or (?:greater|more|positive)"#) {
            _ in
            [.minimum(0, isExclusive: false)]
        },
        Form(rules: #"negative or (?:zero|0)|non-?positive"#) { _ in [.maximum(0, isExclusive: false)] },
        Form(rules: #"\bpositive\b"#) { _ in [.minimum(0, isExclusive: true)] },
        Form(rules: #"(?:not|n't) be (?:a )?negative"#) { _ in [.minimum(0, isExclusive: false)] },
        Form(rules: #"\b(?:be|a) negative\b"#) { _ in [.maximum(0, isExclusive: true)] },
        Form(
            rules:
                #"(?:(?:greater|larger|higher|more) than or equal to|>=|at least|(?:not|n't) be (?:less|lower|smaller) than|no less than|less than the minimum(?: of)?|minimum(?: value)?(?: is| of)?:?) ?"#
                + value
        ) { $0.decimal("value").map { [.minimum($0, isExclusive: false)] } ?? [] },
        Form(
            rules:
                #"(?:(?:less|smaller|lower) than or equal to|<=|at most|(?:not|n't) be (?:greater|larger|higher|more) than|no (?:more|greater) than|greater than the maximum(?: of)?|(?:not|n't) exceed|maximum(?: value)?(?: is| of)?:?) ?"#
                + value
        ) { $0.decimal("value").map { [.maximum($0, isExclusive: false)] } ?? [] },
        Form(rules: value + #" or (?<more>more|greater|higher|less|lower|fewer)"#) { match in
            guard let value = match.decimal("value") else { return [] }
            let isLower = ["more", "greater", "higher"].contains(match.string("more").lowercased())
            return [isLower ? .minimum(value, isExclusive: false) : .maximum(value, isExclusive: false)]
        },
        Form(rules: #"(?:be |is )(?:(?:greater|larger|higher|more) than|above|>) ?"# + value) {
            $0.decimal("value").map { [.minimum($0, isExclusive: true)] } ?? []
        },
        Form(rules: #"(?:be |is )(?:(?:less|smaller|lower) than|below|<) ?"# + value) {
            $0.decimal("value").map { [.maximum($0, isExclusive: true)] } ?? []
        },
    ]

    private static let words =
        #"(?<words>e-?mail(?: address)?|(?:absolute |http )?ur[li]|uuid|guid|date-?time|iso[ -]?8601(?: date(?: string|time)?)?|timestamp|date|time|duration|ipv4(?: address)?|ipv6(?: address)?|ip(?: address)?|hostname|domain(?: name)?)\b"#

    /// Formats and types.
    static let formatForms: [Form] = [
        Form(
            rules:
                #"(?:valid|well-?formed|must be an?|should be an?|expected an?|expected|invalid|malformed|is not an?) (?:format for )?(?:iso-? ?8601 )?"#
                + words
        ) { match in
            let words = match.string("words")
            let isISO = match.text.lowercased().contains("8601") && words.lowercased() != "date"
            return (Lesson.Rule.format(named: words) ?? (isISO ? "date-time" : nil)).map { [.format($0)] } ?? []
        },
        Form(rules: words + #" (?:is|has) (?:invalid|malformed|not valid|not a valid|an invalid format)"#) { match in
            Lesson.Rule.format(named: match.string("words")).map { [.format($0)] } ?? []
        },
        Form(
            rules:
                #"(?:must be|should be|expected|of type|valid) (?:an? )?(?:valid )?['"`]?(?<type>integer|int|number|string|str|boolean|bool|array|list|object|dict|dictionary|decimal|float)\b"#
        ) { match in
            Lesson.Rule.type(named: match.string("type")).filter { if case .type = $0 { true } else { false } }
        },
    ]

    /// Required values, which other forms also mention.
    static let requiredForms: [Form] = [
        Form(
            rules:
                #"(?:is|are|was|field|value) (?:a )?(?:required|mandatory|missing|not present|not provided|undefined)\b|field required|missing data for required|(?:not|n't) be (?:null|none|nil|undefined|missing)|(?:must|should) be (?:present|provided|specified|given)|field missing|^required\.?$|^missing\.?$|may not be null"#
        ) { _ in [.required] }
    ]
}

extension RegularExpression.Match {
    /// Returns the string of a group, or an empty string if it did not participate.
    fileprivate func string(_ group: String) -> String { text(ofGroup: group).map(String.init) ?? "" }

    fileprivate func number(_ group: String) -> Int? { text(ofGroup: group).flatMap { Int($0) } }

    fileprivate func decimal(_ group: String) -> JSONNumber? {
        text(ofGroup: group).flatMap { JSONNumber(literal: $0) }
    }

    /// Returns the elements of a list such as `'a', 'b' and 'c'` without their quotation marks.
    func listedValues(_ group: String) -> [String] { ListedValues.values(string(group)) }

    /// The rule for listed values.
    fileprivate var allowed: [Lesson.Rule] {
        let values = listedValues("values")
        return values.isEmpty ? [] : [.allowed(values.map { .string($0) })]
    }
}
