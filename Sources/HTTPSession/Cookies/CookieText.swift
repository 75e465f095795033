import Basics
import JSON

/// The serialization of cookies in the formats of ``CookieFileFormat``.
enum CookieText {
    private static let firstLine = "# Netscape HTTP Cookie File"
    private static let httpOnlyMark = "#HttpOnly_"

    // MARK: Writing

    static func write(_ cookies: [Cookie], _ format: CookieFileFormat) -> String {
        switch format {
        case .json: json(cookies).serialized(.pretty) + "\n"
        case .netscape: netscape(cookies)
        }
    }

    private static func json(_ cookies: [Cookie]) -> JSONValue {
        let list = cookies.map { cookie -> JSONValue in
            var object: JSONObject = [
                "name": .string(cookie.name), "value": .string(cookie.value), "domain": .string(cookie.domain),
                "hostOnly": .bool(cookie.isHostOnly), "path": .string(cookie.path),
            ]
            if let expires = cookie.expires { object["expires"] = .number(JSONNumber(expires)) }
            object["secure"] = .bool(cookie.isSecure)
            object["httpOnly"] = .bool(cookie.isHTTPOnly)
            if let sameSite = cookie.sameSite { object["sameSite"] = .string(sameSite) }
            return .object(object)
        }
        return ["version": 1, "cookies": .array(list)]
    }

    private static func netscape(_ cookies: [Cookie]) -> String {
        var text = firstLine + "\n\n"
        for cookie in cookies {
            let fields = [
                (cookie.isHTTPOnly ? httpOnlyMark : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain,
                cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path, cookie.isSecure ? "TRUE" : "FALSE",
                String(cookie.expires.map { max(1, $0) } ?? 0), cookie.name, cookie.value,
            ]
            // A separator within a value would make the line unreadable, so leave such a cookie out.
            guard fields.allSatisfy({ !$0.utf8.contains { $0 == 9 || $0 == 10 || $0 == 13 } }) else { continue }
            text += fields.joined(separator: "\t") + "\n"
        }
        return text
    }

    // MARK: Reading

    /// Parses cookies in either format.
    /// - Throws: ``CookieFileError`` with a message that starts with the location.
    static func read(_ text: String) throws(CookieFileError) -> [Cookie] {
        let first = text.utf8.first {
            $0 != 32 && $0 != 9 && $0 != 10 && $0 != 13 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF
        }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? try readJSON(text) : try readNetscape(text)
    }

    private static func readJSON(_ text: String) throws(CookieFileError) -> [Cookie] {
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONValue(parsing: text)
        } catch {
            throw CookieFileError(message: "line \(error.line): \(error.explanation)")
        }
        guard let list = (value["cookies"] ?? value).arrayValue else {
            throw CookieFileError(message: "missing array \"cookies\"")
        }
        var cookies: [Cookie] = []
        for (index, item) in list.enumerated() {
            guard let cookie = cookie(item) else {
                throw CookieFileError(
                    message: "cookie \(index + 1) must have a name, value, domain and path of the right types")
            }
            cookies.append(cookie)
        }
        return cookies
    }

    private static func cookie(_ item: JSONValue) -> Cookie? {
        guard let name = item["name"]?.stringValue, !name.isEmpty, let value = item["value"]?.stringValue,
            let domain = item["domain"]?.stringValue, !domain.isEmpty, let path = item["path"]?.stringValue,
            path.hasPrefix("/"), isField(name), isField(value)
        else { return nil }
        var expires: Int64?
        if let member = item["expires"], !member.isNull {
            guard let number = member.numberValue?.int64 else { return nil }
            expires = number
        }
        return Cookie(
            name: name, value: value, domain: domain.lowercased(), isHostOnly: item["hostOnly"]?.boolValue ?? true,
            path: path, expires: expires, isSecure: item["secure"]?.boolValue ?? false,
            isHTTPOnly: item["httpOnly"]?.boolValue ?? false, sameSite: item["sameSite"]?.stringValue)
    }

    private static func readNetscape(_ text: String) throws(CookieFileError) -> [Cookie] {
        var cookies: [Cookie] = []
        var number = 0
        for bytes in text.utf8.split(separator: 10, omittingEmptySubsequences: false) {
            number += 1
            var line = Substring(bytes.last == 13 ? bytes.dropLast() : bytes)
            let isHTTPOnly = line.hasPrefix(httpOnlyMark)
            if isHTTPOnly { line = line.dropFirst(httpOnlyMark.count) }
            if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { continue }
            let fields = line.utf8.split(separator: 9, omittingEmptySubsequences: false).map { String(Substring($0)) }
            // curl omits the tab before an empty value.
            guard fields.count == 7 || fields.count == 6, !fields[0].isEmpty, fields[2].hasPrefix("/"),
                let expires = Int64(fields[4]), !fields[5].isEmpty
            else { throw CookieFileError(message: "line \(number) must have the seven fields of a cookie") }
            let isBelow = fields[1].uppercased() == "TRUE"
            let domain = fields[0].hasPrefix(".") ? String(fields[0].dropFirst()) : fields[0]
            cookies.append(
                Cookie(
                    name: fields[5], value: fields.count > 6 ? fields[6] : "", domain: domain.lowercased(),
                    isHostOnly: !isBelow, path: fields[2], expires: expires == 0 ? nil : expires,
                    isSecure: fields[3].uppercased() == "TRUE", isHTTPOnly: isHTTPOnly))
        }
        return cookies
    }

    /// Returns whether a string can be sent in a `Cookie` field unchanged.
    private static func isField(_ text: String) -> Bool {
        !text.utf8.contains { $0 < 32 && $0 != 9 || $0 == 127 || $0 == UInt8(ascii: ";") }
    }
}
