import CLibXML2
import Testing
import XML

/// Random expressions: what the parser that checks them accepts, libxml2 must be able to evaluate.
@Suite("XPath parsers against each other", .enabled(if: XMLLibrary.isAvailable, "libxml2 is not installed"))
struct XPathDifferentialTests {
    private static let words = [
        "a", "b", "*", "/", "//", "@", "[", "]", "(", ")", ".", "..", "|", "+", "-", "=", "!=", "<", ">=", "and", "or",
        "div", "mod", "1", "2.5", ".5", "'x'", "\"y\"", ",", "::", "child::", "self::", "attribute::", "text()",
        "node()",
        "comment()", "processing-instruction('p')", "count(", "concat(", "string(", "not(", "position()", "last()",
        "true()", "x:a", "x:*", "id('i')", "text", "name", " ",
    ]

    /// Expressions that are right, of which parts are exchanged.
    private static let seeds: [[String]] = [
        ["//", "a", "[", "1", "]", "/", "@", "b"], ["count(", "//", "a", ")", "+", "1"],
        ["(", "a", "|", "b", ")", "[", "last()", "]"], ["a", "and", "not(", "b", ")"], ["self::", "node()", "/", "*"],
        ["concat(", "'x'", ",", "\"y\"", ",", "a", ")"], ["-", "a", "div", "b", "mod", "2.5"], ["x:a", "/", "x:*"],
    ]

    private struct Random: RandomNumberGenerator {
        var state: UInt64

        /// The next number (SplitMix64).
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    @Test("What the check accepts, libxml2 evaluates; it is itself more lenient", arguments: 0..<8 as Range<UInt64>)
    func agreement(_ seed: UInt64) throws {
        let text = Array("<a xmlns:x='urn:x'><b/><x:a/>t</a>".utf8)
        var limits = clx_limits(depth: 100, nodes: 1000, entities: 10, expansion: 1000)
        var error = clx_error()
        let document = try #require(
            text.withUnsafeBufferPointer { clx_parse($0.baseAddress, $0.count, nil, false, &limits, &error) })
        defer { clx_document_free(document) }
        var random = Random(state: seed)
        var accepted = 0
        for _ in 0..<4000 {
            var words = Self.seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let word = Self.words.randomElement(using: &random) ?? "a"
                let index = Int.random(in: 0...words.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0 where index < words.count: words[index] = word
                case 1 where index < words.count: words.remove(at: index)
                default: words.insert(word, at: index)
                }
            }
            let expression = words.joined(separator: Bool.random(using: &random) ? " " : "")
            // Without a space, other words and prefixes come about.
            guard let checked = try? XPathExpression(expression), checked.prefixes.allSatisfy({ $0.name == "x" }) else {
                continue
            }
            accepted += 1
            var error = clx_error()
            let isEvaluated = "x".withCString { prefix in
                "urn:x".withCString { uri in
                    let namespaces: [UnsafePointer<CChar>?] = [prefix, uri]
                    guard
                        let result = clx_xpath_evaluate(
                            document, clx_document_node(document), expression, namespaces, 1, 100_000, &error)
                    else { return false }
                    clx_result_free(result)
                    return true
                }
            }
            #expect(isEvaluated, "\(expression)")
        }
        #expect(accepted > 500)
    }
}
