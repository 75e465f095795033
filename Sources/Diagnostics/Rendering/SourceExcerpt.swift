/// The printable first line of a range, and the position of its underline.
///
/// Tabs are expanded, unprintable characters are escaped, and a long line is cut around the range. Only the first line
/// of a multiline range is shown.
public struct SourceExcerpt: Sendable, Hashable {
    /// The number of the line, from 1.
    public let lineNumber: Int
    /// The displayed line.
    public let text: String
    /// The number of terminal columns before the underline.
    public let underlineStart: Int
    /// The number of columns of the underline; at least 1.
    public let underlineWidth: Int

    private static let tabWidth = 4
    /// The maximum number of scalars examined before and after the start of a range; others are never shown.
    private static let reach = 1_000

    /// A character as displayed.
    private struct Cell {
        var text: String
        var width: Int
        /// The number of scalars before the character in the line.
        var scalarOffset: Int
    }

    /// Creates an excerpt; nil if the line of the range does not exist in its file.
    ///
    /// - Parameters:
    ///   - range: The range to show.
    ///   - width: The maximum number of columns, at least 20.
    public init?(_ range: SourceRange, width: Int = 112) {
        let width = max(20, width)
        guard let bytes = range.file.byteRange(ofLine: Int(range.start.line)) else { return nil }
        lineNumber = Int(range.start.line)
        // Each of these characters fills a column, so no others can be shown.
        var (firstScalar, shown) = Self.surroundings(of: range, reach: width + 1)
        if !range.file.text[shown].allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            (firstScalar, shown) = Self.surroundings(of: range, reach: Self.reach)
        }
        let line = String(decoding: range.file.text[shown], as: UTF8.self)
        let cells = Self.cells(of: line, firstScalar: firstScalar)

        let startScalar = Int(range.start.column) - 1
        var endScalar = range.isOneLine ? Int(range.end.column) - 1 : Int.max
        if !range.isOneLine {
            let lastInk = cells.last { !$0.text.allSatisfy { $0 == " " } }
            endScalar = lastInk.map { $0.scalarOffset + 1 } ?? 0
        }
        var column = 0
        var start: Int?
        var end: Int?
        for (index, cell) in cells.enumerated() {
            let next = index + 1 < cells.count ? cells[index + 1].scalarOffset : Int.max
            if start == nil, startScalar < next || startScalar == cell.scalarOffset { start = column }
            if end == nil, endScalar <= cell.scalarOffset { end = column }
            column += cell.width
        }
        // The last cell includes all scalars after it, so distinguish a start at the end of the line from one inside
        // it.
        let total = column
        let scalarCount = line.unicodeScalars.count + firstScalar
        let underline = startScalar >= scalarCount ? total : start ?? total
        let underlineEnd = max(end ?? total, underline + 1)

        let isCutBefore = shown.lowerBound > bytes.lowerBound
        let isCutAfter = shown.upperBound < bytes.upperBound
        if total <= width, !isCutBefore, !isCutAfter {
            text = Self.withoutTrailingSpaces(cells.map(\.text).joined())
            underlineStart = underline
            underlineWidth = underlineEnd - underline
            return
        }
        let wanted = min(underlineEnd - underline, width / 2)
        var from = max(0, underline - (width - wanted) / 2)
        from = max(0, min(from, total + 1 - width))
        let window = Self.cut(
            cells, from: from, width: width, isCutBefore: isCutBefore, isCutAfter: isCutAfter)
        text = window.text
        underlineStart = max(0, underline - window.offset)
        underlineWidth = max(1, min(underlineEnd - window.offset, width) - underlineStart)
    }

    /// Returns the bytes of the scalars around the start of a range, and the number of scalars before them in the line.
    private static func surroundings(of range: SourceRange, reach: Int) -> (firstScalar: Int, bytes: Range<Int>) {
        let line = Int(range.start.line)
        let firstScalar = max(0, Int(range.start.column) - 1 - reach)
        let lower = range.file.byteOffset(of: SourcePosition(line: line, column: firstScalar + 1))
        let upper = range.file.byteOffset(of: SourcePosition(line: line, column: Int(range.start.column) + reach))
        return (firstScalar, lower..<max(lower, upper))
    }

    private static func cells(of line: String, firstScalar: Int) -> [Cell] {
        var cells: [Cell] = []
        var column = 0
        var scalars = firstScalar
        for character in line {
            var cell = Cell(text: "", width: 0, scalarOffset: scalars)
            if character == "\t" {
                cell.width = tabWidth - column % tabWidth
                cell.text = String(repeating: " ", count: cell.width)
            } else {
                cell.text = DisplayWidth.printable(String(character))
                cell.width = DisplayWidth.of(character)
            }
            column += cell.width
            scalars += character.unicodeScalars.count
            cells.append(cell)
        }
        return cells
    }

    /// Returns the cells that fit a width, starting at a column, with an ellipsis on each side that was cut.
    ///
    /// - Returns: The text, and the number of columns by which positions shift to the left.
    private static func cut(
        _ cells: [Cell], from: Int, width: Int, isCutBefore: Bool, isCutAfter: Bool
    ) -> (text: String, offset: Int) {
        var text = ""
        var shown = 0
        var column = 0
        var index = 0
        var offset = 0
        if from > 0 || isCutBefore {
            // Drop one more column for the ellipsis.
            while index < cells.count, column < from + 1 {
                column += cells[index].width
                index += 1
            }
            text = "…"
            shown = 1
            offset = column - 1
        }
        while index < cells.count {
            let isLast = index == cells.count - 1 && !isCutAfter
            if shown + cells[index].width > (isLast ? width : width - 1) {
                text += "…"
                return (text, offset)
            }
            text += cells[index].text
            shown += cells[index].width
            index += 1
        }
        return (isCutAfter ? text + "…" : withoutTrailingSpaces(text), offset)
    }

    private static func withoutTrailingSpaces(_ text: String) -> String {
        var text = text
        while text.utf8.last == UInt8(ascii: " ") { text.removeLast() }
        return text
    }
}
