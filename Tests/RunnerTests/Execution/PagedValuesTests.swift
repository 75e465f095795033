import Testing

@testable import Runner

@Suite("Values of tests in pages")
struct PagedValuesTests {
    @Test("Values that change at random are those of an array")
    func random() {
        var random = SystemRandomNumberGenerator()
        let count = 2 * PagedValues<Int32>.pageLength + 7
        var values = PagedValues<Int32>(repeating: 3, count: count)
        var array = [Int32](repeating: 3, count: count)
        for _ in 0..<100_000 {
            let index = Int.random(in: 0..<count, using: &random)
            let value = Int32.random(in: 0..<4, using: &random)
            values[index] = value
            array[index] = value
        }
        #expect((0..<count).map { values[$0] } == array)
        #expect(values.mixedPageCount == 3)
    }

    @Test("Values that change in order need one page", arguments: [1, 64, 4_096, 5_000])
    func order(inFlight: Int) {
        let count = 10 * PagedValues<Int32>.pageLength + 1
        var values = PagedValues<Int32>(repeating: 0, count: count)
        var maximum = 0
        for index in 0..<count + inFlight {
            if index < count { values[index] = 1 }
            if index >= inFlight { values[index - inFlight] += 1 }
            maximum = max(maximum, values.mixedPageCount)
        }
        #expect(maximum <= 3)
        #expect(values.mixedPageCount == 0)
        #expect((0..<count).allSatisfy { values[$0] == 2 })
    }

    @Test("The last page may be short, and no value needs no page", arguments: [0, 1, 4_095, 4_096, 4_097])
    func bounds(count: Int) {
        var values = PagedValues<Bool>(repeating: false, count: count)
        for index in 0..<count { values[index] = true }
        #expect(values.mixedPageCount == 0)
        #expect((0..<count).allSatisfy { values[$0] })
    }
}
