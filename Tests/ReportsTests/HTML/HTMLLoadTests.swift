import JSON
import RunModel
import Testing

@testable import Output
@testable import Reports

struct HTMLLoadTests {
    private static func page(_ events: [RunEvent] = LoadSample.events) throws -> HTMLPageReader {
        let bytes = try RichRun.report(events) { path throws(ReportError) in
            try HTMLReporter(path: path, hostName: "host.example", workingDirectory: "/home/ada")
        }
        return try HTMLPageReader(bytes)
    }

    @Test func theSampleLoad() throws {
        try GoldenFile.expect(try Self.page().withoutAssets, named: "load.html")
    }

    @Test("A run without a load has no section")
    func withoutLoad() throws {
        let text = try Self.page(Fixture().events([])).text
        #expect(!text.contains("<section class=\"card load\""))
    }

    @Test("Strings of the load can neither end nor add an element")
    func hostileTexts() throws {
        let page = try Self.page()
        #expect(page.text.ranges(of: "<script").count == page.details.count + 3)
        #expect(!page.text.contains(RichRun.secret))
        #expect(!page.text.contains("</script><b>"))
    }

    @Test("Exchanges of causes and slow requests have their data for the script, with secrets masked")
    func exchanges() throws {
        let page = try Self.page()
        #expect(page.details.keys.sorted() == ["load-0", "load-1", "load-2", "t0"])
        #expect(page.details["load-0"]?["response"]?["status"] == 200)
        #expect(page.details["load-0"]?["request"]?["headers"]?.arrayValue?.last == ["X-Key", "***"])
        #expect(page.details["load-1"]?["failure"]?[2] == "connection refused")
    }

    @Test("An hour takes no more room than some minutes")
    func sizes() throws {
        var sizes: [Int] = []
        for count in [300, 3_600] {
            var load = HTMLLoad()
            for index in 1...count {
                var second = LoadSecond(time: Int64(index) * 1_000_000_000, duration: 1_000_000_000)
                second.statistics.record(response: Int64(index) * 1_000, service: 1_000, isFailed: false)
                load.receive(.second(second))
            }
            load.receive(.finished(LoadSample.summary))
            sizes.append(load.markup.count)
        }
        #expect(sizes[1] < sizes[0] * 11 / 10)
    }
}
