import Testing

@testable import Output

struct DecimalTextTests {
    private static func written(_ value: Int64) -> String {
        var buffer = ByteBuffer()
        DecimalText.append(value, to: &buffer)
        return String(decoding: buffer.array, as: UTF8.self)
    }

    @Test func smallNumbers() {
        for value in Int64(0)...20_000 { #expect(Self.written(value) == String(value)) }
    }

    @Test func numbersOfEachLength() {
        var unit: Int64 = 1
        while true {
            for value in [unit - 1, unit, unit + 1, unit / 7 * 5, -unit] {
                #expect(Self.written(value) == String(value))
            }
            let (next, overflow) = unit.multipliedReportingOverflow(by: 10)
            if overflow { break }
            unit = next
        }
    }

    @Test(arguments: 1...6)
    func fixedDigits(_ digits: Int) {
        var limit: UInt64 = 1
        for _ in 0..<digits { limit *= 10 }
        for value in stride(from: 0, to: limit, by: max(1, Int(limit) / 1_999)) {
            var buffer = ByteBuffer()
            buffer.append(upTo: digits) { $0.write(value, digits: digits) }
            let text = String(value)
            #expect(
                String(decoding: buffer.array, as: UTF8.self)
                    == String(repeating: "0", count: digits - text.utf8.count) + text)
        }
    }
}
