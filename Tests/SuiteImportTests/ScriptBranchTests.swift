import Testing

@testable import SuiteImport

/// The translation of conditions, and of what ends functions and loops under them.
struct ScriptBranchTests {
    /// Functions and loops that end under conditions.
    @Test(arguments: [
        (
            "(() => { if (json.a) { if (json.b) return; pm.expect(json.c).to.eql(1); } pm.expect(json.e).to.eql(2) })()",
            "|| !has(json.b)", false
        ),
        (
            "function f(k) { if (k === 'x') return 1; return 3; } pm.expect(json.v).to.eql(f(json.k))",
            "body.k == \"x\" ? 1 : 3", true
        ),
        (
            "(() => { if (json.a) { x = 1 } else if (json.b) { return } pm.expect(json.e).to.eql(2) })()",
            "((!has(body.a) || body.a in [null, false, 0, \"\"]) && has(body.b)", true
        ),
        (
            "for (const k of [1, 2, 3]) { if (k === 2) { break } pm.expect(json['v' + k]).to.eql(k) } pm.expect(json.z).to.eql(0)",
            "$.v1: 1 $.z: 0", true
        ),
        (
            "for (const k of ['p', 'q']) { if (json[k + 'x']) { if (json.skip) continue; pm.expect(json[k]).to.eql(1) } }"
                + "pm.expect(json.t).to.eql(0)",
            "$.t: 0", true
        ),
        ("let x; if (json.a) x = 1; pm.expect(x).to.eql(1)", "? 1 : null", true),
        (
            "const check = v => { if (!v) return; return pm.expect(v.a).to.eql(1) }; check(json.u)",
            "body.u.a == 1", true
        ),
    ])
    func endsUnderConditions(_ script: String, _ expected: String, _ isThere: Bool) throws {
        let text = try checks("const json = pm.response.json();\n\(script)")
        #expect(text.flattened.contains(expected.flattened) == isThere, "\(text)")
    }

    /// The rest of a function that an unknown condition may have ended is left out.
    @Test(arguments: [
        ("if (unknown(json)) { return; }", false), ("if (unknown(json)) { if (json.x) return; }", false),
        ("if (unknown(json)) { x = 1; }", true), ("if (unknown(json)) { throw new Error('x'); }", true),
        ("[1].forEach(i => { if (unknown(json)) { return; } });", true),
    ])
    func unknownReturns(_ statement: String, _ isRequired: Bool) throws {
        let script = """
            const json = pm.response.json();
            pm.test('one', () => { pm.expect(json.a).to.eql(1); \(statement) pm.expect(json.b).to.eql(2); });
            pm.expect(json.c).to.eql(3);
            """
        let imported = try importing(script: script)
        #expect(!imported.untranslated.isEmpty)
        let text = imported.text
        #expect(text.contains("$.a: 1") && text.contains("$.c: 3"), "\(text)")
        #expect(text.contains("$.b: 2") == isRequired, "\(text)")
    }

    @Test(arguments: [
        ("switch (pm.info.requestName) { case 'books': pm.expect(json.a).to.eql(1); break; default: x(); }", "$.a: 1"),
        ("switch (pm.info.requestName) { case 'other': x(); break; default: pm.expect(json.a).to.eql(1) }", "$.a: 1"),
        (
            "switch (json.kind) { case 'a': case 'b': { pm.expect(json.a).to.eql(1); break; } case 'c': break; }",
            "(body.kind != \"a\" && body.kind != \"b\") || body.a == 1"
        ),
        (
            "switch (true) { case pm.response.code === 200: pm.expect(json.a).to.eql(1); break; }",
            "status != 200 || body.a == 1"
        ),
        (
            "function f(k) { switch (k) { case 1: return 'x'; default: return 'y'; } } pm.expect(json.a).to.eql(f(1))",
            "$.a: x"
        ),
    ])
    func selections(_ script: String, _ expected: String) throws {
        let text = try checks("const json = pm.response.json();\n\(script)")
        #expect(text.flattened.contains(expected.flattened), "\(text)")
    }

    /// A branch of `switch` that goes on with the next one, and one that ends under a condition.
    @Test(arguments: [
        "switch (json.a) { case 1: pm.expect(json.b).to.eql(2); case 2: pm.expect(json.c).to.eql(3); }",
        "switch (json.a) { case 1: if (json.b) { break; } pm.expect(json.c).to.eql(3); }",
    ])
    func otherSelections(_ script: String) throws {
        let imported = try importing(script: "const json = pm.response.json();\n\(script)")
        #expect(imported.untranslated.allSatisfy { $0.hasPrefix("switch ") }, "\(imported.text)")
        #expect(imported.result.counts.translatedAssertions == 0, "\(imported.text)")
    }
}
