import Testing

@testable import SuiteImport

/// The translation of loops over the elements of lists.
struct ScriptLoopTests {
    /// A loop, and the entry of `json` that says the same.
    private static let matchers: [(script: String, expected: String)] = [
        ("json.tags.forEach(t => pm.expect(t).to.be.a('string'))", "$.tags: { each: { type: string } }"),
        ("for (const b of json.books) { pm.expect(b).to.have.property('id') }", "$.books: { each: { contains: id } }"),
        (
            "json.books.forEach(b => pm.expect(b.id).to.be.a('number'))",
            "$.books: { each: { like: { id: { $match: { type: number } } } } }"
        ),
        (
            "json.books.forEach(b => { pm.expect(b.id).to.eql(7); pm.expect(b.title).to.be.a('string').and.not.empty; })",
            "$.books: { each: { like: { id: 7, title: { $match: { type: string, empty: false } } } } }"
        ),
        (
            "for (let i = 0; i < json.books.length; i++) { pm.expect(json.books[i].author.name).to.eql('Ada') }",
            "$.books: { each: { like: { author: { name: Ada } } } }"
        ),
        (
            "json.books.forEach(b => b.tags.forEach(t => pm.expect(t.id).to.eql(null)))",
            "$.books: { each: { like: { tags: { $match: { each: { like: { id: { $match: null } } } } } } } }"
        ),
        (
            "json.books.forEach(b => { pm.expect(b.id).to.exist; pm.expect(b.tags).to.not.be.undefined; })",
            "$.books: { each: { like: { id: { $match: { not: null } } }, contains: tags } }"
        ),
        (
            "json.books.forEach(b => { pm.expect(b).to.have.property('a'); pm.expect(b).to.have.property('b') })",
            "$.books: { each: { all: [{ contains: a }, { contains: b }] } }"
        ),
        (
            "json.books.forEach(b => { pm.expect(b.a).to.eql({ c: 1 }); pm.expect(b.a.d).to.eql(2) })",
            "$.books: { each: { all: [{ like: { a: { $match: { equals: { c: 1 } } } } }, { like: { a: { d: 2 } } }] } }"
        ),
        // Values that may be missing.
        (
            "json.books.forEach(b => pm.expect(b.error).to.be.undefined)",
            "$.books[*].error: { each: { exists: false } }"
        ),
        ("json.books.forEach(b => pm.expect(b.state).to.not.equal('old'))", "$.books[*].state: { each: { not: old } }"),
        (
            "json.books.forEach(b => pm.expect(b.tags).to.not.be.empty)",
            "$.books: { each: { like: { tags: { $match: { empty: false } } } } }"
        ),
    ]

    @Test(arguments: matchers)
    func matchersOfElements(_ script: String, _ expected: String) throws {
        let text = try checks("const json = pm.response.json();\n\(script)")
        #expect(text.flattened.contains(expected.flattened), "\(text)")
    }

    @Test(arguments: [
        (
            "json.books.forEach(b => { if (b.kind === 'novel') { pm.expect(b.pages).to.be.above(9) } })",
            "body.books.all(b, !has(b.kind) || b.kind != \"novel\" || b.pages > 9)"
        ),
        (
            "json.books.forEach(({ tags }) => pm.expect(tags[0]).to.eql('x'))",
            "body.books.all(element, element.tags[0] =="
        ),
        (
            "json.books.filter(b => b.id).forEach(b => pm.expect(b.a).to.eql(b.c))",
            "body.books.filter(b, has(b.id) && !(b.id in [null, false, 0, \"\"])).all(b, b.a == b.c)"
        ),
        (
            "if (pm.response.code === 200) { json.books.forEach(b => { pm.expect(b.a || b.c).to.eql(1) }) }",
            "status != 200 || body.books.all(b, "
        ),
        (
            "json.books.forEach(b => b.tags.forEach(t => { if (t.a) { pm.expect(t.b).to.eql(b.id) } }))",
            "body.books.all(b, b.tags.all(t, "
        ),
        (
            "json.books.forEach(x => pm.expect(x.a + pm.globals.get('x')).to.eql(1))",
            "body.books.all(x2, "
        ),
        (
            "json.books.forEach(x => x.tags.forEach(x => { if (x.a) { pm.expect(x.b).to.eql(1) } }))",
            "body.books.all(x2, x2.tags.all(x3, "
        ),
        (
            "for (let i = 0; i < json.length; i++) { json[i].tags.forEach(element => pm.expect(element.a).to.eql(json[i].b)) }",
            "body.all(element, element.tags.all(element2, element2.a == element.b))"
        ),
        (
            "json.books.forEach(item => { if (item.a) { pm.expect(item.b).to.eql(pm.environment.get('item')) } })",
            "item.b == item2"
        ),
    ])
    func assertionsOfElements(_ script: String, _ expected: String) throws {
        let text = try checks("const json = pm.response.json(); pm.globals.get('x');\n\(script)")
        #expect(text.replacing("\\\"", with: "\"").contains(expected), "\(text)")
    }

