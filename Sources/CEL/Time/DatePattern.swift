import Basics

/// The pattern of `date.format` and `date.parse` (Unicode Technical Standard #35).
///
/// - `yyyy`: year; `yy`: its last two digits.
/// - `M`, `MM`: month; `MMM`, `MMMM`: its English name.
/// - `d`, `dd`: day of the month; `D`, `DDD`: day of the year.
/// - `EEE`, `EEEE`: English name of the weekday; `e`: its number, starting with 1 for Monday.
/// - `H`, `HH`: hour; `h`, `hh`: hour from 1 to 12; `a`: AM or PM.
/// - `m`, `mm`: minute; `s`, `ss`: second; `S…`: fraction with that number of digits.
/// - `Z`: offset such as +0200; `xxx`: +02:00; `XXX`: +02:00, or Z for UTC; `X`: +02, or Z for UTC.
///
/// Text in single quotes and characters other than letters are copied.
struct DatePattern {
    /// A part of a pattern.
    enum Piece {
        /// Text that is copied.
        case literal(String)
        /// A letter and the number of its repetitions.
        case field(Unicode.Scalar, Int)
    }

    let pieces: [Piece]

    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// Parses a pattern.
    ///
    /// - Parameters:
    ///   - text: The pattern.
    ///   - function: The name of the function, for its error messages.
    init(_ text: String, function: String) throws(CELFailure) {
        let symbols = Array(text.unicodeScalars)
        var pieces: [Piece] = []
        var literal = ""
        var position = 0
        while position < symbols.count {
            let symbol = symbols[position]
            if symbol == "'" {
                try Self.quoted(symbols, &position, into: &literal, function)
                continue
            }
            guard symbol.isASCII, symbol.properties.isAlphabetic else {
                literal.unicodeScalars.append(symbol)
                position += 1
                continue
            }
            var count = 1
            while position + count < symbols.count, symbols[position + count] == symbol { count += 1 }
            position += count
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = ""
            pieces.append(.field(symbol, count))
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        self.pieces = pieces
    }

    /// Returns the failure for a field that a function does not support.
    static func unknown(_ letter: Unicode.Scalar, _ count: Int, _ function: String) -> CELFailure {
        .message(
            "\(function)(): unknown field \(String(repeating: String(letter), count: min(count, 20))) in the pattern;"
                + " enclose literal text in single quotes")
    }

    /// Copies text in single quotes, or a literal quote.
    private static func quoted(
        _ symbols: [Unicode.Scalar], _ position: inout Int, into text: inout String, _ function: String
    ) throws(CELFailure) {
        position += 1
        if position < symbols.count, symbols[position] == "'" {
            text += "'"
            position += 1
            return
        }
        while position < symbols.count {
            if symbols[position] == "'" {
                position += 1
                guard position < symbols.count, symbols[position] == "'" else { return }
            }
            text.unicodeScalars.append(symbols[position])
            position += 1
        }
        throw .message("\(function)(): unmatched single quote in the pattern")
    }
}
