import Testing

@testable import SuiteLoader

@Suite("Compact index of row locations")
struct RowIndexTests {
    @Test("Each row keeps its location")
    func rows() {
        var index = RowIndex()
        var rows: [RowIndex.Row] = []
        var offset: Int64 = 12
        var line: Int32 = 2
        for number in 0..<200 {
            let length = Int32(number % 7 == 0 ? 70_000 : number)
            rows.append(RowIndex.Row(offset: offset, length: length, line: line))
            offset += Int64(length) + Int64(number % 3)
            line += Int32(number % 5)
            if number == 100 { offset += 5_000_000_000 }
        }
        for row in rows { index.append(row) }
        index.finish()
        #expect(index.count == rows.count)
        #expect(rows.indices.map { index[$0] } == rows)
        #expect(rows.indices.reversed().map { index[$0] } == rows.reversed())
        #expect(index[200] == nil)
        #expect(index[-1] == nil)
    }

    @Test("Rows that follow one another like lines keep their locations", arguments: [0, 1, 2] as [Int64])
    func lines(gap: Int64) {
        var index = RowIndex()
        let rows = (0..<100).map { number in
            RowIndex.Row(offset: Int64(number) * (17 + gap), length: 17, line: Int32(number) + 2)
        }
        for row in rows { index.append(row) }
        index.finish()
        #expect(rows.indices.map { index[$0] } == rows)
    }

    @Test("Locations that are too many for memory are read in any order")
    func many() {
        func row(_ number: Int) -> RowIndex.Row {
            RowIndex.Row(offset: Int64(number) * 100, length: Int32(number % 90), line: Int32(number) + 2)
        }
        var index = RowIndex()
        let count = 200_000
        for number in 0..<count { index.append(row(number)) }
        index.finish()
        #expect((0..<count).allSatisfy { index[$0] == row($0) })
        #expect(stride(from: count - 1, to: 0, by: -101).allSatisfy { index[$0] == row($0) })
    }
}
