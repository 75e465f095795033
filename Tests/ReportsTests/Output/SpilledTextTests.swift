import Testing

@testable import Reports

/// Texts of which only the end is kept in memory.
struct SpilledTextTests {
    @Test(arguments: [1, 1_000, 40_000, 65_536, 65_537, 200_000])
    func whatIsSpilledIsNotChanged(_ step: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/report"
        var file = try ReportFile(path: path)
        var text = SpilledText()
        var aside = SpilledText(isAside: true)
        var expected: [UInt8] = []
        var expectedAside: [UInt8] = []
        for number in 0..<max(6, 300_000 / step) {
            let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: step)
            text.bytes.append(piece)
            aside.bytes.append(piece)
            aside.bytes.append(0xFF)
            expected += piece
            expectedAside += piece + [0xFF]
            try text.spillIfLong(to: &file)
            try aside.spillIfLong(to: &file)
            #expect(text.bytes.count <= 2 * ReportFile.spillUnit && aside.bytes.count <= 2 * ReportFile.spillUnit)
        }
        // What was spilled ends where a unit of the file does, so that none is written twice.
        for pieces in [text.pieces, aside.pieces] {
            for piece in pieces {
                switch piece {
                case .part(let part), .aside(let part): #expect(part.upperBound % ReportFile.spillUnit == 0)
                case .bytes: break
                }
            }
        }
        try file.publish(text.pieces + aside.pieces)
        #expect(try TemporaryFolder.read(path) == expected + expectedAside)
    }
}
