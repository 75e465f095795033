import JSON
import Testing

@testable import SuiteImport

/// The translation of scripts, by the expectations and counts that they become.
struct PostmanScriptTests {
    @Test(arguments: [
        ("pm.test('ok', () => pm.response.to.have.status(200));", "expect: 200"),
        ("pm.test('ok', function () { pm.response.to.be.ok })", "expect: 200"),
        ("pm.response.to.be.success", "expect: 2xx"),
        ("pm.response.to.not.be.error", "expect: { status: { not: [4xx, 5xx] } }"),
        ("tests['ok'] = responseCode.code === 200;", "expect: 200"),
        ("tests['ok'] = responseCode.code == 200 || responseCode.code == 201", "expect: { status: [200, 201] }"),
        ("pm.expect(pm.response.code).to.be.oneOf([200, 201])", "expect: { status: [200, 201] }"),
        ("pm.expect([200, 404]).to.include(pm.response.code)", "expect: { status: [200, 404] }"),
        ("pm.expect(pm.response.code).to.be.below(300)", "expect: { status: { lt: 300 } }"),
        ("pm.response.to.have.status('Created')", "assert:\n      - 'response.reason == \"Created\"'"),
        ("pm.expect(pm.response.responseTime).to.be.below(200)", "expect: { duration: { lt: 200ms } }"),
        ("tests['fast'] = responseTime < 500", "expect: { duration: { lt: 500ms } }"),
        ("pm.response.to.have.header('ETag')", "expect: { headers: { ETag: { exists: true } } }"),
        ("tests['etag'] = responseHeaders.hasOwnProperty('ETag')", "expect: { headers: { ETag: { exists: true } } }"),
        ("pm.response.to.have.header('X-A', 'b')", "expect: { headers: { X-A: b } }"),
        (
            "pm.expect(pm.response.headers.get('Content-Type')).to.include('json')",
            "expect: { headers: { Content-Type: { contains: json } } }"
        ),
        ("pm.expect(pm.response.text()).to.include('Dune')", "expect: { text: { contains: Dune } }"),
        ("tests['body'] = responseBody.has('Dune')", "expect: { text: { contains: Dune } }"),
        ("pm.response.to.be.json", "expect: { json: { $: { exists: true } } }"),
        ("pm.expect(() => { pm.response.json() }).to.not.throw()", "expect: { json: { $: { exists: true } } }"),
        ("pm.response.to.have.jsonBody('a.b[0]', 1)", "expect: { json: { \"$.a.b[0]\": 1 } }"),
    ])
    func responses(_ script: String, _ expected: String) throws {
        #expect(try checks(script) == expected)
    }

