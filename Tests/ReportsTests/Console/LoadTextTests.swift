import Output
import RunModel
import Testing

@testable import Reports

@Suite("Loads on the console")
struct LoadTextTests {
    @Test("A shard says which part of the load it is, and warns about invalid figures, which no case of it shows")
    func shard() {
        var summary = LoadSample.summary
        summary.invalidities = [.late(p99: 20_000_000, response: 100_000_000)]
        let text = LoadText(painter: Painter(color: false), shard: "2/5").text(summary)
        #expect(text.hasPrefix("load checkout: shard 2/5 of 100/s for 4s\n"))
        #expect(
            text.contains("\n  warning: the figures are invalid: iterations started 20.0 ms late (p99), more than 5%"))
        let whole = LoadText(painter: Painter(color: false)).text(summary)
        #expect(whole.hasPrefix("load checkout: 100/s for 4s\n"))
        #expect(!whole.contains("warning"))
    }
}
