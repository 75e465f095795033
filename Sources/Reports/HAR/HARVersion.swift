import SuiteModel

/// The version of HTTP of an exchange as archives write it: `HTTP/1.1`, `HTTP/2`; empty where there was no response.
struct HARVersion {
    private let number: String?

    init(_ response: Exchange.Response?) {
        number = response?.version
    }

    /// The number of bytes.
    var count: Int { number.map { 5 + $0.utf8.count } ?? 0 }

    /// Appends the member `httpVersion` and the beginning of the array `cookies`, with a comma before each.
    func write(into json: inout JSONText) {
        guard let number else { return json.literal(",\"httpVersion\":\"\",\"cookies\":[") }
        if number == "1.1" { return json.literal(",\"httpVersion\":\"HTTP/1.1\",\"cookies\":[") }
        json.literal(",\"httpVersion\":")
        json.string("HTTP/" + number)
        json.literal(",\"cookies\":[")
    }
}
