/// Which elements of two arrays belong together.
///
/// Elements that name themselves, such as objects with an `id`, are paired by that; others by a longest common
/// subsequence of equal ones. What is left between two pairs is paired by likeness. See ``JSONDifference`` for what
/// happens when arrays are too different for that.
struct ArrayAlignment {
    /// One element of either array or one of both; pairs of equal elements may be left out.
    enum Pair {
        case both(Int, Int)
        /// One of both that stands elsewhere among the others.
        case moved(Int, Int)
        case missing(Int)
        case unexpected(Int)
    }

    /// The largest table that is filled in for likeness, where each cell may compare the members of two objects.
    private static let largestSimilarityTable = 4096
    /// What a cell of that table counts as in steps.
    private static let similarityCost = 16

    private(set) var pairs: [Pair] = []
    private let expected: [JSONValue]
    private let actual: [JSONValue]

    /// Aligns two arrays.
    ///
    /// - Parameter steps: How many comparisons may be made; is lowered by those that are.
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
        // The rows and columns since the last pair that are in no pair.
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

    /// Pairs elements without a counterpart so that the pairs are as alike as possible.
    private mutating func alignBySimilarity(_ rows: [Int], _ columns: [Int], _ steps: inout Int) {
        let (cells, overflow) = (rows.count + 1).multipliedReportingOverflow(by: columns.count + 1)
        if rows.isEmpty || columns.isEmpty || rows.count == columns.count || overflow
            || cells > ArrayAlignment.largestSimilarityTable || cells * ArrayAlignment.similarityCost > steps
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

    /// How alike two values are: 0 for different types, more for each member that objects have in common.
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
