import Diagnostics
import Testing
import YAML

@Suite struct LimitTests {
    @Test func aBillionLaughsAreStopped() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...30 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        let reading = Reading(text)
        #expect(reading.documents.isEmpty)
        #expect(reading.problems == ["expansion-limit 6:45-6:48"])
        #expect(reading.diagnostics.first?.message == "aliases expand to more than 1000000 values")
    }

    @Test func aliasesWithinTheLimitShareTheirNodes() throws {
        let list = "[" + Array(repeating: "x", count: 999).joined(separator: ",") + "]"
        let text = "a: &a \(list)\nb: [" + Array(repeating: "*a", count: 100).joined(separator: ",") + "]\n"
        #expect(Reading(text, limits: YAMLLimits(maximumExpandedNodes: 100_000)).rendered == "")
        #expect(
            Reading(text, limits: YAMLLimits(maximumExpandedNodes: 99_999)).diagnostics.map(\.id) == ["expansion-limit"]
        )
    }

    @Test func aliasesOfLongTextsAreLimited() throws {
        let text = "a: &a {k: \(String(repeating: "x", count: 997))}\nb: [*a, *a, *a]\nc: &c \"yz\"\nd: [*c]\n"
        #expect(Reading(text, limits: YAMLLimits(maximumExpandedBytes: 2_996)).rendered == "")
        let reading = Reading(text, limits: YAMLLimits(maximumExpandedBytes: 2_995))
        #expect(reading.problems == ["expansion-limit 4:5-4:7"])
        #expect(reading.diagnostics.first?.message == "aliases expand to more than 2995 bytes of text")
        let bomb = "a: &a \(String(repeating: "x", count: 100_000))\nb: [\(String(repeating: "*a, ", count: 1_000))]\n"
        #expect(Reading(bomb).diagnostics.map(\.id) == ["expansion-limit"])
    }

    @Test func mergeKeysCountAsExpansion() {
        var text = "m0: &m0 {k0: 1}\n"
        for level in 1...3_000 { text += "m\(level): &m\(level) {<<: *m\(level - 1), k\(level): 1}\n" }
        #expect(Reading(text).diagnostics.map(\.id) == ["expansion-limit"])
    }

    @Test func depthIsLimited() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(Reading(nested(256)).rendered == "")
        #expect(Reading(nested(257)).problems == ["too-deep 1:257-1:258"])
        #expect(Reading(String(repeating: "[", count: 1_000_000)).problems == ["too-deep 1:257-1:258"])
        #expect(Reading(String(repeating: "- ", count: 100_000)).problems == ["too-deep 1:513-1:514"])
        #expect(Reading(String(repeating: "{a: ", count: 100_000)).diagnostics.map(\.id) == ["too-deep"])
    }

    @Test func depthCountsAliases() {
        let text = "a: &a [[[1]]]\nb: [[*a]]\n"
        #expect(Reading(text, limits: YAMLLimits(maximumDepth: 6)).rendered == "")
        #expect(Reading(text, limits: YAMLLimits(maximumDepth: 5)).problems == ["too-deep 2:6-2:8"])
    }

    @Test func sizeAndNumberOfProblemsAreLimited() {
        #expect(Reading("a: 12", limits: YAMLLimits(maximumBytes: 4)).problems == ["file-too-large 1:1-1:1"])
        let text = String(repeating: "- !x 1\n", count: 1_000)
        #expect(Reading(text).diagnostics.count == 100)
    }

    @Test func manyUnusableKeysAreQuick() {
        let text = String(repeating: "? []\n: 1\n", count: 100_000)
        #expect(Reading(text).diagnostics.count == 100)
    }
}
