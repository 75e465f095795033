import SuiteModel
import Testing

struct SnapshotNameTests {
    @Test(arguments: [
        (["add a book"], "add-a-book"), (["GET /books/${id}?page=2"], "GET-books-id-page-2"),
        (["../../etc/passwd"], "etc-passwd"), (["..\\..\\x"], "x"), ([".hidden"], "hidden"), (["a/../b"], "a-..-b"),
        (["v1.2"], "v1.2"), (["a", "b c"], "a.b-c"), (["Bücher"], "Bücher"), (["本を追加する"], "本を追加する"), (["हिन्दी"], "हिन्दी"),
        (["a\u{0}b\nc"], "a-b-c"), (["***"], "snapshot"), ([""], "snapshot"), ([], "snapshot"),
        (["a", "", "b"], "a.b"),
        (["a_b-c"], "a_b-c"), (["--a--"], "a"), (["😀 x"], "x"),
    ])
    func stems(_ parts: [String], _ stem: String) {
        #expect(SnapshotName.stem(parts) == stem)
    }

    @Test func longNamesAreCutAndStayApart() {
        let long = String(repeating: "é", count: 500)
        let first = SnapshotName.stem([long + "1"])
        let second = SnapshotName.stem([long + "2"])
        #expect(first != second)
        for stem in [first, second] {
            #expect(stem.utf8.count <= 120)
            #expect(stem.hasPrefix("ééé"))
        }
        #expect(SnapshotName.stem([long, "1"]) != SnapshotName.stem([long + "1"]))
    }

    @Test func namesOfSteps() {
        #expect(SnapshotName.stem(given: nil, test: "a test") == "a-test")
        #expect(SnapshotName.stem(given: nil, test: "a test", step: "a step") == "a-test.a-step")
        #expect(SnapshotName.stem(given: nil, test: "a test", row: "a test [2]", step: "s") == "a-test-2.s")
        #expect(SnapshotName.stem(given: "books", test: "a test", step: "a step") == "books")
        #expect(SnapshotName.stem(given: "books", test: "a test", row: "Dune") == "books.Dune")
        #expect(
            SnapshotName.stem(given: "books", test: "a", row: "b", step: "c [2]", isRepeated: true) == "books.b.c-2")
    }
}