    @Test(arguments: [
        ("pm.expect(json.title).to.eql('Dune')", "$.title: Dune"),
        ("const t = json.data && json.data.token; pm.expect(t).to.be.a('string')", "$.data.token: { type: string }"),
        ("pm.expect(json.errors.pop().code).to.eql('E')", "$.errors[-1].code: E"),
        ("pm.expect(json.errors.shift().code).to.eql('E')", "$.errors[0].code: E"),
        ("pm.expect(json.books.at(-1).id).to.eql(7)", "$.books[-1].id: 7"),
        ("pm.expect(json.title).to.not.equal('Emma')", "$.title: { not: Emma }"),
        ("pm.expect(json.a.b[0]['c-d']).to.equal(1.50)", "$.a.b[0]['c-d']: 1.50"),
        ("pm.expect(json).to.have.property('id')", "$.id: { exists: true }"),
        ("pm.expect(json).to.have.property('id', 7)", "$.id: 7"),
        ("pm.expect(json).to.not.have.property('error')", "$.error: { exists: false }"),
        ("pm.expect(json).to.have.nested.property('a.b', 7)", "$.a.b: 7"),
        ("pm.expect(json).to.have.property('tags').that.is.an('array')", "$.tags: { type: array }"),
        ("pm.expect(json.tags).to.be.an('array').that.is.not.empty", "$.tags: { type: array, empty: false }"),
        ("pm.expect(json.tags).to.have.lengthOf(2)", "$.tags: { length: 2 }"),
        ("pm.expect(json.length).to.eql(2)", "$: { type: array, length: 2 }"),
        ("pm.expect(json.tags.length).to.be.above(0)", "$.tags: { length: { gt: 0 } }"),
        ("pm.expect(json.tags).to.have.length.within(1, 3)", "$.tags: { length: { between: [1, 3] } }"),
        ("pm.expect(json.tags).to.include('novel')", "$.tags: { contains: novel }"),
        ("pm.expect(json).to.include({ a: 1 })", "$: { like: { a: 1 } }"),
        ("pm.expect(json.price).to.be.a('number').and.to.be.above(5)", "$.price: { type: number, gt: 5 }"),
        ("pm.expect(json.price).to.be.at.least(5)", "$.price: { gte: 5 }"),
        ("pm.expect(json.price).to.be.within(5, 7)", "$.price: { between: [5, 7] }"),
        ("pm.expect(json.price).to.be.closeTo(5, 0.5)", "$.price: { closeTo: { value: 5, within: 0.5 } }"),
        ("pm.expect(json.ok).to.be.true", "$.ok: true"),
        ("pm.expect(json.ok).to.be.false", "$.ok: false"),
        ("pm.expect(json.none).to.be.null", "$.none: null"),
        ("pm.expect(json.none).to.not.be.null", "$.none: { not: null }"),
        ("pm.expect(json.none).to.be.undefined", "$.none: { exists: false }"),
        ("pm.expect(json.id).to.exist", "$.id: { not: null }"),
        ("pm.expect(json.id).to.be.ok", "$.id: { not: { oneOf: [null, false, 0, \"\"] } }"),
        ("pm.expect(json.name).to.match(/^d\\w+$/i)", "$.name: { matches: (?i:^d\\w+$) }"),
        ("pm.expect(json.mail).to.match(/^[\\w\\-]+\\@x$/)", "$.mail: { matches: '^[\\w\\-]+@x$' }"),
        ("pm.expect(json.state).to.be.oneOf(['open', 'closed'])", "$.state: { oneOf: [open, closed] }"),
        ("pm.expect(typeof json.id).to.eql('string')", "$.id: { type: string }"),
        ("pm.expect(Array.isArray(json.tags)).to.be.true", "$.tags: { type: array }"),
        ("pm.expect(json.title.includes('un')).to.be.true", "$.title: { contains: un }"),
        ("pm.expect(json.title.indexOf('x') === -1).to.be.true", "$.title: { not: { contains: x } }"),
        (
            "pm.expect(json.books).to.be.an('array'); json.books.forEach(b => pm.expect(b).to.be.an('object'))",
            "$.books: { type: array, each: { type: object } }"
        ),
        ("tests['title'] = json.title === 'Dune'", "$.title: Dune"),
        ("const { a, b: { c } } = json; pm.expect(a).to.eql(1); pm.expect(c).to.eql(2)", "$.a: 1\n        $.b.c: 2"),
        (
            "function same(name, value) { pm.expect(json[name]).to.eql(value) }\nsame('a', 1); same('b', 2)",
            "$.a: 1\n        $.b: 2"
        ),
        (
            "['a', 'b'].forEach(function (n) { pm.expect(json).to.have.property(n) })",
            "$.a: { exists: true }\n        $.b: { exists: true }"
        ),
        ("pm.expect(json).to.have.all.keys('a')", nil),
    ])
    func values(_ script: String, _ expected: String?) throws {
        let text = try checks("const json = pm.response.json();\n" + script)
        guard let expected else { return #expect(text == "assert:\n      - 'sets.equivalent(body.keys(), [\"a\"])'") }
        let lines = expected.split(separator: "\n").map { $0.trimmed }
        for line in lines { #expect(text.contains(line) || text.contains(line.withQuotedKey), "\(text)") }
    }

    @Test(arguments: [
        ("tests['a'] = json.a > 1 && json.b === 'x' || json.c", "body.a > 1"),
        ("if (pm.response.code === 200) { pm.expect(json.a).to.eql(1) }", "status != 200 || body.a == 1"),
        (
            "if (json.error) { pm.expect.fail('error') }",
            "$.error: { either: [{ exists: false }, { oneOf: [null, false, 0, \"\"] }] }"
        ),
        ("if (pm.response.code !== 200) return;\npm.expect(json.a).to.eql(1)", "status != 200 || body.a == 1"),
        ("pm.expect(json.items.some(i => i.id === 3)).to.be.true", "body.items.exists(i, i.id == 3)"),
        (
            "pm.expect(json.items.find(i => i.id === 3).name).to.eql('x')",
            "body.items.filter(i, i.id == 3)[0].name == \"x\""
        ),
        ("pm.expect(json.a + json.b).to.eql(3)", "(body.a + body.b) == 3"),
        ("pm.expect(pm.environment.get('id')).to.not.be.undefined", "- id != null"),
        ("pm.expect(pm.environment.get('id')).to.be.undefined", "- id == null"),
        ("pm.expect(JSON.parse(pm.environment.get('id')).a).to.not.be.undefined", "- has(json.parse(id).a)"),
        ("pm.expect(json.books.every(b => b.id)).to.be.true", "has(b.id) && !(b.id in [null, false, 0, \"\"]))"),
        ("pm.expect(pm.globals.get('id')).to.exist", "- id != null"),
        (
            "const b = json.books.find(b => b.id === 7); pm.expect(b).to.not.be.undefined",
            "- \"body.books.exists(b, b.id == 7)\""
        ),
        (
            "const b = json.books.find(b => b.id === 7); pm.expect(b).to.be.undefined",
            "- \"!body.books.exists(b, b.id == 7)\""
        ),
        (
            "const b = json.books.find(b => b.id === 7); pm.expect(b.title).to.eql('Dune')",
            "body.books.filter(b, b.id == 7)[0].title == \"Dune\""
        ),
        (
            "const list = json.items || json; pm.expect(list.length).to.be.above(0)", "? body.items : body) > 0"
        ),
        ("pm.expect(json.a || json.b || json.c).to.not.be.undefined", "|| has(body.c)"),
        ("tests['any'] = json.a || json.b", "in [null, false, 0, \"\"])) || (has(body.b)"),
        ("pm.expect(Object.keys(json).length).to.eql(3)", "size(body.keys()) == 3"),
        (
            "tests['a'] = new Date(json.at).toISOString() === json.at",
            "date.format(timestamp(body.at), "
        ),
        ("pm.expect(json.url.split('/').pop()).to.eql('x')", "body.url.split(\"/\")[size(body.url.split(\"/\")) - 1]"),
        ("pm.expect(json.url.split('/').shift()).to.eql('x')", "body.url.split(\"/\")[0] == \"x\""),
        (
            "pm.expect(json.total).to.eql(json.items.reduce((sum, i) => sum + i.price * i.count, 0))",
            "$.total: \"${body.items.map(i, i.price * i.count).sum()}\""
        ),
        (
            "pm.expect(json.day).to.eql(new Date(Date.now() + 2 * 3600000).getUTCFullYear())",
            "(now() + duration(\"7200000ms\")).getFullYear()"
        ),
        (
            "const d = new Date(); d.setDate(d.getDate() + 7); pm.expect(json.day).to.eql(d.toISOString())",
            "date.format(now() + duration(\"168h\"), "
        ),
        (
            "pm.expect(new Date(json.at * 1000).getTime()).to.eql(1)",
            "timestamp(0) + duration(string(int(body.at * 1000)) + \"ms\")"
        ),
        ("pm.expect(new Date(json.at).getTime()).to.eql(1)", "int(timestamp(body.at)) * 1000"),
        ("tests['a'] = !!json.a; if (tests['a']) { pm.expect(json.b).to.eql(1) }", "$.b: 1"),
        ("pm.expect(json.title.toLowerCase()).to.eql('dune')", "body.title.lowerAscii() == \"dune\""),
        (
            "pm.expect({ '1': 'new' }[json.state]).to.eql('new')",
            "{\"1\": \"new\"}[?string(body.state)].orValue(null) == \"new\""
        ),
        (
            "pm.expect({ a: 'new' }[json.state] || 'old').to.eql('old')",
            "({\"a\": \"new\"}[?string(body.state)].hasValue() ? {\"a\": \"new\"}[?string(body.state)].orValue(null)"
                + " : \"old\") == \"old\""
        ),
        ("pm.expect({ a: 1 }[json.state]).to.be.undefined", "!{\"a\": 1}[?string(body.state)].hasValue()"),
        (
            "const ids = json.map(b => b.id); pm.expect(new Set(ids).size).to.eql(ids.length)",
            "size(body.map(b, b.id).distinct()) == size(body.map(b, b.id))"
        ),
        ("pm.expect([...new Set(json.tags)]).to.have.lengthOf(2)", "size(body.tags.distinct()) == 2"),
        (
            "pm.expect(_.find(json.books, { id: 7, isbn: 'x' }).title).to.eql('Dune')",
            "body.books.filter(element, element.id == 7 && element.isbn == \"x\")[0].title == \"Dune\""
        ),
        ("pm.expect(_.some(json.books, b => b.id === 7)).to.be.true", "body.books.exists(b, b.id == 7)"),
        (
            "pm.expect(_.some(json.books, { id: pm.globals.get('element') })).to.be.true",
            "body.books.exists(element2, element2.id == element)"
        ),
        ("pm.expect(Math.abs(json.a - 3)).to.be.below(1)", "math.abs(body.a - 3) < 1"),
        ("pm.expect(Math.max(json.a, json.b)).to.eql(3)", "math.greatest(body.a, body.b) == 3"),
        (
            "pm.expect(Object.prototype.hasOwnProperty.call(json, 'a')).to.be.true", "json: { $.a: { exists: true } }"
        ),
    ])
    func assertions(_ script: String, _ expected: String) throws {
        let text = try checks("const json = JSON.parse(responseBody);\npm.test('t', function () {\n\(script)\n});")
        #expect(text.contains(expected), "\(text)")
    }

    @Test func assertionsAreCounted() throws {
        let imported = try importing(
            script: """
                const json = pm.response.json();
                pm.test("a", function () {
                    pm.expect(json.a).to.eql(1);
                    pm.expect(cheerio.load(json.html)("p").text()).to.eql("x");
                    pm.expect(json.b).to.eql(2);
                });
                pm.sendRequest("https://example.org", function () {});
                console.log(json);
                """)
        #expect(imported.result.counts.assertions == 3)
        #expect(imported.result.counts.translatedAssertions == 2)
        #expect(imported.untranslated == ["cheerio.load (1)", "pm.sendRequest (1)"])
        #expect(imported.omitted == ["console output (1)"])
        #expect(imported.text.contains("# not translated: cheerio.load, shop.postman_collection.json:"))
        #expect(imported.text.contains("#   pm.expect(cheerio.load(json.html)(\"p\").text()).to.eql(\"x\");"))
    }

    /// A method of an assertion without a call checks nothing.
    @Test func assertionsWithoutACallAreCounted() throws {
        let imported = try importing(script: "pm.expect(pm.response.json().title).to.be.string;")
        #expect(imported.result.counts.assertions == 0)
        #expect(imported.omitted == ["assertions without a call (1)"])
    }

    /// A result of `tests` that a script reads is true only if its condition is.
    @Test func resultsOfTestsAreKnown() throws {
        let script = """
            const user = pm.response.json().user;
            if (!environment.quiet) {
                tests["has a token"] = user.hasOwnProperty("token");
                if (tests["has a token"]) { postman.setEnvironmentVariable("token", user.token); }
            }
            """
        let next: JSONValue = .object([
            "name": "next", "request": .object(["url": "https://api.example.org/{{token}}"]),
        ])
        let imported = try importing(script: script, items: [next])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.contains("(body.?user.?token.hasValue()) ? body.user.token : null"))
        let other = try importing(
            script: """
                const json = pm.response.json();
                tests["a"] = json.a;
                if (json.b) { tests["a"] = json.c; }
                if (tests["a"]) { pm.environment.set("id", json.id); }
                """)
        #expect(other.untranslated == ["tests.a (1)"])
    }

    /// A number with the suffix of a BigInt makes only its own statement unknown.
    @Test func bigIntegersAreUnknown() throws {
        let imported = try importing(
            script: """
                pm.test("a", () => { pm.response.to.have.status(200); });
                const cents = BigInt(7) * 100n;
                """)
        #expect(imported.result.counts.translatedAssertions == 1)
        #expect(imported.untranslated.count == 1, "\(imported.untranslated)")
    }

    @Test func substitutionsOfTheCollectionLibrary() throws {
        let imported = try importing(
            script: "",
            before: """
                const { Property } = require('postman-collection');
                pm.environment.set('id', Property.replaceSubstitutions('{{$guid}}'));
                """,
            items: [.object(["name": "next", "request": .object(["url": "https://api.example.org/{{id}}"])])])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.contains("id: ${uuid()}"), "\(imported.text)")
    }