    /// A loop that changes a variable, and the assertion about it.
    @Test(arguments: [
        (
            "let found = false; json.forEach(b => { if (b.id === 3) { found = true } }); pm.expect(found).to.be.true",
            "body.exists(b, b.id == 3)"
        ),
        (
            "let found = false; for (const b of json) { if (b.id === 3) { found = true; break } } tests['found'] = found",
            "body.exists(b, b.id == 3)"
        ),
        (
            "let ok = true; for (let i = 0; i < json.length; i++) { if (json[i].id < 3) ok = false; } pm.expect(ok).to.be.true",
            "!body.exists(element, element.id < 3)"
        ),
        (
            "const ids = []; json.books.forEach(b => ids.push(b.id)); pm.expect(ids).to.include(3)",
            "3 in body.books.map(b, b.id)"
        ),
        (
            "const x = []; json.books.forEach(b => { if (b.a > 1) x.push(b) }); pm.expect(x.length).to.eql(3)",
            "size(body.books.filter(b, b.a > 1)) == 3"
        ),
        (
            "let n = 0; json.books.forEach(b => { if (b.a > 1) n++; }); pm.expect(n).to.eql(3)",
            "size(body.books.filter(b, b.a > 1)) == 3"
        ),
        (
            "let b; for (const x of json.books) { if (x.id === 3) { b = x; break; } } pm.expect(b.title).to.eql('Dune')",
            "body.books.filter(x, x.id == 3)[0].title == \"Dune\""
        ),
        (
            "for (const b of json.books) { if (!b.kind) continue; pm.expect(b.a).to.eql(b.c) }",
            "!has(b.kind) || b.kind in [null, false, 0, \"\"] || b.a == b.c)"
        ),
        (
            "for (const b of json) { if (b.k > 0) { if (b.a > 5) continue; } pm.expect(b.z).to.eql(9) }",
            "body.all(b, (b.k > 0 && b.a > 5) || b.z == 9)"
        ),
        (
            "for (const b of json) { switch (b.k) { case 1: pm.expect(b.a).to.eql(1); break; case 2: continue; }"
                + "pm.expect(b.z).to.eql(9) }",
            "|| b.z == 9)"
        ),
        (
            "for (const k of ['a', 'b']) { if (!json[k]) continue; pm.expect(json[k]).to.eql(1) } pm.expect(json.c).to.eql(2)",
            "$.c: 2"
        ),
    ])
    func changedVariables(_ script: String, _ expected: String) throws {
        let text = try checks("const json = pm.response.json();\n\(script)")
        func plain(_ text: String) -> String { text.filter { !"\"'\\".contains($0) } }
        #expect(plain(text).contains(plain(expected)), "\(text)")
    }

    /// A variable is unknown after a statement that may have changed it in a way that is not translated.
    @Test(arguments: [
        "let found = false; json.forEach(b => { if (cheerio(b)) { found = true } }); pm.expect(found).to.be.true",
        "let a = 1; while (true) { a = 2 } pm.expect(a).to.eql(1)",
        "let a = []; do { a.push(json.b) } while (a.length < 3); pm.expect(a).to.eql([])",
        "let last; json.forEach(b => { last = b.id }); pm.expect(last).to.eql(1)",
        "for (const b of json.books) { pm.expect(b.id).to.eql(7); break }",
        "for (const b of json) { if (cheerio(b)) continue; pm.expect(b.id).to.eql(7) }",
        "let n = 0; json.forEach(b => { n += b.price }); pm.expect(n).to.eql(7)",
        "const seen = []; json.forEach(b => { pm.expect(seen).to.not.include(b.id); seen.push(b.id) })",
        "let prev = 0; for (const b of json) { pm.expect(b.v).to.be.at.least(prev); prev = b.v }",
        "let first = true; for (const b of json) { if (first) { pm.expect(b.v).to.eql(1); first = false } }",
        "let n = 0; json.forEach(b => { pm.expect(b.i).to.eql(n); n++ })",
        "let f = false; for (const b of json) { if (b.a === 3) break; if (b.a === 7) f = true } pm.expect(f).to.be.true",
        "let f = false; for (const b of json) { if (b.a === 7) f = true; break } pm.expect(f).to.be.true",
        "let b; for (const x of json) { if (x.a === 7) b = x; if (x.a === 8) break } pm.expect(b.c).to.eql(1)",
        "let n = 0; const l = json.filter(b => { n++; return b.a }); pm.expect(n).to.eql(7)",
        "for (const b of json) { pm.expect(b.id).to.eql(7); return }",
        "let r = [1, 2]; while (json.a) { r[0] = 5 } pm.expect(r[0]).to.eql(1)",
        "let a = 1, b = 2; while (json.a) { [a, b] = [b, a] } pm.expect(a).to.eql(1)",
        "let n = 1; function inc() { n++ } do { inc() } while (n < 3); pm.expect(n).to.eql(1)",
        "const p = json.items[0]; p.x = 5; pm.expect(json.items[0].x).to.eql(5)",
        "for (const k of ['a', 'b']) { if (json[k]) { pm.expect(json[k]).to.eql(1); break } }",
        "function any() { for (const b of json) { if (b.id) return true; } } pm.expect(any()).to.be.true",
    ])
    func unknownVariables(_ script: String) throws {
        let imported = try importing(script: "const json = pm.response.json();\n\(script)")
        #expect(imported.result.counts.translatedAssertions == 0, "\(imported.text)")
        #expect(!imported.untranslated.isEmpty && !imported.text.contains("expect:"), "\(imported.text)")
    }

    /// Statements that depend on the order or the number of elements have no expectation.
    @Test(arguments: [
        "json.books.forEach((b, i) => pm.expect(b.id).to.eql(i + 1))",
        "let n = 0; json.books.forEach(b => { if (b.id) { n += 1; pm.expect(n).to.be.below(3) } })",
        "json.books.forEach(b => { if (b.id) { pm.environment.set('id', b.id) } })",
        "for (const key in json.books) { pm.expect(key).to.eql('a') }",
    ])
    func otherLoopsAreComments(_ script: String) throws {
        let imported = try importing(script: "const json = pm.response.json();\n\(script)")
        #expect(!imported.untranslated.isEmpty, "\(imported.text)")
        #expect(imported.result.counts.translatedAssertions == 0, "\(imported.text)")
    }
}
