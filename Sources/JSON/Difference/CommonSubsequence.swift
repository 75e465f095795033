/// Finds a longest common subsequence of two lists of numbers, quickly when they have few differences.
///
/// E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986: the furthest points that are reached with 0, 1,
/// 2, … insertions and removals, on each diagonal of the table of pairs.
enum CommonSubsequence {
    /// The most insertions and removals that are looked for.
    private static let largestDistance = 1_000

    /// The pairs of indices in order, or nil when there are too many differences or steps to find them.
    ///
    /// - Parameter steps: How many comparisons may be made; is lowered by those that are. One search takes at most a
    ///   quarter of them.
    static func pairs(_ rows: ArraySlice<Int>, _ columns: ArraySlice<Int>, steps: inout Int) -> [(Int, Int)]? {
        if rows.isEmpty || columns.isEmpty { return [] }
        let limit = min(rows.count + columns.count, largestDistance)
        var stepsLeft = steps / 4
        defer { steps -= steps / 4 - max(0, stepsLeft) }
        // furthest[limit + 1 + k]: how many rows are passed at the furthest point of diagonal k (rows less columns).
        let center = limit + 1
        var furthest = [Int32](repeating: 0, count: 2 * center + 1)
        // For each distance, the part of it that the next step is made from.
        var trace: [[Int32]] = []
        for distance in 0...limit {
            trace.append(Array(furthest[center - distance...center + distance]))
            for diagonal in stride(from: -distance, through: distance, by: 2) {
                let below = furthest[center + diagonal + 1]
                let before = furthest[center + diagonal - 1]
                var row =
                    diagonal == -distance || diagonal != distance && before < below ? Int(below) : Int(before) + 1
                let start = row
                var column = row - diagonal
                while row < rows.count, column < columns.count,
                    rows[rows.startIndex + row] == columns[columns.startIndex + column]
                {
                    row += 1
                    column += 1
                }
                furthest[center + diagonal] = Int32(truncatingIfNeeded: row)
                stepsLeft -= 1 + row - start
                if row >= rows.count, column >= columns.count {
                    return path(rows, columns, trace)
                }
            }
            if stepsLeft <= 0 { return nil }
        }
        return nil
    }

    /// The pairs on the way to the end, found from there back to the beginning.
    private static func path(_ rows: ArraySlice<Int>, _ columns: ArraySlice<Int>, _ trace: [[Int32]]) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var row = rows.count
        var column = columns.count
        for distance in stride(from: trace.count - 1, to: 0, by: -1) {
            let furthest = trace[distance]
            let diagonal = row - column
            let isFromBelow =
                diagonal == -distance
                || diagonal != distance
                    && furthest[distance + diagonal - 1] < furthest[distance + diagonal + 1]
            let earlierDiagonal = isFromBelow ? diagonal + 1 : diagonal - 1
            let earlierRow = Int(furthest[distance + earlierDiagonal])
            let earlierColumn = earlierRow - earlierDiagonal
            while row > earlierRow, column > earlierColumn {
                row -= 1
                column -= 1
                pairs.append((rows.startIndex + row, columns.startIndex + column))
            }
            row = earlierRow
            column = earlierColumn
        }
        while row > 0, column > 0 {
            row -= 1
            column -= 1
            pairs.append((rows.startIndex + row, columns.startIndex + column))
        }
        return pairs.reversed()
    }
}
