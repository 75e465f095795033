extension Trends {
    /// Tests of one kind that the HTML page lists.
    private static let mostOnPage = 200

    /// The trends as the overview of the HTML report lists them.
    var html: HTMLTrends {
        let kinds: [(kind: HTMLTrends.Kind, list: List, text: (Test) -> String)] = [
            (.newFailure, newFailures, TrendText.newFailure), (.stillFailing, stillFailing, TrendText.stillFailing),
            (.fixed, fixed, TrendText.fixed), (.flaky, flaky, TrendText.flaky), (.slower, slower, TrendText.slower),
        ]
        var trends = HTMLTrends(
            entries: kinds.flatMap { kind, list, text in
                list.tests.prefix(Self.mostOnPage).map { test in
                    HTMLTrends.Entry(kind: kind, suite: test.suite, test: test.name, text: text(test))
                }
            })
        trends.table = table
        return trends
    }
}
