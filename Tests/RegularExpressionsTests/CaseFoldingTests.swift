import RegularExpressions
import Testing

/// Classes that ignore case, compared with the same classes that do not.
@Suite struct CaseFoldingTests {
    /// The scalars of the blocks that have letters with case, and some others.
    private static let scalars = [
        UInt32(0)...0x24FF, 0x2C00...0x2DFF, 0xA640...0xABFF, 0xFB00...0xFFFF, 0x10400...0x104FF, 0x1E900...0x1E95F,
    ].joined().compactMap(Unicode.Scalar.init)

    /// Returns scalars that are the same for all scalars with the same case folding.
    private static func key(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        // The dotless i folds to itself, although its uppercase letter is I.
        scalar == "ı" ? [scalar] : Array(String(scalar).lowercased().uppercased().unicodeScalars)
    }

    @Test(arguments: [
        #"\S"#, #"\s"#, #"\w"#, #"\D"#, #"[^k]"#, #"[^A-Z]"#, #"[\w.-]"#, #"[^\w.-]"#, #"[a-c\u017F]"#, #"[\u212A!]"#,
        #"[^\]]"#, #"[\u00C0-\u017E]"#, #"[^\u0370-\u03FF]"#, #"\p{Lu}"#, #"[^\P{Ll}]"#, #"[\u00A0\u3000]"#,
    ])
    func matchScalarsWithTheSameFolding(pattern: String) throws {
        let exact = try RegularExpression("^\(pattern)$", dialect: .ecmaScript)
        let ignoring = try RegularExpression("^\(pattern)$", dialect: .ecmaScript, options: .caseInsensitive)
        // A negated class excludes all scalars that fold to one of those that it lists.
        let isNegated = pattern.hasPrefix("[^")
        let keys = Set(
            try Self.scalars.filter { try exact.matches(String($0)) != isNegated }.map { Self.key($0) })
        for scalar in Self.scalars {
            let isFound = try ignoring.matches(String(scalar)) != isNegated
            #expect(isFound == keys.contains(Self.key(scalar)), "\(pattern) on U+\(String(scalar.value, radix: 16))")
        }
    }
}
