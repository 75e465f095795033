import HTTPSession
import Testing

@Suite("Headers")
struct HTTPHeadersTests {
    @Test("Names are found in any case and keep their own")
    func caseOfNames() {
        let headers: HTTPHeaders = ["Content-Type": "a", "X-ID": "b"]
        #expect(headers["content-type"] == "a")
        #expect(headers["x-Id"] == "b")
        #expect(headers["x-i"] == nil)
        #expect(headers.map(\.name) == ["Content-Type", "X-ID"])
    }

    @Test("Fields of one name keep their order, and setting replaces them all at the first's place")
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
