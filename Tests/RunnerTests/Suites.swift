import Basics
import Diagnostics
import RunModel
import SuiteModel

/// Suites for tests without a file.
enum Suites {
    /// Returns a suite of single exchanges.
    static func suite(_ tests: [SuiteTest], mode: Suite.Mode = .concurrent, path: String = "suite.yaml") -> Suite {
        Suite(
            file: file, path: path, directory: "/", documentIndex: 0, name: "Suite", mode: mode, tests: tests,
            range: range(1))
    }

    /// Returns a test with a GET request.
    static func test(
        _ index: Int, _ name: String, id: String? = nil, tags: [String] = [], skip: String? = nil,
        lock: String? = nil, locks: [String] = [], after dependencies: [SuiteTest.Dependency] = []
    ) -> SuiteTest {
        let line = Int32(index * 10 + 1)
        return SuiteTest(
            index: index, name: name, id: id, tags: tags, skip: skip, locks: locks + [lock].compactMap { $0 },
            steps: [
                SuiteStep(
                    action: .exchange(
                        CopyOnWrite(
                            wrappedValue: RequestSpec(url: .constant("/"), urlRange: range(line), range: range(line)))),
                    range: range(line))
            ],
            hasSteps: false, dependencies: dependencies, range: range(line), lines: line...(line + 9))
    }

    private static let file = SourceFile(name: "suite.yaml", text: "")

    private static func range(_ line: Int32) -> SourceRange {
        SourceRange(
            file: file, start: SourcePosition(line: Int(line), column: 1),
            end: SourcePosition(line: Int(line), column: 2))
    }
}
