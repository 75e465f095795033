import Glibc
import TestSupport
import Testing

@testable import Output

/// Tests of reports assembled from spilled parts, which reuse the spill file if possible.
struct ReportFileSpillTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func buffer(_ text: String) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.append(bytes(text))
        return buffer
    }

    /// The order of the published pieces (`one`, `two`, `x` and `aside`), and the resulting report.
    static let orders: [(String, String)] = [
        ("12", "onetwo"), ("12x", "onetwox"), ("12a", "onetwoaside"), ("12xax", "onetwoxasidex"),
        // The file cannot be reused: something precedes it, is missing, or is repeated.
        ("x12", "xonetwo"), ("1x2", "onextwo"), ("21", "twoone"), ("1", "one"), ("1a", "oneaside"),
        ("a12", "asideonetwo"),
        ("121", "onetwoone"), ("", ""), ("x", "x"),
    ]

    @Test(arguments: orders)
    func pieces(_ order: String, _ expected: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/report"
        try TemporaryDirectory.write(Self.bytes("an older report that is longer than the new one"), to: path)
        var file = try ReportFile(path: path)
        let one = try file.spill(Self.buffer("one"))
        let aside = try file.spillAside(Self.buffer("aside"))
        let two = try file.spill(Self.buffer("two"))
        #expect(TemporaryDirectory.names(in: directory.path) == ["report"])
        func pieces() -> [ReportFile.Piece] {
            order.map { piece in
                switch piece {
                case "1": .part(one)
                case "2": .part(two)
                case "a": .aside(aside)
                default: .bytes(Self.bytes("x"))
                }
            }
        }
        try file.publish(pieces())
        #expect(String(decoding: try TemporaryDirectory.read(path), as: UTF8.self) == expected)
        // Another file does not change the first one.
        try file.publish(pieces() + [.bytes(Self.bytes("!"))], as: path + "-2")
        #expect(String(decoding: try TemporaryDirectory.read(path + "-2"), as: UTF8.self) == expected + "!")
        #expect(String(decoding: try TemporaryDirectory.read(path), as: UTF8.self) == expected)
        #expect(TemporaryDirectory.names(in: directory.path) == ["report", "report-2"])
    }

    @Test func aDirectoryThatCannotBeCreatedAnyMore() throws {
        let directory = try TemporaryDirectory()
        var file = try ReportFile(path: directory.path + "/gone/report")
        let part = try file.spill(Self.buffer("one"))
        #expect(TemporaryDirectory.names(in: directory.path).isEmpty)
        close(creat(directory.path + "/gone", 0o600))
        var error: ReportError?
        do { try file.publish([.part(part)]) } catch let failure { error = failure }
        #expect(error?.message.hasPrefix("cannot write the report \"\(directory.path)/gone/report\": ") == true)
    }
}

/// Tests of texts that keep only their end in memory.
struct SpilledTextTests {
    @Test(arguments: [1, 1_000, 40_000, 65_536, 65_537, 200_000])
    func whatIsSpilledIsNotChanged(_ step: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/report"
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
        // Spilled data ends at a unit of the file, so that no unit is written twice.
        for pieces in [text.pieces, aside.pieces] {
            for piece in pieces {
                switch piece {
                case .part(let part), .aside(let part): #expect(part.upperBound % ReportFile.spillUnit == 0)
                case .bytes: break
                }
            }
        }
        try file.publish(text.pieces + aside.pieces)
        #expect(try TemporaryDirectory.read(path) == expected + expectedAside)
    }
}
