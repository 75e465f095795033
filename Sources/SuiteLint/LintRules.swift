/// The rules of `apitest lint`.
public enum LintRules {
    /// What looks for each rule, in the order of the documentation.
    static let checks: [any LintCheck.Type] = [
        UnusedCapture.self, UnusedVariable.self, ShadowedName.self, NeverFails.self, NoExpectation.self,
        ConstantCondition.self, NoEffect.self, UnorderedTests.self, DuplicateName.self, FocusedTest.self,
        UnusedFragment.self, UnusedNamespace.self, PlainTextSecret.self,
    ]

    /// The rule for a comment that allows a rule that there is not, or one that finds nothing there.
    static let unusedAllowance = LintRule(
        "unused-allowance", "A comment `# apitest: allow …` that silences nothing, or names no rule")

    /// The rules that are checked by `lint` alone.
    public static let all: [LintRule] = checks.map { $0.rule } + [unusedAllowance]

    /// The warnings of every load, which can be switched off as rules can.
    public static let ofLoading: [LintRule] = [
        LintRule("invalid-dotenv", "A name that a dotenv file gives twice"),
        LintRule("missing-file", "A dotenv file that is not there, where a similar one is"),
        LintRule("missing-library", "libxml2, which XPath needs, is not installed"),
        LintRule("never-equal", "A duration that is expected to be exactly equal"),
        LintRule("short-secret", "A secret that is masked only where it is a whole value"),
        LintRule("unknown-keyword", "A keyword of a JSON Schema that is unknown, and much like a known one"),
        LintRule("unknown-secret", "A name under `secrets` that nothing has"),
        LintRule("unusual-method", "A method that is much like a usual one"),
    ]

    /// Every name that can be switched on or off.
    public static var names: [String] { (all + ofLoading).map(\.id) }
}
