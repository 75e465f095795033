/// The general categories of Unicode as sets, from the standard library's data.
enum GeneralCategories {
    /// Returns the category with a short name such as `L` or `Lu`.
    static func set(abbreviation: String) -> ScalarSet? {
        if let index = abbreviations.firstIndex(of: abbreviation) { return tables[index] }
        let members: [String]
        switch abbreviation {
        case "LC": members = ["Lu", "Ll", "Lt"]
        case "L", "M", "N", "P", "S", "Z", "C": members = abbreviations.filter { $0.hasPrefix(abbreviation) }
        default: return nil
        }
        return members.reduce(into: ScalarSet()) { result, member in
            if let index = abbreviations.firstIndex(of: member) { result.formUnion(tables[index]) }
        }
    }

    /// Returns the category with a short or long name such as `Lu` or `Uppercase_Letter`.
    static func set(name: String) -> ScalarSet? {
        set(abbreviation: name) ?? longNames[name].flatMap(set(abbreviation:))
    }

    private static let abbreviations = [
        "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po",
        "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
    ]

    private static let longNames = [
        "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
        "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M",
        "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd",
        "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P",
        "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe",
        "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S",
        "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z",
        "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc",
        "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
    ]

    /// One set per element of `abbreviations`, built in a single pass on first use.
    private static let tables: [ScalarSet] = {
        var tables = [ScalarSet](repeating: ScalarSet(), count: 30)
        // Planes 4 to 13 and the rest of 14 are unassigned; 15 and 16 are for private use.
        for scalar in [0...0x3FFFF, 0xE0000...0xE0FFF].joined() {
            let value = UInt32(scalar)
            let category = Unicode.Scalar(value).map { index(of: $0.properties.generalCategory) } ?? 27
            tables[category].append(ascending: value...value)
        }
        tables[29].formUnion(ScalarSet([0x40000...0xDFFFF, 0xE1000...0xEFFFF, 0xFFFFE...0xFFFFF, 0x10FFFE...0x10FFFF]))
        tables[28].formUnion(ScalarSet([0xF0000...0xFFFFD, 0x100000...0x10FFFD]))
        return tables
    }()

    private static func index(of category: Unicode.GeneralCategory) -> Int {
        switch category {
        case .uppercaseLetter: 0
        case .lowercaseLetter: 1
        case .titlecaseLetter: 2
        case .modifierLetter: 3
        case .otherLetter: 4
        case .nonspacingMark: 5
        case .spacingMark: 6
        case .enclosingMark: 7
        case .decimalNumber: 8
        case .letterNumber: 9
        case .otherNumber: 10
        case .connectorPunctuation: 11
        case .dashPunctuation: 12
        case .openPunctuation: 13
        case .closePunctuation: 14
        case .initialPunctuation: 15
        case .finalPunctuation: 16
        case .otherPunctuation: 17
        case .mathSymbol: 18
        case .currencySymbol: 19
        case .modifierSymbol: 20
        case .otherSymbol: 21
        case .spaceSeparator: 22
        case .lineSeparator: 23
        case .paragraphSeparator: 24
        case .control: 25
        case .format: 26
        case .surrogate: 27
        case .privateUse: 28
        case .unassigned: 29
        @unknown default: 29
        }
    }
}
