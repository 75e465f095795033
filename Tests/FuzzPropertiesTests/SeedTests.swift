import FoundationEssentials
import Testing

@testable import FuzzProperties

/// Tests that the fuzzed properties hold for the initial inputs of the fuzzers.
@Suite struct SeedTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Benchmarks/fuzz/corpus")

    @Test(arguments: FuzzTarget.allCases)
    func seeds(_ target: FuzzTarget) throws {
        let directory = Self.corpus.appending(path: target.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(names.count >= 15)
        for name in names {
            let input = Array(try Data(contentsOf: directory.appending(path: name)))
            #expect(throws: Never.self, "\(name)") { try target.check(input) }
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func cutOffSeeds(_ target: FuzzTarget) throws {
        let directory = Self.corpus.appending(path: target.rawValue)
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() {
            let input = Array(try Data(contentsOf: directory.appending(path: name)))
            for count in stride(from: 0, to: input.count, by: max(1, input.count / 20)) {
                #expect(throws: Never.self, "\(count) bytes of \(name)") { try target.check(Array(input[..<count])) }
            }
        }
    }
}
