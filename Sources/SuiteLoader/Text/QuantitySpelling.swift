/// Finds out what is wrong with a text that was meant to be a duration or a size.
struct QuantitySpelling {
    /// A number and the word behind it.
    private struct Part {
        var number: Substring
        var word: Substring
    }

    let text: String
    let units: [String]
    let isSize: Bool
    let example: String

    /// Words that people write for units, in lower case.
    private static let durationWords: [String: String] = [
        "msec": "ms", "msecs": "ms", "milli": "ms", "millis": "ms", "millisecond": "ms", "milliseconds": "ms",
        "sec": "s", "secs": "s", "second": "s", "seconds": "s", "min": "m", "mins": "m", "minute": "m", "minutes": "m",
        "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "day": "d", "days": "d",
    ]
    private static let sizeWords: [String: String] = [
        "byte": "B", "bytes": "B", "k": "KB", "ko": "KB", "kilobyte": "KB", "kilobytes": "KB", "m": "MB", "mo": "MB",
        "megabyte": "MB", "megabytes": "MB", "g": "GB", "go": "GB", "gigabyte": "GB", "gigabytes": "GB", "t": "TB",
        "to": "TB", "terabyte": "TB", "terabytes": "TB", "ki": "KiB", "kibibyte": "KiB", "kibibytes": "KiB",
        "mi": "MiB",
        "mebibyte": "MiB", "mebibytes": "MiB", "gi": "GiB", "gibibyte": "GiB", "gibibytes": "GiB",
    ]

    /// Creates an explanation.
    ///
    /// - Parameters:
    ///   - text: What was written.
    ///   - units: The units that there are.
    ///   - isSize: Whether a size was expected, and not a duration.
    ///   - example: Quantities that are right.
    init(_ text: String, units: [String], isSize: Bool, example: String) {
        self.text = text
        self.units = units
        self.isSize = isSize
        self.example = example
    }

    /// What is wrong, and what to write instead.
    var problem: QuantityReader.Problem {
        let noun = isSize ? "size" : "duration"
        let invalid = QuantityReader.Problem(
            message: "\"\(text)\" is no \(noun)", suggestion: "write for example \(example)")
        guard let parts, !parts.isEmpty, !isSize || parts.count == 1 else { return invalid }
        if let part = parts.first(where: { $0.word.isEmpty }) {
            return QuantityReader.Problem(
                message: parts.count == 1 ? "a \(noun) needs a unit" : "\"\(part.number)\" needs a unit",
                suggestion: "write for example \"\(joined(parts, unit: isSize ? "KB" : "s"))\"")
        }
        if let word = parts.first(where: { !units.contains(String($0.word)) })?.word {
            let isKnown = parts.allSatisfy { unit(for: $0.word) != nil }
            return QuantityReader.Problem(
                message: "\"\(word)\" is no unit of a \(noun)",
                suggestion: isKnown
                    ? "write \"\(joined(parts, unit: ""))\""
                    : "write \(units.dropLast().joined(separator: ", ")) or \(units.last ?? "")")
        }
        if text.utf8.contains(UInt8(ascii: " ")) {
            return QuantityReader.Problem(
                message: "a \(noun) is written without spaces", suggestion: "write \"\(joined(parts, unit: ""))\"")
        }
        return invalid
    }

    /// The numbers and words of the text without its spaces; nil when there is anything else.
    private var parts: [Part]? {
        var parts: [Part] = []
        var rest = text[...]
        while true {
            rest = rest.drop { $0 == " " }
            if rest.isEmpty { return parts }
            let number = rest.prefix { $0 == "." || ("0"..."9").contains($0) }
            guard number.utf8.count <= 15, Double(number) != nil, number.last != ".", number.first != "." else {
                return nil
            }
            rest = rest[number.endIndex...].drop { $0 == " " }
            let word = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest[word.endIndex...]
            parts.append(Part(number: number, word: word))
        }
    }

    /// The unit that a word is or means.
    private func unit(for word: Substring) -> String? {
        if units.contains(String(word)) { return String(word) }
        let lower = word.lowercased()
        return units.first { $0.lowercased() == lower } ?? (isSize ? Self.sizeWords : Self.durationWords)[lower]
    }

    /// The parts with the units that are meant.
    private func joined(_ parts: [Part], unit missing: String) -> String {
        parts.map { $0.number + ($0.word.isEmpty ? missing : unit(for: $0.word) ?? String($0.word)) }.joined()
    }
}
