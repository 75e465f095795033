/// Which elements of two arrays belong together: equal ones by a longest common subsequence, between them similar ones.
struct ArrayAlignment {
    /// One element of either array or one of both; pairs of equal elements are left out.
    enum Pair {
        case both(Int, Int)
        case missing(Int)
        case unexpected(Int)
    }

    /// The largest table of element pairs that is filled in for equality; each cell compares two hash values.
    private static let largestEqualityTable = 1_000_000
    /// The largest table that is filled in for similarity, where each cell may compare the members of two objects.
    private static let largestSimilarityTable = 4096

    private(set) var pairs: [Pair] = []
    private let expected: [JSONValue]
    private let actual: [JSONValue]

    init(_ expected: [JSONValue], _ actual: [JSONValue]) {
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
        alignByEquality(start..<expectedEnd, start..<actualEnd)
    }

    private static func tableFits(_ rows: Int, _ columns: Int, in limit: Int) -> Bool {
        let (cells, overflow) = (rows + 1).multipliedReportingOverflow(by: columns + 1)
        return !overflow && cells <= limit
    }

    /// Finds a longest common subsequence and aligns what lies between its elements.
    private mutating func alignByEquality(_ rows: Range<Int>, _ columns: Range<Int>) {
        guard !rows.isEmpty, !columns.isEmpty,
            ArrayAlignment.tableFits(rows.count, columns.count, in: ArrayAlignment.largestEqualityTable)
        else { return alignBySimilarity(rows, columns) }
        let rowHashes = rows.map { expected[$0].hashValue }
        let columnHashes = columns.map { actual[$0].hashValue }
        let width = columns.count + 1
        // lengths[r * width + c]: the longest common subsequence of the rows from r and the columns from c.
        var lengths = [Int32](repeating: 0, count: (rows.count + 1) * width)
        for row in rowHashes.indices.reversed() {
            for column in columnHashes.indices.reversed() {
                let cell = row * width + column
                lengths[cell] =
                    rowHashes[row] == columnHashes[column]
                    ? lengths[cell + width + 1] + 1 : max(lengths[cell + width], lengths[cell + 1])
            }
        }
        var row = 0
        var column = 0
        var gapRow = 0
        var gapColumn = 0
        while row < rowHashes.count, column < columnHashes.count {
            let cell = row * width + column
            if rowHashes[row] == columnHashes[column] {
                alignBySimilarity(
                    rows.lowerBound + gapRow..<rows.lowerBound + row,
                    columns.lowerBound + gapColumn..<columns.lowerBound + column)
                // Should two unequal elements share a hash value, the comparison still finds where they differ.
                pairs.append(.both(rows.lowerBound + row, columns.lowerBound + column))
                row += 1
                column += 1
                gapRow = row
                gapColumn = column
            } else if lengths[cell + width] >= lengths[cell + 1] {
                row += 1
            } else {
                column += 1
            }
        }
        alignBySimilarity(
            rows.lowerBound + gapRow..<rows.upperBound, columns.lowerBound + gapColumn..<columns.upperBound)
    }

    /// Pairs elements without an equal counterpart so that the pairs are as similar as possible.
    private mutating func alignBySimilarity(_ rows: Range<Int>, _ columns: Range<Int>) {
        if rows.isEmpty || columns.isEmpty || rows.count == columns.count
            || !ArrayAlignment.tableFits(rows.count, columns.count, in: ArrayAlignment.largestSimilarityTable)
        {
            return alignByIndex(rows, columns)
        }
        let width = columns.count + 1
        var similarities = [Int](repeating: 0, count: (rows.count + 1) * width)
        var scores = similarities
        for row in (0..<rows.count).reversed() {
            for column in (0..<columns.count).reversed() {
                let cell = row * width + column
                let similarity = ArrayAlignment.similarity(
                    expected[rows.lowerBound + row], actual[columns.lowerBound + column])
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
                pairs.append(.both(rows.lowerBound + row, columns.lowerBound + column))
                row += 1
                column += 1
            } else if scores[cell] == scores[cell + width] {
                pairs.append(.missing(rows.lowerBound + row))
                row += 1
            } else {
                pairs.append(.unexpected(columns.lowerBound + column))
                column += 1
            }
        }
        alignByIndex(rows.lowerBound + row..<rows.upperBound, columns.lowerBound + column..<columns.upperBound)
    }

    private mutating func alignByIndex(_ rows: Range<Int>, _ columns: Range<Int>) {
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
