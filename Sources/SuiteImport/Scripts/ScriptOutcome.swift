/// The result of translating a script.
struct ScriptOutcome {
    /// A part of a script that has no translation.
    struct Issue {
        /// The construct that has no translation.
        var construct: String
        /// The range of the statement in the script.
        var range: Range<Int>
        /// The number of assertions in it.
        var assertions: Int
    }

    /// A variable that the script sets.
    struct Assignment {
        /// The name in the source.
        var source: String
        /// The name in the suite.
        var name: String
        /// The name in the suite before the assignment; not the same as `name` if the new value depends on the old one.
        var previous: String
        /// The value.
        var value: ScriptValue
        /// The condition under which the script sets the variable; nil if it always does.
        var condition: ScriptCondition?

        /// The values that an assignment of a default replaces.
        enum DefaultKind {
            /// No value.
            case missing
            /// No value, or one that is false in a condition, such as an empty string.
            case falsy
        }

        /// The values that the assignment replaces if it replaces no others; nil otherwise.
        var defaultKind: DefaultKind? {
            guard let test = condition?.expression else { return nil }
            let variable = ScriptValue.computed(name, .any)
            if test == ScriptCondition.not(.truth(variable)).expression { return .falsy }
            return test == ScriptCondition.claim(ScriptClaim(variable, .equals(.null))).expression ? .missing : nil
        }
    }

    /// A request that the script sends before its own.
    struct Setup {
        /// The request.
        var request: ImportedRequest
        /// The expectations of its response.
        var checks: [ImportedCheck] = []
        /// The variables that are set from its response.
        var assignments: [Assignment] = []
    }

    /// The next request that a script selects.
    enum Next: Hashable {
        case request(String)
        /// The run ends.
        case none
    }

    /// The expectations.
    var checks: [ImportedCheck] = []
    /// The number of assertions that became expectations.
    var translated = 0
    /// The variables that the script sets, in order.
    var assignments: [Assignment] = []
    /// The requests that the script sends, in order.
    var setups: [Setup] = []
    /// The parts without a translation, in order.
    var issues: [Issue] = []
    /// The parts that a suite does not need, by their kind.
    var omitted: [String] = []
    /// The next request; nil if the script does not select it.
    var next: Next?
    /// The changes to the request.
    var changes: [RequestChange] = []
    /// The time in milliseconds that the script waits.
    var delay = 0
    /// Whether the script skips its request.
    var isSkipped = false
    /// Whether the script computes a digest of the body, which is then sent as it is written.
    var signsBody = false

    /// Whether the script has no effects but its expectations, and is translated completely.
    var hasOnlyChecks: Bool {
        assignments.isEmpty && setups.isEmpty && issues.isEmpty && next == nil && changes.isEmpty && delay == 0
            && !isSkipped
    }

    /// Whether the script replaces the URL or the method of its request.
    var changesTarget: Bool {
        changes.contains { change in
            switch change {
            case .url, .method: true
            default: false
            }
        }
    }

    /// Whether the script replaces the body of its request.
    var replacesBody: Bool { changes.contains { if case .body = $0 { true } else { false } } }
}

/// The names of the variables of a source in the suite, and the types of their values.
struct ScriptVariables {
    /// The type of a variable's values.
    enum Kind {
        /// Strings that are not numbers.
        case string
        /// A number, `true` or `false`.
        case scalar
        /// Any value of a JSON body.
        case any
    }

    /// The names of made-up values that are unknown, for comments.
    var unknownDynamicValues: [String] = []
    /// The constant objects and arrays that scripts of the current request have set, by the names in the source.
    var constants: [String: ScriptValue] = [:]

    /// The names in the source that every environment has, so that requests use none of the collection and of the globals.
    var hidden: Set<String> = []
    /// The names of the elements in the current expression.
    var elements: Set<String> = []

    private var names = ImportedNames()
    private var current: [String: String] = [:]
    private var kinds: [String: Kind] = [:]
    /// The names whose initial values are texts, although the suite writes them as numbers or Booleans.
    private var scalarTexts: Set<String> = []

    /// Returns the name of a variable in the suite.
    mutating func name(_ source: String) -> String {
        if let name = current[source] { return name }
        // Within an expression about elements, their name hides a variable.
        if elements.contains(ImportedNames.valid(source)) { names.reserve(ImportedNames.valid(source), unless: source) }
        return names.name(source)
    }

    /// Returns the name of the elements of a list, which no variable and no other element has.
    func element(named name: String?) -> String {
        var names = names
        for element in elements { _ = names.unique(element) }
        return names.unique(ImportedNames.valid(name ?? "element"))
    }

    /// Returns the name of a variable for a made-up value of a script.
    mutating func madeUp(_ source: String) -> String {
        names.unique("madeUp" + ImportedNames.valid(source.prefix(1).uppercased() + source.dropFirst()))
    }

    /// Returns a new name for a variable, whose values so far keep the old one.
    mutating func renewed(_ source: String) -> String {
        let name = names.unique(names.name(source))
        current[source] = name
        return name
    }

    /// Returns the type of the values of a variable, by its name in the suite.
    func kind(_ name: String) -> Kind { kinds[name] ?? .string }

    /// Records a value of a variable.
    mutating func note(_ kind: Kind, of name: String) {
        guard let other = kinds[name], other != kind else { return kinds[name] = kind }
        kinds[name] = .any
    }

    /// Records that the initial value of a variable is text, although the suite writes it as a number or Boolean.
    mutating func noteScalarText(of name: String) {
        scalarTexts.insert(name)
        note(.scalar, of: name)
    }

    /// Returns whether the value of a variable is a text that the suite writes as a number or Boolean.
    func isScalarText(_ name: String) -> Bool { scalarTexts.contains(name) && kind(name) == .scalar }

    /// Records a value that a script sets.
    mutating func note(_ value: ScriptValue, of name: String) {
        switch value {
        case .number, .bool, .length:
            scalarTexts.remove(name)
            note(.scalar, of: name)
        case .text(let text):
            let kind = text.soleExpression.map { DynamicValues.kind($0) ?? self.kind($0) }
            note(kind ?? .string, of: name)
        default: note(value.kind == .string ? .string : .any, of: name)
        }
    }
}