    /// Scripts cannot create values that are too large to be written.
    @Test(arguments: [
        "let a = [1, 1];", "let a = 'xxxxxxxx';", "let a = pm.environment.get('a');", "let a = { b: {} };",
    ])
    func sizeIsLimited(_ start: String) throws {
        let growth =
            start.contains("{") ? "a.b.c = a; a = { b: a };" : start.contains("[") ? "a = [a, a];" : "a = a + a;"
        let script =
            start + String(repeating: "\n" + growth, count: 60) + "\npm.environment.set('b', JSON.stringify(a));"
        let imported = try importing(script: script)
        #expect(!imported.untranslated.isEmpty)
    }

    /// A list from which the script has removed an element is not the one of the response.
    @Test func shortenedListsAreUnknown() throws {
        let imported = try importing(
            script: """
                const json = pm.response.json();
                pm.expect(json.a.pop()).to.eql(1);
                pm.expect(json.a.length).to.eql(1);
                pm.expect(json.a[0]).to.eql(1);
                """)
        #expect(imported.result.counts.translatedAssertions == 1)
        #expect(imported.untranslated == ["pop (2)"])
    }

    /// A condition that an expectation states is left out of others.
    @Test func expectedConditions() throws {
        let script = """
            const json = pm.response.json();
            pm.test('created', () => pm.response.to.have.status(201));
            if (pm.response.code === 201) {
                pm.test('valid', () => pm.response.to.have.jsonSchema({ type: 'object' }));
                if (json.more) { pm.expect(json.next).to.eql(7) }
            }
            """
        let text = try checks(script)
        #expect(text.contains("schema: { type: object }"), "\(text)")
        #expect(!text.contains("status != 201") && text.contains("|| body.next == 7"), "\(text)")
    }

