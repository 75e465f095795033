import JSON
import Testing

@testable import SuiteImport

/// The translation of variables that scripts set and read, by the captures and variables that they become.
struct PostmanVariableTests {
    /// A suite writes the text of a variable as a number for its uses in JSON.
    @Test func typesOfVariables() throws {
        let imported = try importing(
            script: """
                pm.test('text', () => pm.expect(pm.environment.get('version')).to.be.a('string'));
                pm.test('texts', () => pm.expect(pm.environment.get('name')).to.be.a('string'));
                """, variables: ["version": "61.0", "name": "Dune"])
        #expect(imported.text.contains("  version: 61.0\n"), "\(imported.text)")
        #expect(imported.text.contains("    assert:\n      - version != null\n      - type(name) == string\n"))
        let set = try importing(
            script: """
                pm.environment.set('version', 2);
                pm.test('number', () => pm.expect(pm.environment.get('version')).to.be.a('string'));
                """, variables: ["version": "61.0"])
        #expect(set.text.contains("type(version) == string"), "\(set.text)")
    }

    /// A schema that the script before the request keeps in a variable.
    @Test func constantsOfTheRequest() throws {
        let imported = try importing(
            script: "const valid = tv4.validate(pm.response.json(), pm.globals.get('schema')); tests['valid'] = valid;",
            before: "pm.globals.set('schema', { type: 'object', required: ['id'] });")
        #expect(imported.untranslated.isEmpty)
        #expect(imported.text.contains("expect: { schema: { type: object, required: [id] } }"), "\(imported.text)")
    }

    /// A variable keeps its value unless the condition of the script holds, and an expectation makes it hold.
    @Test(arguments: [
        ("", "\"${status == 201 ? body.id : initialId}\""),
        ("pm.test('created', () => pm.response.to.have.status(201));", "$.id"),
    ])
    func conditionalCaptures(_ expectation: String, _ expected: String) throws {
        let next: JSONValue = .object(["name": "one", "request": .object(["url": "https://api.example.org/{{id}}"])])
        let set = "if (pm.response.code === 201) { pm.environment.set('id', pm.response.json().id); }"
        let imported = try importing(script: "\(expectation)\n\(set)", items: [next], variables: ["id": "17"])
        #expect(imported.text.contains("id: \(expected)"), "\(imported.text)")
    }

