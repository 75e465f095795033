import JSON
import Testing

@testable import SuiteImport

/// The translation of libraries: digests, signatures and encodings, times, and random values.
struct ScriptLibraryTests {
    @Test(arguments: [
        ("CryptoJS.SHA256('a').toString()", #"hex.encode(sha256("a"))"#),
        ("CryptoJS.SHA256('a').toString(CryptoJS.enc.Base64)", #"base64.encode(sha256("a"))"#),
        ("'v1=' + CryptoJS.MD5(pm.variables.get('part'))", "v1=${hex.encode(md5(string(part)))}"),
        (
            "CryptoJS.enc.Base64.stringify(CryptoJS.HmacSHA512('a', pm.variables.get('part')))",
            #"base64.encode(hmacSHA512(string(part), "a"))"#
        ),
        (
            "CryptoJS.enc.Base64.stringify(CryptoJS.enc.Utf8.parse(`u:${pm.variables.get('part')}`))",
            #"base64.encode("u:" + string(part))"#
        ),
        (
            "CryptoJS.HmacSHA256('a', CryptoJS.enc.Base64.parse(pm.variables.get('part'))).toString()",
            "hex.encode(hmacSHA256(base64.decode(string(part)), \"a\"))"
        ),
        ("CryptoJS.enc.Base64.parse('YQ==').toString(CryptoJS.enc.Utf8)", #"string(base64.decode("YQ=="))"#),
        ("require('crypto-js').SHA1('a').toString()", #"hex.encode(sha1("a"))"#),
        ("Buffer.from('a').toString('base64')", #"base64.encode("a")"#),
        ("Buffer.from('YQ==', 'base64').toString()", #"string(base64.decode("YQ=="))"#),
    ])
    func digests(_ value: String, _ expected: String) throws {
        let url: JSONValue = "https://api.example.org/{{signature}}"
        let imported = try importing(
            script: "", before: "pm.variables.set('signature', \(value));",
            items: [.object(["name": "one", "request": .object(["url": url])])], variables: ["part": "k"])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.flattened.contains(expected.flattened), "\(imported.text)")
    }

    @Test(arguments: [
        "CryptoJS.AES.encrypt('a', 'b').toString()", "CryptoJS.SHA256('a').toString(CryptoJS.enc.Latin1)",
    ])
    func unknownEncodings(_ value: String) throws {
        let imported = try importing(script: "pm.globals.set('a', \(value));")
        #expect(imported.untranslated.count == 1, "\(imported.text)")
    }

    /// Times of the library moment.
    @Test(arguments: [
        ("moment().format('YYYY-MM-DD')", #"date.format(now(), "yyyy-MM-dd")"#),
        (
            "moment().add(30, 'day').format('DD.MM.YY HH:mm')",
            #"date.format(now() + duration("720h"), "dd.MM.yy HH:mm")"#
        ),
        ("moment.utc().subtract(2, 'weeks').toISOString()", #"date.format(now() - duration("336h"), "yyyy-MM-dd'T'"#),
        ("moment().startOf('day').unix()", #"int(timestamp(date.format(now(), "yyyy-MM-dd'T00:00:00Z'")))"#),
        ("moment(new Date()).add(1, 'h').valueOf()", #"int(now() + duration("1h")) * 1000"#),
        (
            "moment(moment().format('YYYY-MM-DD')).add(1, 'd').format('[on] D')",
            #"date.format(date.parse(date.format(now(), "yyyy-MM-dd"), "yyyy-MM-dd") + duration("24h"), "'on' d")"#
        ),
        ("(() => { const m = moment(); m.add(5, 'minutes'); return m.format('HH'); })()", #"now() + duration("5m")"#),
    ])
    func timesOfMoment(_ value: String, _ expected: String) throws {
        let next: JSONValue = .object(["name": "one", "request": .object(["url": "https://api.example.org/{{id}}"])])
        let imported = try importing(
            script: "", before: "const moment = require('moment'); pm.globals.set('id', \(value));", items: [next])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.flattened.contains(expected.flattened), "\(imported.text)")
    }

    @Test(arguments: [
        "moment().add(1, 'months').format()", "moment().format('Q')", "moment(pm.globals.get('at')).format('YYYY')",
    ])
    func unknownTimesOfMoment(_ value: String) throws {
        let imported = try importing(script: "const moment = require('moment'); pm.globals.set('a', \(value));")
        #expect(imported.untranslated.count == 1, "\(imported.text)")
    }

    /// Random texts that a script puts together character by character, and random elements of lists.
    @Test(arguments: [
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "text(8)", "id: ${randomString(8)}"),
        ("abc", "text(3)", "id: '${lists.range(3).map(i, \"abc\".charAt(random(0, 2))).join(\"\")}'"),
        ("abc", "text(1) + '-' + text(1)", "id: ${\"abc\".charAt(random(0, 2))}-${\"abc\".charAt(random(0, 2))}"),
        ("abc", "letters[Math.floor(Math.random() * letters.length)]", "id: ${\"abc\".charAt(random(0, 2))}"),
        ("", "_.random(5, 9)", "id: ${random(5, 9)}"), ("", "_.random(9)", "id: ${random(0, 9)}"),
        ("", "parseInt(Math.random() * 100)", "id: ${random(0, 99)}"),
        ("", "Math.random().toString(36).substring(2, 8)", "id: ${randomString(6).lowerAscii()}"),
        ("", "Math.random().toString(36).substr(2, 20)", "id: ${randomString(11).lowerAscii()}"),
        ("", "['a', 'b'][Math.floor(Math.random() * 2)]", "id: ${[\"a\", \"b\"][random(0, 1)]}"),
    ])
    func randomTexts(_ letters: String, _ value: String, _ expected: String) throws {
        let script = """
            const letters = '\(letters)';
            function text(length) {
                let result = '';
                for (let i = 0; i < length; i++) {
                    const index = Math.floor(Math.random() * letters.length);
                    result += letters.charAt(index);
                }
                return result;
            }
            pm.globals.set('id', \(value));
            """
        let next: JSONValue = .object(["name": "one", "request": .object(["url": "https://api.example.org/{{id}}"])])
        let imported = try importing(script: "", before: script, items: [next])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.flattened.contains(expected.flattened), "\(imported.text)")
    }

    /// A made-up value is the same at all of its uses.
    @Test func madeUpValues() throws {
        let script = """
            const id = Math.floor(Math.random() * 900);
            pm.globals.set('user', 'u' + id);
            pm.globals.set('mail', 'u' + id + '@example.org');
            """
        let url: JSONValue = "https://api.example.org/{{user}}/{{mail}}"
        let imported = try importing(
            script: "", before: script, items: [.object(["name": "one", "request": .object(["url": url])])])
        let expected = """
            variables:
              madeUpId: ${random(0, 899)}
              user: u${madeUpId}
              mail: u${madeUpId}@example.org
            """
        #expect(imported.text.contains(expected), "\(imported.text)")
    }

    /// The same for a value that a loop puts together.
    @Test func madeUpTextsOfLoops() throws {
        let script = """
            let name = '';
            for (let i = 0; i < 3; i++) { name += 'abc'.charAt(Math.floor(Math.random() * 3)); }
            pm.globals.set('user', name);
            pm.globals.set('mail', name + '@example.org');
            """
        let url: JSONValue = "https://api.example.org/{{user}}/{{mail}}"
        let imported = try importing(
            script: "", before: script, items: [.object(["name": "one", "request": .object(["url": url])])])
        #expect(imported.text.contains("  mail: ${user}@example.org\n"), "\(imported.text)")
    }

    /// A body whose digest a script computes is sent as it is written.
    @Test(arguments: [("pm.request.body.raw", true), ("'a'", false)])
    func signedBodies(_ text: String, _ isText: Bool) throws {
        let script = "pm.globals.set('signature', CryptoJS.HmacSHA256(\(text), 'k').toString());"
        let item: JSONValue = .object([
            "name": "one",
            "event": .array([
                .object(["listen": "prerequest", "script": .object(["exec": .array([.string(script)])])])
            ]),
            "request": .object([
                "method": "POST", "url": "https://api.example.org/{{signature}}",
                "body": .object([
                    "mode": "raw", "raw": "{ \"a\":  1 }",
                    "options": .object(["raw": .object(["language": "json"])]),
                ]),
            ]),
        ])
        let imported = try importing(script: "", items: [item])
        #expect(imported.text.contains("{ \"a\":  1 }") == isText, "\(imported.text)")
        #expect(imported.text.contains("contentType: application/json") == isText, "\(imported.text)")
        #expect(imported.text.contains("hmacSHA256(\"k\", "), "\(imported.text)")
    }
}