    /// Only failures that end the script fail the test, and a test in it has its own.
    @Test(arguments: [
        ("try { pm.expect(json.a).to.eql(1) } catch (e) { console.log(e) }", false, 1),
        ("try { pm.expect(json.a).to.eql(1) } catch (e) { throw e }", true, 0),
        ("try { pm.test('a', () => pm.expect(json.a).to.eql(1)) } catch (e) {}", true, 0),
        ("try { tests['a'] = json.a === 1 } catch (e) {}", true, 0),
        ("try { json.b } catch (e) {} finally { pm.expect(json.a).to.eql(1) }", true, 0),
        ("try { throw new Error('a') } catch (e) {} pm.expect(json.a).to.eql(1)", true, 1),
        ("try { if (json.q) throw 'a'; } catch (e) {} pm.expect(json.a).to.eql(1)", true, 1),
    ])
    func caughtFailures(_ script: String, _ isKept: Bool, _ count: Int) throws {
        let imported = try importing(script: "const json = pm.response.json();\n\(script)")
        #expect(imported.omitted == (count == 0 ? [] : ["assertions whose failures are caught (\(count))"]))
        #expect(imported.text.contains("$.a: 1") == isKept, "\(imported.text)")
    }

    @Test(arguments: [
        "const ajv = new Ajv(); pm.expect(ajv.validate(schema, json)).to.be.true;",
        "const ajv = new Ajv({ allErrors: true, logger: console }); const validate = ajv.compile(schema);"
            + "pm.expect(validate(json), JSON.stringify(validate.errors)).to.be.true;",
        "const valid = new Ajv().validate(schema, json); if (!valid) console.log(ajv.errors); pm.expect(valid).to.eql(true)",
    ])
    func schemas(_ script: String) throws {
        let text = try checks(
            """
            const Ajv = require('ajv');
            const json = pm.response.json();
            const schema = { type: 'object', required: ['id'] };
            \(script)
            """)
        #expect(text == "expect: { schema: { type: object, required: [id] } }")
    }

