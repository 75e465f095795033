/// Durations of RFC 3339, appendix A: units from large to small with none left out between two that are there.
enum DurationFormat {
    static func isDuration(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var cursor = ByteCursor(bytes)
        guard cursor.take("P") else { return false }
        guard let next = cursor.next else { return false }
        if next == UInt8(ascii: "T") { return takeTime(&cursor) && cursor.isAtEnd }
        guard cursor.skipDigits() > 0 else { return false }
        if cursor.take("W") { return cursor.isAtEnd }
        guard takeUnits(&cursor, ["Y", "M", "D"]) else { return false }
        if cursor.isAtEnd { return true }
        return takeTime(&cursor) && cursor.isAtEnd
    }

    /// dur-time
    private static func takeTime(_ cursor: inout ByteCursor) -> Bool {
        guard cursor.take("T"), cursor.skipDigits() > 0 else { return false }
        return takeUnits(&cursor, ["H", "M", "S"])
    }

    /// The unit of the digits just taken, with any that follow it directly in the list.
    private static func takeUnits(_ cursor: inout ByteCursor, _ units: [Unicode.Scalar]) -> Bool {
        guard var index = units.firstIndex(where: { cursor.take($0) }) else { return false }
        while let next = cursor.next, ASCII.isDigit(next) {
            _ = cursor.skipDigits()
            index += 1
            guard index < units.count, cursor.take(units[index]) else { return false }
        }
        return true
    }
}
