import Testing

@testable import RunRecord

@Suite("Suite locations in reports")
struct SuiteLocationTests {
    @Test(arguments: [
        ("bookshop.yaml", 0, "bookshop.yaml", "bookshop", "at Suite(bookshop.yaml:3)"),
        (
            "./tests/api/book-shop.apitest.yaml", 0, "tests/api/book-shop.apitest.yaml", "tests.api.book-shop",
            "at tests.api.Suite(book-shop.apitest.yaml:3)"
        ),
        ("/home/ada/shop/a b/c.d.yml", 1, "a b/c.d.yml", "a_b.c_d_2", "at a b.Suite(c.d.yml:3)"),
        ("/elsewhere/x.yaml", 0, "/elsewhere/x.yaml", "elsewhere.x", "at elsewhere.Suite(x.yaml:3)"),
        ("../x/./y/../z.yaml", 0, "../x/z.yaml", "x.z", "at x.Suite(z.yaml:3)"),
        ("Tests/api/x.yaml", 0, "Tests/api/x.yaml", "Tests.api.x", "at api.Suite(x.yaml:3)"),
        (".yaml", 0, ".yaml", "_yaml", "at Suite(.yaml:3)"),
    ])
    func locations(path: String, document: Int, file: String, className: String, trace: String) {
        let location = SuiteLocation(path: path, documentIndex: document, workingDirectory: "/home/ada/shop")
        #expect(location.file == file)
        #expect(location.className == className)
        #expect(location.trace(line: 3) == trace)
    }

    @Test(arguments: [
        ("tests/a.yaml", "/w", "/w", "tests/a.yaml"),
        ("./tests/../a.yaml", "/w", "/w", "a.yaml"),
        ("a.yaml", "/w/sub", "/w", "sub/a.yaml"),
        ("../a.yaml", "/w/sub", "/w", "a.yaml"),
        ("/w/x/a.yaml", "/w/sub", "/w", "x/a.yaml"),
        ("/other/a.yaml", "/w", "/w", "/other/a.yaml"),
        ("a.yaml", "/elsewhere", "/w", "a.yaml"),
        ("a.yaml", "/w", "", "a.yaml"),
        ("a.yaml", "/ww", "/w", "a.yaml"),
    ])
    func paths(_ path: String, _ workingDirectory: String, _ root: String, _ expected: String) {
        #expect(ProjectPath.file(path, workingDirectory: workingDirectory, root: root) == expected)
    }
}