    /// A result of `tests` that is an assertion fails like it.
    @Test(arguments: [
        ("tests['ok'] = pm.response.to.have.status(200)", "expect: 200"),
        ("tests['json'] = pm.response.to.be.json", "expect: { json: { $: { exists: true } } }"),
        ("tests['title'] = pm.expect(pm.response.json().title).to.eql('Dune')", "expect: { json: { $.title: Dune } }"),
    ])
    func assertionsAsResults(_ script: String, _ expected: String) throws {
        #expect(try checks(script) == expected)
    }

    /// The request, as it was sent.
    @Test(arguments: [
        ("pm.info.requestName", "$.a: find"), ("request.method", "$.a: GET"),
        ("pm.request.url.toString()", "$.a: https://api.example.org/books?q=a%20b&n=${n}"),
        ("pm.request.url.query.get('q')", "$.a: a%20b"), ("pm.request.url.query.get('n')", "$.a: ${string(n)}"),
        ("pm.request.url.query.get('x') || 'none'", "$.a: none"), ("pm.request.headers.get('x-id')", "$.a: i${n}"),
        ("pm.request.headers.get('Authorization')", nil),
    ])
    func partsOfTheRequest(_ part: String, _ expected: String?) throws {
        let script = "pm.expect(pm.response.json().a).to.eql(\(part));"
        let item: JSONValue = .object([
            "name": "find",
            "event": .array([.object(["listen": "test", "script": .object(["exec": .string(script)])])]),
            "request": .object([
                "url": "https://api.example.org/books?q=a%20b&n={{n}}",
                "header": .array([.object(["key": "X-Id", "value": "i{{n}}"])]),
            ]),
        ])
        let imported = try importing(script: "", items: [item], variables: ["n": "x"])
        guard let expected else { return #expect(!imported.untranslated.isEmpty, "\(imported.text)") }
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.flattened.contains(expected.flattened), "\(imported.text)")
    }

