import HTTPSession
import JSON
import Reports
import Testing

/// Tests secrets at every location and in every encoding of an exchange, in all reports.
///
/// No output may decode to a part of a secret.
@Suite(.serialized)
struct SecretLocationsTests {
    /// The parts of secrets to search for, which do not occur otherwise.
    private static let parts = ["alpha1234", "bravo5678", "charl9012", "delta3456"]
    /// A secret with all characters that programs escape.
    private static let secret = "aLpHa1234\"'é\u{7F}/bRaVo5678\u{1B}\\&<+ cHaRl9012"
    /// A secret that is valid in a host name and a token.
    private static let token = "dElTa3456-Token"

    // MARK: Locations

    /// A response of the server for a path, and the expectation of a step.
    private struct Location {
        let path: String
        var fields: [String] = []
        let body: [UInt8]
        var expectation = "body: no"
        var request = ""
    }

    private static let locations: [Location] = [
        Location(path: "plain", fields: ["Content-Type: text/plain; charset=utf-8"], body: bytes("<\(secret)>")),
        Location(
            path: "latin1", fields: ["Content-Type: text/plain; charset=iso-8859-1"],
            body: secret.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }),
        Location(path: "wrong", fields: ["Content-Type: text/plain; charset=iso-8859-1"], body: bytes("<\(secret)>")),
        Location(
            path: "utf16", fields: ["Content-Type: text/plain; charset=utf-16"],
            body: [0xFF, 0xFE] + utf16("say \(secret)!")),
        Location(
            path: "utf16-binary", fields: ["Content-Type: application/octet-stream"],
            body: [1] + utf16("say \(secret)!")),
        Location(
            path: "json-in-json", fields: ["Content-Type: application/json"],
            body: json(.object(["a": .string(ascii(.object(["b": .string(secret)])))])),
            expectation: "json: { $.a: no }"),
        Location(
            path: "jwt", fields: ["Content-Type: application/json"],
            body: json(
                .object([
                    "token": .string("eyJhbGciOiJub25lIn0." + base64(bytes(ascii(.object(["b": .string(secret)])))))
                ])),
            expectation: "json: { $.token: no }"),
        Location(path: "mime", body: lines(base64(bytes("a message of some length: \(secret), and more of it")))),
        Location(path: "base64-percent", body: bytes(base64(bytes("x=" + percent(secret))))),
        Location(
            path: "left-gzip", fields: ["Content-Encoding: gzip", "Content-Type: text/plain"],
            body: compressed("<\(secret)>", .gzip), request: "headers: { Accept-Encoding: null }"),
        Location(
            path: "left-deflate", fields: ["Content-Encoding: deflate", "Content-Type: text/plain"],
            body: compressed("<\(secret)>", .deflate), request: "headers: { Accept-Encoding: null }"),
        Location(
            path: "left-broken", fields: ["Content-Encoding: gzip", "Content-Type: text/plain"],
            body: compressed("<\(secret)> and some more text", .gzip).dropLast(9),
            request: "headers: { Accept-Encoding: null }"),
        Location(
            path: "broken-gzip", fields: ["Content-Encoding: gzip", "Content-Type: text/plain"],
            body: compressed("<\(secret)> and some more text", .gzip).dropLast(9)),
        Location(
            path: "brotli", fields: ["Content-Encoding: br"], body: [0x8B, 0x80] + bytes(secret) + [0x03, 0xFF],
            request: "headers: { Accept-Encoding: br }"),
        Location(path: "file.gz", fields: ["Content-Type: application/gzip"], body: compressed("<\(secret)>", .gzip)),
        Location(path: "codings", fields: ["Transfer-Encoding: \(token), chunked"], body: bytes("0\r\n\r\n")),
        Location(
            path: "status", fields: ["X-\(token): \(token)"], body: [],
            expectation: "headers: { X-Other: \"${token}\" }"),
        Location(path: "compressed", body: [], request: "method: POST, json: { a: \"${secret}\" }, compress: gzip"),
        Location(path: "deflated", body: [], request: "method: POST, json: { a: \"${secret}\" }, compress: deflate"),
        Location(path: "posted", body: [], request: "method: POST, json: { a: \"${json.stringify(secret)}\" }"),
        Location(path: "form", body: [], request: "method: POST, form: { a: \"${secret}\" }"),
        Location(path: "break", body: [], request: #"headers: { X-Key: "${secret + '\\n'}" }"#),
        Location(path: "method", body: [], request: #"method: "${token + ' x'}""#),
    ]

    private static let extra = #"""
          - name: a host
            request: GET http://${token}.example:1/
            expect: { status: 200 }
          - name: bytes
            request: GET /plain
            assert: ['bytes(secret) == b"x"', 'secret.size() == 1 && base64.encode(bytes(secret)) == "x"', '{"a": [secret]} == {"b": 1}']
          - name: numbers and patterns
            request: GET /plain
            expect: { body: { matches: "^${secret}$" } }
          - name: differences
            request: GET /plain
            expect: { body: "${'and then it said ' + secret + ' and more than that, over and over, as it was asked to do'}" }
        """#

    private static var suite: String {
        var text =
            "name: Places\nsecrets: [secret, token]\nvariables: { secret: \"${env('SECRET')}\", token: \"${env('TOKEN')}\" }\ndefaults: { timeout: 20s }\ntests:\n"
        for location in locations {
            let request = location.request.contains("method:") ? location.request : "method: GET, " + location.request
            text += "  - name: \(location.path)\n"
            text +=
                "    request: { url: /\(location.path), \(request.hasSuffix(", ") ? String(request.dropLast(2)) : request) }\n"
            text += "    expect: { status: 299, \(location.expectation) }\n"
        }
        return text + extra
    }

    private static func script() throws -> ServerScript {
        var answers: [(String, JSONValue)] = []
        for location in locations {
            let method = location.request.contains("method: POST") ? "POST" : "GET"
            let length =
                location.fields.contains { $0.hasPrefix("Transfer-Encoding") }
                ? "" : "Content-Length: \(location.body.count)\r\n"
            let head = "HTTP/1.1 200 OK\r\n" + location.fields.map { $0 + "\r\n" }.joined() + length + "\r\n"
            let hexadecimal = (bytes(head) + location.body).map {
                String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
            }
            answers.append(
                ("\(method) /\(location.path)", .array([.object(["hex": .string(hexadecimal.joined(separator: " "))])]))
            )
        }
        var object = JSONObject()
        for (name, actions) in answers { object[name] = actions }
        return try ServerScript(JSONValue.object(["answers": .object(object)]).serializedBytes())
    }

    // MARK: Outputs

    @Test func noReportTellsThem() async throws {
        let directory = try TemporaryDirectory()
        let server = try ScriptedServer(Self.script())
        defer { server.stop() }
        TestFiles.write("baseURL: \(server.url)\n\(Self.suite)".utf8, to: directory.path + "/suite.yaml")
        let reports = ReportRequest.Format.allCases
        let run = try await Program.run(
            [
                "suite.yaml", "-vv", "--resolve",
                "\(Self.token).example:1:127.0.0.1:1",
            ]
                + reports.flatMap { ["--report", "\($0.request)=a.\($0)"] }, in: directory.path,
            environment: ["SECRET": Self.secret, "TOKEN": Self.token])
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        #expect(run.output.contains("***"))
        Self.check(Array(run.output.utf8), "standard output")
        Self.check(Array(run.error.utf8), "standard error")
        for format in reports where format != .allure {
            Self.check(try #require(TestFiles.bytes("\(directory.path)/a.\(format)")), "\(format)")
        }
        let attachments = TestFiles.names(in: directory.path + "/a.allure")
        #expect(attachments.count > Self.locations.count)
        for name in attachments {
            Self.check(try #require(TestFiles.bytes(directory.path + "/a.allure/" + name)), "allure/" + name)
        }
        // The rest of a compressed body remains readable after masking.
        let archive = try #require(TestFiles.text(directory.path + "/a.har"))
        #expect(archive.contains(#""text":"{\"a\":\"***\"}""#))
        #expect(run.output.contains("| gzip -c | curl"))
    }

    /// Searches for parts of secrets in bytes and in everything that they decode to.
    private static func check(_ bytes: [UInt8], _ what: String, depth: Int = 0) {
        let lowercase = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self).lowercased()
        for part in parts where lowercase.contains(part) {
            let location =
                lowercase.firstRange(of: part).map { lowercase[..<$0.lowerBound].suffix(160) + "«" + part } ?? ""
            Issue.record("\(what) contains \(part): \(location)")
        }
        guard depth < 3 else { return }
        if bytes.starts(with: [0x1F, 0x8B]) || bytes.first == 0x78 {
            let coding = bytes[0] == 0x78 ? ContentCoding.deflate : .gzip
            if let decoder = try? ContentDecoder([coding]), let decoded = try? decoder.decode(bytes), !decoded.isEmpty {
                check(decoded, what + ", decompressed", depth: depth + 1)
            }
        }
        let decoded = unescaped(bytes)
        if decoded.count < bytes.count { check(decoded, what + ", unescaped", depth: depth + 1) }
        var run: [UInt8] = []
        for byte in bytes + [0] {
            if byte == 0x0A || byte == 0x0D { continue }
            let value = alphabet.firstIndex(of: byte == 0x2D ? 0x2B : byte == 0x5F ? 0x2F : byte)
            if let value {
                run.append(UInt8(value))
            } else {
                if run.count >= 12 {
                    for start in 0..<4 { check(joined(run[start...]), what + ", base64", depth: max(depth + 1, 2)) }
                }
                run = []
            }
        }
    }

    /// Returns bytes with `\uXXXX`, `\xXX`, octal, percent-encoded and other backslash escapes decoded.
    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        func number(_ start: Int, _ count: Int, _ radix: Int) -> UInt32? {
            guard start + count <= bytes.count else { return nil }
            return UInt32(String(decoding: bytes[start..<start + count], as: UTF8.self), radix: radix)
        }
        while index < bytes.count {
            if bytes[index] == 0x25, let value = number(index + 1, 2, 16) {
                result.append(UInt8(value))
                index += 3
            } else if bytes[index] == 0x5C, index + 1 < bytes.count {
                if bytes[index + 1] == UInt8(ascii: "u"), let value = number(index + 2, 4, 16) {
                    result += value < 0x80 ? [UInt8(value)] : [0x3F]
                    index += 6
                } else if bytes[index + 1] == UInt8(ascii: "x"), let value = number(index + 2, 2, 16) {
                    result.append(UInt8(value))
                    index += 4
                } else if let value = number(index + 1, 3, 8) {
                    result.append(UInt8(truncatingIfNeeded: value))
                    index += 4
                } else {
                    result.append(bytes[index + 1])
                    index += 2
                }
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    // MARK: Encodings

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Returns the bytes of base64 digits.
    private static func joined(_ digits: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for digit in digits {
            bits = bits << 6 | UInt32(digit)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return result
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var value = 0
            for index in 0..<3 { value = value << 8 | (index < group.count ? Int(group[start + index]) : 0) }
            for index in 0..<4 { output.append(index <= group.count ? alphabet[value >> (18 - index * 6) & 63] : 0x3D) }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func lines(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return Array(
            stride(from: 0, to: bytes.count, by: 76).map { bytes[$0..<min($0 + 76, bytes.count)] }
                .joined(separator: [0x0D, 0x0A]))
    }

    private static func percent(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
            return isPlain
                ? String(Unicode.Scalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// Returns JSON with everything except ASCII letters and digits escaped in strings.
    private static func ascii(_ value: JSONValue) -> String {
        String(
            value.serialized().unicodeScalars.flatMap { scalar -> [Character] in
                if scalar.isASCII { return [Character(scalar)] }
                return String(scalar).utf16.flatMap { unit -> String in
                    let digits = String(unit, radix: 16)
                    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            })
    }

    private static func json(_ value: JSONValue) -> [UInt8] { value.serializedBytes() }

    private static func utf16(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }

    private static func compressed(_ text: String, _ coding: ContentCoding) -> [UInt8] {
        (try? coding.encode(bytes(text))) ?? []
    }
}
