import Synchronization

/// The binary properties ECMA-262 names (table 69), from the standard library's data.
enum BinaryProperties {
    /// Sets built so far; a lock suffices as they are asked for only while patterns are compiled.
    private static let built = Mutex<[String: ScalarSet]>([:])

    /// The set of a property by its long or short name.
    static func set(_ name: String) -> ScalarSet? {
        switch name {
        case "Any": return .all
        case "ASCII": return ScalarSet([0...0x7F])
        case "Regional_Indicator", "RI": return EmojiTable.regionalIndicator
        case "Emoji_Component", "EComp": return EmojiTable.component
        case "Extended_Pictographic", "ExtPict": return EmojiTable.extendedPictographic
        case "Assigned": return GeneralCategories.set(abbreviation: "Cn")?.complement
        default: break
        }
        if let set = built.withLock({ $0[name] }) { return set }
        guard let test = test(name) else { return nil }
        var set = ScalarSet()
        // No binary property but Default_Ignorable_Code_Point and Noncharacter_Code_Point reaches beyond these planes.
        for value in [UInt32(0)...0x3FFFF, 0xE0000...0xE0FFF].joined() {
            if let scalar = Unicode.Scalar(value), test(scalar.properties) { set.append(ascending: value...value) }
        }
        if name == "Noncharacter_Code_Point" || name == "NChar" {
            for plane in UInt32(4)...16 { set.insert(plane << 16 | 0xFFFE...plane << 16 | 0xFFFF) }
        }
        let result = set
        built.withLock { $0[name] = result }
        return result
    }

    private static func test(_ name: String) -> ((Unicode.Scalar.Properties) -> Bool)? {
        switch name {
        case "ASCII_Hex_Digit", "AHex": { $0.isASCIIHexDigit }
        case "Alphabetic", "Alpha": { $0.isAlphabetic }
        case "Bidi_Control", "Bidi_C": { $0.isBidiControl }
        case "Bidi_Mirrored", "Bidi_M": { $0.isBidiMirrored }
        case "Case_Ignorable", "CI": { $0.isCaseIgnorable }
        case "Cased": { $0.isCased }
        case "Changes_When_Casefolded", "CWCF": { $0.changesWhenCaseFolded }
        case "Changes_When_Casemapped", "CWCM": { $0.changesWhenCaseMapped }
        case "Changes_When_Lowercased", "CWL": { $0.changesWhenLowercased }
        case "Changes_When_NFKC_Casefolded", "CWKCF": { $0.changesWhenNFKCCaseFolded }
        case "Changes_When_Titlecased", "CWT": { $0.changesWhenTitlecased }
        case "Changes_When_Uppercased", "CWU": { $0.changesWhenUppercased }
        case "Dash": { $0.isDash }
        case "Default_Ignorable_Code_Point", "DI": { $0.isDefaultIgnorableCodePoint }
        case "Deprecated", "Dep": { $0.isDeprecated }
        case "Diacritic", "Dia": { $0.isDiacritic }
        case "Emoji": { $0.isEmoji }
        case "Emoji_Modifier", "EMod": { $0.isEmojiModifier }
        case "Emoji_Modifier_Base", "EBase": { $0.isEmojiModifierBase }
        case "Emoji_Presentation", "EPres": { $0.isEmojiPresentation }
        case "Extender", "Ext": { $0.isExtender }
        case "Grapheme_Base", "Gr_Base": { $0.isGraphemeBase }
        case "Grapheme_Extend", "Gr_Ext": { $0.isGraphemeExtend }
        case "Hex_Digit", "Hex": { $0.isHexDigit }
        case "IDS_Binary_Operator", "IDSB": { $0.isIDSBinaryOperator }
        case "IDS_Trinary_Operator", "IDST": { $0.isIDSTrinaryOperator }
        case "ID_Continue", "IDC": { $0.isIDContinue }
        case "ID_Start", "IDS": { $0.isIDStart }
        case "Ideographic", "Ideo": { $0.isIdeographic }
        case "Join_Control", "Join_C": { $0.isJoinControl }
        case "Logical_Order_Exception", "LOE": { $0.isLogicalOrderException }
        case "Lowercase", "Lower": { $0.isLowercase }
        case "Math": { $0.isMath }
        case "Noncharacter_Code_Point", "NChar": { $0.isNoncharacterCodePoint }
        case "Pattern_Syntax", "Pat_Syn": { $0.isPatternSyntax }
        case "Pattern_White_Space", "Pat_WS": { $0.isPatternWhitespace }
        case "Quotation_Mark", "QMark": { $0.isQuotationMark }
        case "Radical": { $0.isRadical }
        case "Sentence_Terminal", "STerm": { $0.isSentenceTerminal }
        case "Soft_Dotted", "SD": { $0.isSoftDotted }
        case "Terminal_Punctuation", "Term": { $0.isTerminalPunctuation }
        case "Unified_Ideograph", "UIdeo": { $0.isUnifiedIdeograph }
        case "Uppercase", "Upper": { $0.isUppercase }
        case "Variation_Selector", "VS": { $0.isVariationSelector }
        case "White_Space", "space": { $0.isWhitespace }
        case "XID_Continue", "XIDC": { $0.isXIDContinue }
        case "XID_Start", "XIDS": { $0.isXIDStart }
        default: nil
        }
    }
}
