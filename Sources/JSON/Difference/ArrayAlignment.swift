/// An alignment of the elements of two arrays.
///
/// Elements with an identity, such as objects with an `id`, are paired by it. Others are paired by a longest common
/// subsequence of equal elements. The elements left between two pairs are paired by similarity. ``JSONDifference``
/// describes the fallbacks for arrays that are too different.
struct ArrayAlignment {
    /// An element of one array, or a pair of elements; pairs of equal elements may be omitted.
    enum Pair {
        case both(Int, Int)
        /// A pair whose position among the other elements differs.
        case moved(Int, Int)
        case missing(Int)
        case unexpected(Int)
    }

    /// The maximum number of cells in a similarity table; each cell may compare the members of two objects.
    private static let maximumSimilarityTable = 4096
    /// The number of steps charged per cell of that table.
    private static let similarityCost = 16

    private(set) var pairs: [Pair] = []
    private let expected: [JSONValue]
    private let actual: [JSONValue]

    /// Creates the alignment of two arrays.
    ///
    /// - Parameter steps: The number of comparisons left; decremented by the ones made.
    init(_ expected: [JSONValue], _ actual: [JSONValue], steps: inout Int) {
        self.expected = expected
        self.actual = actual
        var start = 0
        while start < min(expected.count, actual.count), expected[start] == actual[start] { start += 1 }
        var expectedEnd = expected.count
        var actualEnd = actual.count
        while expectedEnd > start, actualEnd > start, expected[expectedEnd - 1] == actual[actualEnd - 1] {
            expectedEnd -= 1
            actualEnd -= 1
        }
        align(start..<expectedEnd, start..<actualEnd, &steps)
    }

    private mutating func align(_ rows: Range<Int>, _ columns: Range<Int>, _ steps: inout Int) {
        guard !rows.isEmpty, !columns.isEmpty, rows.count > 1 || columns.count > 1 else {
            return alignByIndex(Array(rows), Array(columns))
        }
        let matching =
            ElementMatching(identitiesOf: expected[rows], actual[columns])
            ?? ElementMatching(equalElementsOf: expected[rows], actual[columns], steps: &steps)
        // The unpaired rows and columns since the last pair.
        var gapRows: [Int] = []
        var moves: [Pair] = []
        var column = 0
        for (row, partner) in matching.partners.enumerated() {
            guard let partner else {
                gapRows.append(rows.lowerBound + row)
                continue
            }
            let pair = (rows.lowerBound + row, columns.lowerBound + partner)
            guard matching.stays[row] else {
                moves.append(.moved(pair.0, pair.1))
                continue
            }
            alignGap(gapRows, columns, column..<partner, matching, &steps)
            pairs.append(contentsOf: moves)
            pairs.append(.both(pair.0, pair.1))
            gapRows = []
            moves = []
            column = partner + 1
        }
        alignGap(gapRows, columns, column..<columns.count, matching, &steps)
        pairs.append(contentsOf: moves)
    }

    private mutating func alignGap(
        _ rows: [Int], _ columns: Range<Int>, _ range: Range<Int>, _ matching: ElementMatching, _ steps: inout Int
    ) {
        let free = range.filter { !matching.isTaken[$0] }.map { columns.lowerBound + $0 }
        alignBySimilarity(rows, free, &steps)
    }

    /// Pairs unmatched elements to maximize the total similarity.
    private mutating func alignBySimilarity(_ rows: [Int], _ columns: [Int], _ steps: inout Int) {
        let (cells, overflow) = (rows.count + 1).multipliedReportingOverflow(by: columns.count + 1)
        if rows.isEmpty || columns.isEmpty || rows.count == columns.count || overflow
            || cells > ArrayAlignment.maximumSimilarityTable || cells * ArrayAlignment.similarityCost > steps
        {
            return alignByIndex(rows, columns)
        }
        steps -= cells * ArrayAlignment.similarityCost
        let width = columns.count + 1
        var similarities = [Int](repeating: 0, count: cells)
        var scores = similarities
        for row in rows.indices.reversed() {
            for column in columns.indices.reversed() {
                let cell = row * width + column
                let similarity = ArrayAlignment.similarity(expected[rows[row]], actual[columns[column]])
                similarities[cell] = similarity
                scores[cell] = max(scores[cell + width + 1] + similarity, scores[cell + width], scores[cell + 1])
            }
        }
        var row = 0
        var column = 0
        while row < rows.count, column < columns.count {
            let cell = row * width + column
            let similarity = similarities[cell]
            if similarity > 0, scores[cell] == scores[cell + width + 1] + similarity {
                pairs.append(.both(rows[row], columns[column]))
                row += 1
                column += 1
            } else if scores[cell] == scores[cell + width] {
                pairs.append(.missing(rows[row]))
                row += 1
            } else {
                pairs.append(.unexpected(columns[column]))
                column += 1
            }
        }
        alignByIndex(Array(rows[row...]), Array(columns[column...]))
    }

