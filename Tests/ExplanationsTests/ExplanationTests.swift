import JSON
import Output
import Testing

@testable import Explanations

struct ExplanationTests {
    private static let page = """
        # YAML

        The examples are checked with `lint`.

        ## bad-key

        A key that
        [YAML](../yaml.md#keys) does not allow. It is rare.

        ```yaml
        # apitest: allow nothing
        ## not a heading
        a: 1
        ```

        Write `[a](b)`, see [`keys`](yaml.md):

        ```csv books.csv
        title
        ```

        ## good-key

        No problem.
        """

    @Test func sections() {
        let explanations = ExplanationMarkdown.explanations(in: Self.page)
        #expect(explanations.map(\.id) == ["bad-key", "good-key"])
        #expect(explanations.map(\.topic) == ["YAML", "YAML"])
        #expect(explanations.map(\.abstract) == ["A key that YAML does not allow.", "No problem."])
        #expect(explanations[1].text == "No problem.\n")
    }

    @Test func terminal() {
        let text = ExplanationOutput.terminal(
            Array(ExplanationMarkdown.explanations(in: Self.page).prefix(1)), painter: Painter(color: false))
        #expect(
            text == """
                bad-key  YAML

                A key that
                YAML does not allow. It is rare.

                    # apitest: allow nothing
                    ## not a heading
                    a: 1

                Write `[a](b)`, see `keys`:

                    books.csv:
                    title

                """)
    }

    @Test("Each id of the pages has one section on its page and an abstract of one sentence")
    func pages() {
        #expect(!Explanations.pages.isEmpty)
        let keys = Explanations.pages.map { "\($0.topic): \($0.id)" }
        #expect(Set(keys).count == keys.count)
        for explanation in Explanations.pages {
            #expect(explanation.abstract.hasSuffix("."), "\(explanation.id): \(explanation.abstract)")
            #expect(Explanations.of(explanation.id).contains(explanation))
        }
        #expect(Explanations.of("no-such-id").isEmpty)
    }
}
