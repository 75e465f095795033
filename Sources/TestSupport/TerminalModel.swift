/// A model of a terminal that supports the control sequences of this program's output.
///
/// These are line breaks, carriage returns, erasing the rest of a line, and colors (ECMA-48).
public struct TerminalModel {
    /// The width in columns.
    public private(set) var width: Int
    private var rows: [[Character]] = [[]]
    private var column = 0
    private var escape: String?
    /// A placeholder for the second column of a wide character.
    private static let second: Character = "\0"

    /// Creates an empty terminal.
    public init(width: Int) {
        self.width = width
    }

    /// All rows above the cursor row, each with a line break.
    public var text: String {
        rows.dropLast().map { String($0.filter { $0 != Self.second }) + "\n" }.joined()
    }

    /// The cursor row without trailing spaces.
    public var row: String {
        var row = rows.last ?? []
        while row.last == " " { row.removeLast() }
        return String(row.filter { $0 != Self.second })
    }

    /// Changes the width.
    ///
    /// Longer rows are truncated, as in terminals that do not reflow them.
    public mutating func resize(to width: Int) {
        self.width = width
    }

    /// Processes the output of a program.
    public mutating func receive(_ text: String) {
        for character in text {
            if var sequence = escape {
                sequence.append(character)
                escape = sequence
                if sequence.count > 1, let byte = character.asciiValue, (0x40...0x7E).contains(byte) {
                    perform(sequence)
                    escape = nil
                }
                continue
            }
            switch character {
            case "\u{1B}": escape = ""
            case "\r": column = 0
            case "\n", "\r\n":
                rows.append([])
                column = 0
            default: put(character)
            }
        }
    }

    private mutating func put(_ character: Character) {
        let isWide = character.unicodeScalars.first.map { (0x2E80...0xFFEF).contains($0.value) } ?? false
        // A character after the last column goes to the next row.
        if column + (isWide ? 1 : 0) >= width {
            rows.append([])
            column = 0
        }
        var row = rows.removeLast()
        while row.count < column { row.append(" ") }
        for part in isWide ? [character, Self.second] : [character] {
            if column < row.count { row[column] = part } else { row.append(part) }
            column += 1
        }
        rows.append(row)
    }

    private mutating func perform(_ sequence: String) {
        switch sequence {
        case "[K":
            var row = rows.removeLast()
            if row.count > column { row.removeLast(row.count - column) }
            rows.append(row)
        case let color where color.hasPrefix("[") && color.hasSuffix("m"): break
        default:
            // Any other sequence is shown, so that a test detects it.
            for character in "<ESC\(sequence)>" { put(character) }
        }
    }
}
