import RunModel
import Testing

@testable import Reports

struct ByteBufferTests {
    @Test func growsAndKeepsItsBytes() {
        var buffer = ByteBuffer()
        var expected: [UInt8] = []
        #expect(buffer.isEmpty && buffer.array.isEmpty)
        for number in 0..<2_000 {
            buffer.append(UInt8(truncatingIfNeeded: number))
            expected.append(UInt8(truncatingIfNeeded: number))
            let part = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 7)
            buffer.append(part)
            expected += part
            buffer.append("word")
            expected += "word".utf8
        }
        #expect(buffer.array == expected)
        #expect(buffer.count == expected.count)
        #expect(buffer.array(from: 9_000) == Array(expected[9_000...]))
        #expect(buffer.array(from: expected.count + 5).isEmpty)
        var other = ByteBuffer()
        other.append(buffer)
        buffer.removeAll()
        #expect(buffer.isEmpty && other.array == expected)
        buffer.append("x")
        #expect(buffer.array == [0x78])
    }

    @Test(arguments: [(0, "abcdef"), (-1, "abcdef"), (2, "cdef"), (5, "f"), (6, ""), (9, "")])
    func firstBytesAreForgotten(_ dropped: Int, _ expected: String) {
        var buffer = ByteBuffer()
        buffer.append("abcdef")
        buffer.removeFirst(dropped)
        #expect(buffer.array == Array(expected.utf8))
        buffer.append("g")
        #expect(buffer.array == Array((expected + "g").utf8))
    }

    @Test func aClosureWritesNoMoreThanItSays() {
        var buffer = ByteBuffer()
        var array: [UInt8] = []
        for room in [0, 1, 300, 5] {
            func write(_ start: UnsafeMutablePointer<UInt8>) -> Int {
                for index in 0..<room / 2 { start[index] = UInt8(truncatingIfNeeded: room) }
                return room / 2
            }
            buffer.append(most: room, write)
            array.append(most: room, write)
        }
        #expect(buffer.array == array)
        #expect(array.count == 152)
    }
}

/// The largest numbers that a result can have find room in the pieces that reports write unchecked (``ByteWriter``).
struct ByteRoomTests {
    /// The longest time of a record.
    private static let longest: Int64 = 100_000_000_000_000_000

    private static let fixture = Fixture(index: Int(Int32.max))

    /// A test whose numbers are as large as can be.
    private static func result(_ number: Int, steps: Int, exchange: Exchange?) -> TestResult {
        var result = fixture.result("test", .passed, position: Int(Int32.max) - number, exchange: exchange)
        result.start = longest
        result.duration = longest
        for index in result.steps.indices {
            result.steps[index].start = longest
            result.steps[index].duration = longest
        }
        result.steps = (0..<steps).flatMap { _ in result.steps }
        return result
    }

    private static let exchange: Exchange = {
        var exchange = Fixture.created
        exchange.start = longest
        exchange.timings = Exchange.Timings(
            dns: longest, connect: longest, tls: longest, firstByte: longest, transfer: longest, total: longest)
        exchange.response?.status = 999
        return exchange
    }()

    private static let events: [RunEvent] = {
        let events = fixture.events([
            result(0, steps: 1, exchange: nil), result(1, steps: 1, exchange: exchange),
            result(2, steps: 3, exchange: exchange),
        ])
        return events.map { event in
            switch event {
            case .suiteFinished(var summary):
                summary.duration = longest
                return .suiteFinished(summary)
            case .runFinished(var summary):
                summary.duration = longest
                return .runFinished(summary)
            default: return event
            }
        }
    }()

    @Test(arguments: ReportRequest.Format.allCases.map(\.rawValue) + ["json:exchanges", "junit:strict"])
    func largestNumbers(_ report: String) throws {
        let folder = try TemporaryFolder()
        let request = try ReportRequest(report + "=" + folder.path + "/report")
        let fanOut = ReportFanOut([try ReporterFactory.reporter(for: request)])
        for event in Self.events { fanOut.send(event) }
        #expect(fanOut.finish() == [])
    }
}