    /// A made-up value of the body that the script reads after the response is made up once.
    @Test func madeUpValuesOfTheBody() throws {
        let script = "pm.globals.set('user', JSON.parse(pm.request.body.raw).name);"
        let item: JSONValue = .object([
            "name": "register",
            "event": .array([.object(["listen": "test", "script": .object(["exec": .string(script)])])]),
            "request": .object([
                "method": "POST", "url": "https://api.example.org/users",
                "body": .object([
                    "mode": "raw", "raw": "{\"name\": \"ada-{{$randomInt}}-{{$randomInt}}\", \"age\": {{$randomInt}}}",
                ]),
            ]),
        ])
        let imported = try importing(
            script: "", items: [item, .object(["request": .object(["url": "https://api.example.org/users/{{user}}"])])])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        let text = imported.text.flattened
        #expect(text.contains("madeUpRandomInt:$random(0".flattened), "\(imported.text)")
        #expect(
            text.contains("json:name:ada-$madeUpRandomInt-$madeUpRandomInt2age:$madeUpRandomInt3"), "\(imported.text)")
        #expect(text.contains("user:$ada-+string(madeUpRandomInt)+-+string(madeUpRandomInt2)"), "\(imported.text)")
    }

    /// A variable that a script sets under a condition before the request keeps its value otherwise.
    @Test(arguments: [
        (
            "if (pm.globals.get('a')) { pm.globals.set('id', 'x') }",
            "newId: '${!(a in [null, false, 0, \"\"]) ? \"x\" : id}'"
        ),
        (
            "if (pm.globals.get('a')) { pm.globals.set('id', 'x') } else { pm.globals.set('id', 'y') }",
            "a in [null, false, 0, \"\"] ? \"y\" : (!(a in [null, false, 0, \"\"]) ? \"x\" : id)"
        ),
        ("pm.globals.set('id', 'y'); if (pm.globals.get('a')) { pm.globals.set('id', 'x') }", "? \"x\" : \"y\"}"),
        ("if (pm.globals.get('a')) { pm.globals.set('other', 'x') }", "? \"x\" : null}"),
        (
            "pm.globals.set('id', 'c'); if (pm.globals.get('id') === 'c') { pm.globals.set('id', 'k') }",
            "id: k\n"
        ),
    ])
    func conditionalVariables(_ before: String, _ expected: String) throws {
        let event: JSONValue = .object(["listen": "prerequest", "script": .object(["exec": .string(before)])])
        let item: JSONValue = .object([
            "name": "one", "event": .array([event]),
            "request": .object(["url": "https://api.example.org/{{id}}/{{other}}"]),
        ])
        let imported = try importing(script: "", items: [item], variables: ["id": "17", "a": ""])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.flattened.contains(expected.flattened), "\(imported.text)")
    }

    /// A changed copy of a value of the run.
    @Test(arguments: [
        ("body.title = 'Emma';", "json.parse(saved).merge({\"title\": \"Emma\"})"),
        ("body['a-b'] = pm.globals.get('id');", "json.parse(saved).merge({\"a-b\": id})"),
        (
            "body.author.name = 'Ada';",
            "json.parse(saved).merge({\"author\": json.parse(saved)[\"author\"].merge({\"name\": \"Ada\"})})"
        ),
        ("delete body.title;", "json.parse(saved).omit([\"title\"])"),
        ("if (pm.globals.get('id')) { body.title = 'Emma'; }", "? json.parse(saved).merge({\"title\": \"Emma\"})"),
        (
            "body.tags[0] = 'x';",
            "{\"tags\": [\"x\"] + json.parse(saved)[\"tags\"].slice(1, size(json.parse(saved)[\"tags\"]))}"
        ),
        ("const author = body.author; author.name = 'Ada';", nil),
    ])
    func changedCopies(_ script: String, _ expected: String?) throws {
        let item: JSONValue = .object([
            "name": "one",
            "request": .object([
                "method": "POST", "url": "https://api.example.org/books",
                "body": .object(["mode": "raw", "raw": "{{body}}"]),
            ]),
        ])
        let imported = try importing(
            script: """
                const body = JSON.parse(pm.globals.get('saved'));
                \(script)
                pm.globals.set('body', JSON.stringify(body));
                """, items: [item], variables: ["saved": "{}", "id": "7"])
        guard let expected else { return #expect(!imported.untranslated.isEmpty, "\(imported.text)") }
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.flattened.contains(expected.flattened), "\(imported.text)")
    }

    @Test func choicesWithoutPreviousValue() throws {
        let script = """
            const json = pm.response.json();
            if (pm.response.code === 200) { pm.globals.set('id', json.a); }
            if (pm.response.code === 201) { pm.globals.set('id', json.b); }
            """
        let next: JSONValue = .object(["name": "one", "request": .object(["url": "https://api.example.org/{{id}}"])])
        let imported = try importing(script: script, items: [next])
        #expect(imported.text.contains("status == 201 ? body.b : status == 200 ? body.a : null}"), "\(imported.text)")
    }

    /// Several assignments of a variable become a choice between their values.
    @Test(arguments: [
        (
            "if (json.ok) { pm.globals.set('id', json.a || json.b); }",
            "${has(body.ok) && !(body.ok in [null, false, 0, \"\"]) ? (has(body.a)"
        ),
        (
            "if (pm.response.code === 200) { pm.globals.set('id', json.id) } else { pm.globals.set('id', 'none') }",
            "${status != 200 ? \"none\" : status == 200 ? body.id : initialId}"
        ),
        (
            "pm.globals.set('id', json.a); if (pm.response.code === 200) { pm.globals.set('id', json.b) }",
            "${status == 200 ? body.b : body.a}"
        ),
        (
            "tests['ok'] = pm.response.code === 200;"
                + "if (pm.response.code === 200) { pm.globals.set('id', json.id) } else { pm.globals.set('id', 'none') }",
            "id: $.id"
        ),
        (
            "if (pm.response.code === 200) { pm.globals.set('id', json.a); pm.globals.set('id', pm.globals.get('id') + 'z') }",
            "status == 200 ? string(id) + \"z\" : id}"
        ),
        (
            "pm.globals.set('old', pm.globals.get('id')); if (pm.response.code === 200) { pm.globals.set('id', json.id) }",
            "old: ${initialId}"
        ),
    ])
    func choicesOfValues(_ script: String, _ expected: String) throws {
        let next: JSONValue = .object([
            "name": "one", "request": .object(["url": "https://api.example.org/{{id}}/{{old}}"]),
        ])
        let imported = try importing(
            script: "const json = pm.response.json();\n\(script)", items: [next],
            variables: ["id": "17", "old": "a"])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(
            imported.text.replacing("\\\"", with: "\"").contains(expected.replacing("\\\"", with: "\"")),
            "\(imported.text)")
    }

    @Test func conditionalCapturesOfPreviousValues() throws {
        let next: JSONValue = .object(["name": "one", "request": .object(["url": "https://api.example.org/{{n}}"])])
        let script = """
            const n = pm.globals.get('n');
            if (pm.response.json().more) { pm.globals.set('n', n + 'x'); }
            """
        let imported = try importing(script: script, items: [next], variables: ["n": "a"])
        #expect(imported.text.contains(" ? string(n) + \"x\" : n}"), "\(imported.text)")
    }

    /// A variable that scripts set only where it has no value has one value for the whole run.
    @Test func defaultsOfCapturedVariables() throws {
        let script = "if (!pm.globals.get('run')) { pm.globals.set('run', 'none'); }"
        let event: JSONValue = .array([
            .object(["listen": "prerequest", "script": .object(["exec": .array([.string(script)])])])
        ])
        let next: JSONValue = .object([
            "name": "one", "event": event, "request": .object(["url": "https://api.example.org/{{run}}"]),
        ])
        let imported = try importing(script: "pm.globals.set('run', pm.response.json().id);", items: [next])
        #expect(imported.text.contains("run: $.id") && imported.text.contains("GET /${run}"), "\(imported.text)")
        #expect(!imported.text.contains("none"), "\(imported.text)")
    }

    @Test func defaultsOfMissingVariables() throws {
        let set = "if (pm.globals.get('run') === undefined) { pm.globals.set('run', 'none'); }"
        let next: JSONValue = .object(["name": "one", "request": .object(["url": "https://api.example.org/{{run}}"])])
        let imported = try importing(script: "", before: set, items: [next], variables: ["run": ""])
        #expect(!imported.text.contains("none"), "\(imported.text)")
    }

    @Test(arguments: [[:], ["run": ""], ["run": "17"]])
    func defaultsOfVariables(_ variables: [String: String]) throws {
        let next: JSONValue = .object(["name": "one", "request": .object(["url": "https://api.example.org/{{run}}"])])
        let set = "if (!pm.environment.get('run')) { pm.environment.set('run', pm.variables.replaceIn('{{$guid}}')); }"
        let imported = try importing(script: "", before: set, items: [next], variables: variables)
        #expect(imported.untranslated.isEmpty)
        #expect(imported.text.contains("  run: \(variables["run"] == "17" ? "17" : "${uuid()}")\n"), "\(imported.text)")
        #expect(!imported.text.contains("capture"), "\(imported.text)")
    }

    @Test(arguments: [
        ("pm.environment.set('id', pm.response.json().id)", "id: $.id"),
        ("postman.setEnvironmentVariable('id', JSON.parse(responseBody).data[0].id);", "id: $.data[0].id"),
        ("pm.globals.set('id', pm.response.headers.get('Location'))", "id: { header: Location }"),
        (
            "var d = pm.response.json(); if (pm.response.code === 201) { pm.collectionVariables.set('id', d.id); }",
            "id: \"${status == 201 ? body.id : null}\""
        ),
        (
            "var d = pm.response.json(); if (d.user && d.user.id) { pm.globals.set('id', d.user.id); }",
            "id: { json: $.user.id, default: null }"
        ),
        (
            "var d = pm.response.json(); if (Array.isArray(d) && d.length > 0) { pm.globals.set('id', d[0].id); }",
            "id: { json: \"$[0].id\", default: null }"
        ),
        (
            "var d = pm.response.json(); if (d.kind === 'a') { pm.globals.set('id', d.id); }",
            "id: '${body.kind == \"a\" ? body.id : null}'"
        ),
        ("pm.globals.set('id', 'a' + 2.50)", "id: ${\"a2.5\"}"),
        ("pm.globals.set('id', `${2.50}-${1e3}`)", "id: ${\"2.5-1000\"}"),
        ("pm.globals.set('id', `${Math.floor(Math.random() * 1000)}`)", "id: ${string(random(0, 999))}"),
        ("pm.variables.set('id', `${pm.response.json().a}-x`)", "id: ${string(body.a) + \"-x\"}"),
        (
            "pm.environment.set('id', pm.response.text().match(/id=(\\d+)/)[1])",
            "id: ${regex.extract(text, \"id=(\\\\d+)\").value()}"
        ),
    ])
    func captures(_ script: String, _ expected: String) throws {
        let next: JSONValue = .object([
            "name": "one", "request": .object(["method": "GET", "url": "https://api.example.org/books/{{id}}"]),
        ])
        let imported = try importing(script: script, items: [next])
        #expect(imported.untranslated.isEmpty)
        #expect(
            imported.text.contains("capture: { \(expected) }")
                || imported.text.contains("capture:\n      \(expected)\n"), "\(imported.text)")
        #expect(imported.text.contains("request: GET /books/${id}"))
    }

    @Test func counterGetsNewNames() throws {
        let next: JSONValue = .object([
            "name": "one", "request": .object(["method": "GET", "url": "https://api.example.org/books/{{n}}"]),
        ])
        let imported = try importing(
            script: "pm.environment.set('n', parseInt(pm.environment.get('n')) + 1)", items: [next],
            variables: ["n": "1"])
        #expect(imported.text.contains("n2: ${int(n) + 1}"), "\(imported.text)")
        #expect(imported.text.contains("GET /books/${n2}"))
    }

    /// A variable that scripts only compare before they set it has no value at first.
    @Test(arguments: [
        ("if (!pm.globals.get('t')) { pm.globals.set('v', 'a'); }", "initialT: ${env(\"T\", null)}"),
        ("if (pm.globals.get('t') === 'x') { pm.globals.set('v', 'a'); }", "initialT: ${env(\"T\", null)}"),
        ("if (pm.globals.get('t').length > 3) { pm.globals.set('v', 'a'); }", "initialT: ${env(\"T\")}"),
        ("if (!pm.globals.get('t')) { pm.globals.set('v', pm.globals.get('t')); }", "initialT: ${env(\"T\")}"),
    ])
    func variablesWithoutFirstValue(_ script: String, _ expected: String) throws {
        let url: JSONValue = "https://api.example.org/{{v}}/{{t}}"
        let next: JSONValue = .object(["name": "one", "request": .object(["url": url])])
        let imported = try importing(
            script: "pm.globals.set('t', pm.response.json().t);", before: script, items: [next], variables: ["v": "b"])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.flattened.contains(expected.flattened), "\(imported.text)")
    }

    /// Requests before a script sets a variable use its initial value.
    @Test func initialValues() throws {
        func item(_ name: String, _ script: String) -> JSONValue {
            let event: JSONValue = .object(["listen": "prerequest", "script": .object(["exec": .string(script)])])
            let request: JSONValue = .object(["url": "https://api.example.org/{{p}}"])
            return .object(["name": .string(name), "event": .array([event]), "request": request])
        }
        let items = [item("one", ""), item("two", "pm.globals.set('p', 'new');"), item("three", "")]
        let imported = try importing(script: "", items: items, variables: ["p": "old"])
        #expect(imported.text.contains("initialP: old") && imported.text.contains("newP: new"), "\(imported.text)")
        let other = try importing(script: "", items: Array(items.dropFirst()), variables: ["p": "old"])
        #expect(other.text.contains("  p: new\n") && !other.text.contains("old"), "\(other.text)")
    }

    /// A variable that depends on its own value keeps the previous one where its condition does not hold.
    @Test func conditionalCounters() throws {
        let script = "const n = Number(pm.globals.get('n')); if (n < 2) { pm.globals.set('n', n + 1); }"
        func item(_ name: String) -> JSONValue {
            let event: JSONValue = .object(["listen": "prerequest", "script": .object(["exec": .string(script)])])
            let request: JSONValue = .object(["url": "https://api.example.org/{{n}}"])
            return .object(["name": .string(name), "event": .array([event]), "request": request])
        }
        let imported = try importing(
            script: "", items: [item("one"), item("two"), item("three")], variables: ["n": "0"])
        #expect(!imported.text.contains(": null"), "\(imported.text)")
    }

    /// The condition of a branch asks for the value before the branch changes it.
    @Test(arguments: [
        (
            "if (!t) { pm.globals.set('t', '1'); pm.globals.set('v', 'a'); } else { pm.globals.set('v', 'b'); }", "",
            "newV2: '${!(t in [null, false, 0, \"\"]) ? \"b\" : (t in [null, false, 0, \"\"] ? \"a\" : v)}'"
        ),
        (
            "", "if (!t) { pm.globals.set('t', '1'); pm.globals.set('v', 'a'); } else { pm.globals.set('v', 'b'); }",
            "v: '${!(previousT in [null, false, 0, \"\"]) ? \"b\" : previousT in [null, false, 0, \"\"] ? \"a\" : v}'"
        ),
    ])
    func conditionsOfChangedVariables(_ before: String, _ after: String, _ expected: String) throws {
        func item(_ name: String) -> JSONValue {
            let events = [("prerequest", before), ("test", after)].map { listen, script in
                JSONValue.object([
                    "listen": .string(listen),
                    "script": .object(["exec": .string("const t = pm.globals.get('t'); \(script)")]),
                ])
            }
            let url: JSONValue = "https://api.example.org/{{v}}/{{t}}"
            return .object(["name": .string(name), "event": .array(events), "request": .object(["url": url])])
        }
        let imported = try importing(
            script: "", items: [item("one"), item("two"), item("three")], variables: ["v": "c", "t": ""])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.flattened.contains(expected.flattened), "\(imported.text)")
    }

    /// A variable that a script declares under a condition changes without one.
    @Test(arguments: [
        ("let x = 'a'; x = 'b'; pm.globals.set('id', x);", "? \"b\" : initialId}"),
        ("const d = new Date(); d.setHours(10, 0); pm.globals.set('id', d.toISOString());", "'T'10:00:ss.SSS'Z'"),
        ("const d = {}; d.a = 1; pm.globals.set('id', d.a);", "? 1 : initialId}"),
        ("const d = []; d.push(1); pm.globals.set('id', d[0]);", "? 1 : initialId}"),
    ])
    func variablesOfBlocks(_ script: String, _ expected: String) throws {
        let next: JSONValue = .object(["name": "one", "request": .object(["url": "https://api.example.org/{{id}}"])])
        let imported = try importing(
            script: "", before: "if (pm.globals.get('a')) { \(script) }", items: [next],
            variables: ["id": "7", "a": ""])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.flattened.contains(expected.flattened), "\(imported.text)")
    }

    /// A condition of constants, such as one of the name of the request, selects what a script sets.
    @Test func constantConditions() throws {
        let script = """
            let name;
            if (pm.info.requestName.toLowerCase().includes('book')) { name = 'a'; } else { name = 'b'; }
            pm.globals.set(name, pm.response.json().id);
            """
        let next: JSONValue = .object(["name": "one", "request": .object(["url": "https://api.example.org/{{a}}"])])
        let imported = try importing(script: script, items: [next])
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)")
        #expect(imported.text.flattened.contains("capture:a:$.id"), "\(imported.text)")
    }

    /// A script before the request that reads a response makes only its own statement unknown.
    @Test(arguments: [
        "JSON.parse(responseBody).a", "responseHeaders.etag", "pm.response.json().a", "responseCode.code",
    ])
    func responsesBeforeRequest(_ value: String) throws {
        let next: JSONValue = .object(["name": "one", "request": .object(["url": "https://api.example.org/{{a}}"])])
        let imported = try importing(script: "", before: "pm.globals.set('a', \(value));", items: [next])
        #expect(imported.untranslated.count == 1, "\(imported.text)")
        #expect(imported.text.contains("GET /${a}"), "\(imported.text)")
    }

    @Test func variableBeforeRequest() throws {
        let next: JSONValue = .object([
            "name": "one", "request": .object(["method": "GET", "url": "https://api.example.org/books/{{ref}}"]),
        ])
        let imported = try importing(
            script: "", before: "pm.environment.set('ref', 'b' + Math.floor(Math.random() * 1000));", items: [next])
        #expect(imported.text.contains("variables:\n  ref: b${random(0, 999)}\n"), "\(imported.text)")
    }
}
