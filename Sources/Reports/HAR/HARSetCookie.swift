import SuiteModel

/// A cookie that a response sets, as an HTTP Archive has it (RFC 6265, section 5.2).
struct HARSetCookie {
    private let name: String
    private let value: String
    private var path: String?
    private var domain: String?
    private var expires: String?
    private var maximumAge: Int64?
    private var isHTTPOnly = false
    private var isSecure = false

    init(_ field: String) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        let first = parts.first ?? ""
        if let equals = first.firstIndex(of: "=") {
            name = Self.trimmed(first[..<equals])
            value = Self.trimmed(first[first.index(after: equals)...])
        } else {
            name = ""
            value = Self.trimmed(first)
        }
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count > 1 ? Self.trimmed(pair[1]) : ""
            switch Self.trimmed(pair.first ?? "").lowercased() {
            case "path": path = value
            case "domain": domain = value
            case "expires": expires = Self.date(value)
            case "max-age": maximumAge = Int64(value)
            case "httponly": isHTTPOnly = true
            case "secure": isSecure = true
            default: break
            }
        }
    }

    /// - Parameter start: Nanoseconds from the run's start to when the cookie was set.
    func write(clock: RunClock, start: Int64, into json: inout JSONText) {
        json.beginObject()
        json.member("name", name)
        json.member("value", value)
        if let path { json.member("path", path) }
        if let domain { json.member("domain", domain) }
        if let maximumAge {
            // A hundred years are more than anyone keeps.
            let seconds = min(max(0, maximumAge), 3_155_760_000)
            json.member("expires", clock.text(at: start + seconds * 1_000_000_000))
        } else if let expires {
            json.member("expires", expires)
        }
        json.member("httpOnly", isHTTPOnly)
        json.member("secure", isSecure)
        json.endObject()
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// A date such as `Wed, 21 Oct 2015 07:28:00 GMT` (RFC 9110, section 5.6.7) as `2015-10-21T07:28:00.000Z`.
    private static func date(_ text: String) -> String? {
        let words = text.split { " ,-:".contains($0) }
        guard words.count >= 7, let day = Int(words[1]), 1...31 ~= day,
            let month = months.firstIndex(of: words[2].lowercased()), let year = Int(words[3]), 1_000...9_999 ~= year
        else { return nil }
        let time = words[4...6].compactMap { Int($0) }
        guard time.count == 3, 0...23 ~= time[0], 0...59 ~= time[1], 0...60 ~= time[2] else { return nil }
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(padded(month + 1))-\(padded(day))T" + time.map(padded).joined(separator: ":") + ".000Z"
    }
}