    private mutating func alignByIndex(_ rows: [Int], _ columns: [Int]) {
        for (row, column) in zip(rows, columns) { pairs.append(.both(row, column)) }
        for row in rows.dropFirst(columns.count) { pairs.append(.missing(row)) }
        for column in columns.dropFirst(rows.count) { pairs.append(.unexpected(column)) }
    }

    /// Returns the similarity of two values: 0 for different types, increasing with each common member of two objects.
    private static func similarity(_ expected: JSONValue, _ actual: JSONValue) -> Int {
        switch (expected, actual) {
        case (.object(let expected), .object(let actual)):
            var score = 1
            for (name, value) in expected.prefix(64) {
                guard let other = actual[name] else { continue }
                score += isScalar(value) && value == other ? 8 : 1
            }
            return score
        case (.array, .array), (.string, .string), (.number, .number), (.bool, .bool): return 1
        default: return 0
        }
    }

    private static func isScalar(_ value: JSONValue) -> Bool {
        switch value {
        case .array, .object: false
        default: true
        }
    }
}

/// A longest common subsequence of two sequences of numbers, found quickly if they have few differences.
///
/// The algorithm is E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986: the furthest points reached
/// with 0, 1, 2, … insertions and removals, on each diagonal of the table of pairs.
enum CommonSubsequence {
    /// The maximum number of insertions and removals.
    private static let maximumDistance = 1_000

    /// Returns the pairs of indexes in order; nil if there are too many differences, or too few steps to find them.
    ///
    /// - Parameter steps: The number of comparisons left; decremented by the ones made. One search uses at most a
    ///   quarter of them.
    static func pairs(_ rows: ArraySlice<Int>, _ columns: ArraySlice<Int>, steps: inout Int) -> [(Int, Int)]? {
        if rows.isEmpty || columns.isEmpty { return [] }
        let limit = min(rows.count + columns.count, maximumDistance)
        var stepsLeft = steps / 4
        defer { steps -= steps / 4 - max(0, stepsLeft) }
        // furthest[limit + 1 + k]: the number of rows passed at the furthest point of diagonal k (rows minus columns).
        let center = limit + 1
        var furthest = [Int32](repeating: 0, count: 2 * center + 1)
        // For each distance, the slice that the next step starts from.
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

    /// Returns the pairs on the path, traced back from its end.
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
            let previousDiagonal = isFromBelow ? diagonal + 1 : diagonal - 1
            let previousRow = Int(furthest[distance + previousDiagonal])
            let previousColumn = previousRow - previousDiagonal
            while row > previousRow, column > previousColumn {
                row -= 1
                column -= 1
                pairs.append((rows.startIndex + row, columns.startIndex + column))
            }
            row = previousRow
            column = previousColumn
        }
        while row > 0, column > 0 {
            row -= 1
            column -= 1
            pairs.append((rows.startIndex + row, columns.startIndex + column))
        }
        return pairs.reversed()
    }
}

/// A longest increasing subsequence, found in O(n log n) time.
enum LongestIncreasingSubsequence {
    /// Returns the indexes of a longest increasing subsequence of `values`, which must be distinct.
    static func indices(of values: [Int]) -> [Int] {
        // ends[length - 1]: the index of the minimum value that ends an increasing subsequence of that length.
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: values.count)
        for (index, value) in values.enumerated() {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result: [Int] = []
        var index = ends.last ?? -1
        while index >= 0 {
            result.append(index)
            index = previous[index]
        }
        return result.reversed()
    }
}
