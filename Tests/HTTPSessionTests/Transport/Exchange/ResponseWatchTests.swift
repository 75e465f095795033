import Testing

@testable import HTTPSession

@Suite("Watching for a response")
struct ResponseWatchTests {
    @Test("If responses arrive in time, every response is watched for")
    func near() {
        var watch = ResponseWatch()
        var watches = 0
        for _ in 0..<1000 where watch.isWorthwhile() {
            watches += 1
            watch.note(hasCome: true)
        }
        #expect(watches == 1000)
    }

    @Test("If responses take longer, watches are rare")
    func far() {
        var watch = ResponseWatch()
        var watches = 0
        for _ in 0..<10_000 where watch.isWorthwhile() {
            watches += 1
            watch.note(hasCome: false)
        }
        #expect((20...60).contains(watches))
    }

    @Test("A few slow responses do not stop the watches, and one fast response restarts them")
    func mixed() {
        var watch = ResponseWatch()
        for _ in 0..<8 { watch.note(hasCome: true) }
        for _ in 0..<5 { watch.note(hasCome: false) }
        let goesOn = watch.isWorthwhile()
        #expect(goesOn)
        for _ in 0..<5 { watch.note(hasCome: false) }
        let goesOnForLong = watch.isWorthwhile()
        #expect(!goesOnForLong)
        watch.note(hasCome: true)
        let beginsAgain = watch.isWorthwhile()
        #expect(beginsAgain)
    }
}