    /// ajv and Postman assert `format`, and tv4 does not.
    @Test(arguments: [
        (
            "pm.response.to.have.jsonSchema(mail)",
            "{ schema: { inline: { properties: { a: { format: email } } }, format: assert } }"
        ),
        ("tests['a'] = tv4.validate(json, mail)", "{ schema: { properties: { a: { format: email } } } }"),
        (
            "pm.response.to.have.jsonSchema({ properties: { format: {} } })",
            "{ schema: { properties: { format: {} } } }"
        ),
        (
            "pm.expect(json.user).to.have.jsonSchema(mail)",
            "{ json: { $.user: { schema: { inline: { properties: { a: { format: email } } }, format: assert } } } }"
        ),
        ("tests['a'] = tv4.validate(json.user, {})", "{ json: { $.user: { schema: {} } } }"),
        (
            "pm.response.to.have.jsonSchema(mail); pm.response.to.have.jsonSchema({ properties: { b: { format: 'date' } } })",
            "allOf: [{ properties: { a: { format: email } } }, { properties: { b: { format: date } } }]"
        ),
        (
            "pm.response.to.have.jsonSchema(mail); tv4.validate(json, { required: ['a'] }); tests['b'] = tv4.validate(json, {})",
            "json: { $: { schema: {} } }"
        ),
    ])
    func formats(_ script: String, _ expected: String) throws {
        let text = try checks(
            "const json = pm.response.json(); const mail = { properties: { a: { format: 'email' } } };\n\(script)")
        #expect(text.flattened.contains(expected.flattened), "\(text)")
    }

