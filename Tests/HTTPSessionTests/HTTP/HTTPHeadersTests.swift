import HTTPSession
import Testing

@Suite("HTTP headers")
struct HTTPHeadersTests {
    @Test("Field names are matched case-insensitively and keep their case")
    func caseOfNames() {
        let headers: HTTPHeaders = ["Content-Type": "a", "X-ID": "b"]
        #expect(headers["content-type"] == "a")
        #expect(headers["x-Id"] == "b")
        #expect(headers["x-i"] == nil)
        #expect(headers.map(\.name) == ["Content-Type", "X-ID"])
    }

    @Test("Repeated fields keep their order, and setting a field replaces all of them at the first position")
    func multipleValues() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3", "C": "4", "A": "5"]
        #expect(headers.values("a") == ["1", "3", "5"])
        #expect(headers.combined("A") == "1, 3, 5")
        #expect(headers.combined("D") == nil)
        headers.set(name: "A", value: "6")
        #expect(headers == ["A": "6", "B": "2", "C": "4"])
        headers["B"] = nil
        headers["D"] = "7"
        #expect(headers == ["A": "6", "C": "4", "D": "7"])
    }
}
