/// The rules of `apitest lint`.
public enum LintRules {
    /// The check of each rule, in the order of the documentation.
    static let checks: [any LintCheck.Type] = [
        UnusedCapture.self, UnusedVariable.self, ShadowedName.self, NeverFails.self, NoExpectation.self,
        ConstantCondition.self, NoEffect.self, UnorderedTests.self, UnchangedCapture.self, DuplicateName.self,
        FocusedTest.self, UnusedFragment.self, UnusedNamespace.self, PlainTextSecret.self, UnmaskedDotenv.self,
        SingleValueMatcher.self,
    ]

    /// The rule for a comment that allows an unknown rule, or a rule that finds nothing there.
    static let unusedAllowance = LintRule(
        "unused-allowance", "A comment `# apitest: allow …` that suppresses nothing, or names an unknown rule")

    /// The rules that only `lint` checks.
    public static let all: [LintRule] = checks.map { $0.rule } + [unusedAllowance]

    /// The warnings of the loader, which can be disabled like rules.
    public static let ofLoading: [LintRule] = [
        LintRule("foreign-template", "A template of other tools, such as `{{name}}`, which is sent as it is written"),
        LintRule("invalid-dotenv", "A name that is defined twice in a dotenv file"),
        LintRule("missing-file", "A dotenv file that does not exist, with a similarly named file"),
        LintRule("missing-library", "libxml2, which XPath requires, is not installed"),
        LintRule("never-equal", "A duration that is expected to be exactly equal"),
        LintRule("short-secret", "A secret whose value is too short to mask"),
        LintRule("unknown-keyword", "An unknown keyword of a JSON Schema that resembles a known one"),
        LintRule("unknown-secret", "A name under `secrets` that matches nothing"),
        LintRule("unusual-method", "A method that resembles a common one"),
    ]

    /// The names of all rules and warnings that can be enabled or disabled.
    public static var names: [String] { (all + ofLoading).map(\.id) }
}