    @Test(arguments: [
        ("pm.request.url = `https://api.example.org/${pm.environment.get('place')}`;", "request: GET /${place}\n"),
        ("pm.request.method = 'delete';", "request: DELETE /books\n"),
        ("pm.request.body.raw = JSON.stringify({ id: '{{q}}' });", nil),
        (
            "pm.request.body.raw = JSON.stringify({ id: 7 });",
            "request: { url: /books, text: '${json.stringify({\"id\": 7})}' }\n"
        ),
    ])
    func changedRequests(_ script: String, _ expected: String?) throws {
        let imported = try importing(script: "", before: script)
        guard let expected else { return #expect(imported.untranslated == ["pm.request.body.raw (1)"]) }
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.contains(expected), "\(imported.text)")
    }

    @Test func requestsBeforeTheRequestAreSteps() throws {
        let imported = try importing(
            script: "pm.test('ok', () => pm.response.to.have.status(200));",
            before: """
                const login = {
                    url: 'https://api.example.org/login', method: 'POST',
                    header: { 'Content-Type': 'application/json', 'X-Id': pm.variables.get('client') },
                    body: { mode: 'raw', raw: JSON.stringify({ user: 'ada' }) }
                };
                pm.sendRequest(login, function (err, res) {
                    if (err) { console.log(err); }
                    pm.expect(res.code).to.eql(201);
                    pm.environment.set('ticket', res.json().ticket);
                });
                pm.sendRequest('https://api.example.org/ping');
                """,
            items: [
                .object([
                    "name": "one", "request": .object(["method": "GET", "url": "https://api.example.org/{{ticket}}"]),
                ])
            ], variables: ["client": "web"])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.result.counts.translatedAssertions == 2)
        let text = imported.text
        let login = try #require(text.firstRange(of: "url: /login"), "\(text)")
        let capture = try #require(text.firstRange(of: "ticket: $.ticket"), "\(text)")
        let ping = try #require(text.firstRange(of: "GET /ping"), "\(text)")
        #expect(login.lowerBound < capture.lowerBound && capture.lowerBound < ping.lowerBound, "\(text)")
        #expect(text.contains("X-Id: \"${client}\"") && text.contains("expect: 201"), "\(text)")
        #expect(text.contains("GET /${ticket}"), "\(text)")
    }

    @Test(arguments: [
        "if (pm.variables.get('a')) { pm.sendRequest('https://api.example.org/', (e, r) => {}); }",
        "pm.sendRequest({ url: makeURL() }, (e, r) => {});",
        "pm.sendRequest({ url: 'https://api.example.org/', body: { mode: 'file' } }, (e, r) => {});",
        "pm.sendRequest('https://api.example.org/', (e, r) => { pm.execution.setNextRequest(null); });",
    ])
    func otherRequestsOfScriptsAreComments(_ script: String) throws {
        let imported = try importing(script: "", before: script)
        #expect(imported.untranslated.count == 1, "\(imported.untranslated)")
        #expect(!imported.text.contains("steps:"), "\(imported.text)")
    }

    @Test func unknownStatementsAreComments() throws {
        let imported = try importing(
            script: """
                while (true) { x(); }
                pm.test("a", () => { pm.response.to.have.status(200); });
                let y = 1 +;
                pm.test("b", () => { pm.response.to.be.json; });
                """)
        #expect(imported.result.counts.translatedAssertions == 2)
        #expect(imported.untranslated == ["while (1)", "script (1)"])
    }

    @Test func nextRequest() throws {
        func item(_ name: String, _ script: String = "") -> JSONValue {
            .object([
                "name": .string(name), "request": .object(["url": .string("https://api.example.org/\(name)")]),
                "event": .array([.object(["listen": "test", "script": .object(["exec": .string(script)])])]),
            ])
        }
        let imported = try importing(
            script: "postman.setNextRequest('c');",
            items: [
                item("b", "pm.execution.setNextRequest(null)"), item("c", "postman.setNextRequest('b')"), item("d"),
            ])
        let names = imported.text.split(separator: "\n").filter { $0.contains("- name: ") || $0.contains("skip:") }
        #expect(
            names.map { $0.trimmed } == [
                "- name: books", "- name: c", "- name: b", "- name: d", "skip: setNextRequest never selects it",
            ])
    }
}
