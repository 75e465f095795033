import Testing

/// Tests of the output of `lint` for each invalid suite under `BadInput/suites`.
@Suite(.serialized)
struct LoadErrorTests {
    private static let directory = TestFiles.target + "/BadInput/suites"
    private static let names = TestFiles.names(in: directory).filter { $0.hasSuffix(".yaml") }.map {
        String($0.dropLast(5))
    }

    @Test(arguments: names)
    func loadError(_ name: String) async throws {
        let run = try await Program.run(["lint", name + ".yaml"], in: Self.directory)
        #expect(run.ending == .exit(2))
        #expect(run.output.isEmpty, "standard output: \(run.output)")
        let path = "\(Self.directory)/\(name).expected"
        let expected = ExpectedText(TestFiles.text(path) ?? "")
        let actual = run.error.replacing(Self.directory, with: "<<directory>>")
        guard let difference = try expected.difference(to: actual) else { return }
        if Scenario.isUpdating(name) {
            TestFiles.write(try expected.updated(from: actual).utf8, to: path)
        } else {
            Issue.record("\(name): \(difference)")
        }
    }

    /// Each error has an expectation, and each expectation has an error.
    @Test func everySuiteHasAnExpectation() {
        let expected = TestFiles.names(in: Self.directory).filter { $0.hasSuffix(".expected") }.map {
            String($0.dropLast(9))
        }
        #expect(expected == Self.names)
        #expect(expected.count >= 45)
    }
}
