import Basics

/// The pairs of a query or form, and the conversion between their text and the mappings of a suite.
package enum PairList {
    /// Returns the pairs of a query if a suite's `query` sends exactly the same text; otherwise nil.
    package static func query(_ parts: URLParts) -> [ImportedField]? {
        fields(parts.pairs.map { ($0.name, $0.value) }, plusIsSpace: false)
    }

    /// Returns the pairs of a form if a suite's `form` sends exactly the same text; otherwise nil.
    package static func form(_ text: ImportedText) -> [ImportedField]? {
        if text.isEmpty { return nil }
        let pairs = text.split(UInt8(ascii: "&"), maximum: .max).map { pair in
            let halves = pair.split(UInt8(ascii: "="), maximum: 2)
            return (halves[0], halves.count > 1 ? halves[1] : nil)
        }
        return fields(pairs, plusIsSpace: true)
    }

    /// Returns the text of a literal that is encoded in a query or form.
    package static func encoded(_ text: String, spaceIsPlus: Bool) -> String {
        let encoded = PercentEncoding.encode(text)
        return spaceIsPlus
            ? encoded.split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+") : encoded
    }

    /// Returns pairs as a mapping, and whether a name with several values needs `queryStyle: repeat`.
    ///
    /// - Returns: nil if the order of the pairs would change.
    package static func mapping(_ fields: [ImportedField]) -> (value: ImportedValue, repeats: Bool)? {
        var members: [ImportedValue.Member] = []
        var names: Set<ImportedText> = []
        var repeats = false
        for field in fields {
            let value = ImportedValue(readable: field.value)
            if names.insert(field.name).inserted {
                members.append(ImportedValue.Member(field.name, value))
                continue
            }
            guard let last = members.last, last.key == field.name else { return nil }
            repeats = true
            if case .sequence(let values) = last.value {
                members[members.count - 1].value = .sequence(values + [value])
            } else {
                members[members.count - 1].value = .sequence([last.value, value])
            }
        }
        return (.mapping(members), repeats)
    }

    private static func fields(
        _ pairs: [(ImportedText, ImportedText?)], plusIsSpace: Bool
    ) -> [ImportedField]? {
        var fields: [ImportedField] = []
        for (name, value) in pairs {
            guard let value, !name.isEmpty, let name = decoded(name, plusIsSpace),
                let value = decoded(value, plusIsSpace)
            else { return nil }
            fields.append(ImportedField(name, value))
        }
        return fields
    }

    /// Returns the decoded text if encoding it gives the same text again; otherwise nil.
    ///
    /// The value of an expression may already be encoded, so text with expressions has no exact equivalent.
    private static func decoded(_ text: ImportedText, _ plusIsSpace: Bool) -> ImportedText? {
        guard let literal = text.literal else { return nil }
        let spaced =
            plusIsSpace
            ? literal.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%20") : literal
        guard let plain = PercentEncoding.decodeStrictly(spaced), encoded(plain, spaceIsPlus: plusIsSpace) == literal
        else { return nil }
        return ImportedText(plain)
    }
}
