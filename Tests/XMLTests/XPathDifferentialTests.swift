import Basics
import CLibXML2
import Testing
import XML
import XPathReference

/// Tests that random expressions have the same values as in libxml2, for documents with every kind of node.
@Suite("XPath compared with libxml2", .enabled(if: XMLLibrary.isAvailable, "libxml2 is not installed"))
struct XPathDifferentialTests {
    private static let words = [
        "a", "b", "*", "/", "//", "@", "@*", "[", "]", "(", ")", ".", "..", "|", "+", "-", "=", "!=", "<", ">=", "and",
        "or", "div", "mod", "1", "2.5", ".5", "'x'", "\"y\"", ",", "::", "child::", "self::", "attribute::", "text()",
        "node()", "following::", "preceding::", "following-sibling::", "preceding-sibling::", "ancestor::",
        "ancestor-or-self::", "descendant::", "descendant-or-self::", "parent::", "namespace::*",
        "comment()", "processing-instruction('p')", "count(", "concat(", "string(", "not(", "sum(", "position()",
        "last()", "true()", "x:a", "x:*", "id('i')", "text", "name", " ", "[1]", "[last()]", "[2]", "[position() < 3]",
    ]

    /// Valid expressions whose parts are exchanged.
    private static let seeds: [[String]] = [
        ["//", "a", "[", "1", "]", "/", "@", "b"], ["count(", "//", "a", ")", "+", "1"],
        ["(", "a", "|", "b", ")", "[", "last()", "]"], ["a", "and", "not(", "b", ")"], ["self::", "node()", "/", "*"],
        ["concat(", "'x'", ",", "\"y\"", ",", "a", ")"], ["-", "a", "div", "b", "mod", "2.5"], ["x:a", "/", "x:*"],
        ["//", "a", "/", "following::", "b"], ["//", "b", "/", "preceding::", "*", "[", "2", "]"],
        ["//", "text()", "/", "ancestor::", "a"], ["//", "*", "[", "@", "b", "=", "//", "a", "]"],
        ["//", "a", "/", "following-sibling::", "*", "[", "last()", "]"], ["//", "node()", "|", "//", "@*"],
        ["//", "@*", "/", "..", "/", "preceding-sibling::", "node()"], ["//", "*", "[", "b", "<", "a", "]"],
        ["string(", "//", "a", "[", "last()", "]", ")"], ["sum(", "//", "b", ")", ">=", "//", "a"],
    ]

    /// Documents without `xmlns=""`, which libxml2 treats as a namespace node.
    private static let documents = [
        "<a xmlns:x='urn:x'><b/><x:a/>t</a>",
        """
        <?p one?><a b="1" xmlns:x="urn:x"><b>2</b>text<a b="2"><!--c--><b c="x">3</b><?p two?><b/></a>
        <x:a x:b="7" b="x"><x:b>4</x:b><a>5<a xml:id="i">x<b>y</b></a></a></x:a><![CDATA[x]]><b>1</b></a><!--end-->
        """,
        "<a><a><a><b/></a><b><a>1</a></b></a><b><a b='1'/><a b='2'/>x</b><a/></a>",
    ]

    /// Returns a description of a value: for nodes, their paths and texts.
    private static func text(_ value: XPathValue) -> String {
        switch value {
        case .string(let text): "string \(text)"
        case .number(let number): "number \(number)"
        case .boolean(let flag): "boolean \(flag)"
        case .nodes(let nodes):
            // libxml2 has no paths for namespaces, and orders them differently.
            nodes.contains { $0.kind == .namespace }
                ? "\(nodes.count) nodes" : nodes.map { "\($0.path ?? "-") \($0.stringValue)" }.joined(separator: "\n")
        }
    }

    private static func text(_ value: UnsafeMutablePointer<reference_value>) -> String {
        switch value.pointee.type {
        case 2: return "boolean \(value.pointee.boolean != 0)"
        case 3: return "number \(value.pointee.number.isNaN ? .nan : value.pointee.number)"
        case 4: return "string \(value.pointee.string.map { String(cString: $0) } ?? "")"
        default:
            guard let set = value.pointee.nodes else { return "" }
            let nodes = (0..<Int(set.pointee.count)).compactMap { set.pointee.nodes[$0].map { OpaquePointer($0) } }
            // 18 is the type of a namespace.
            if nodes.contains(where: { clx_node_type($0) == 18 }) { return "\(nodes.count) nodes" }
            return nodes.map { "\(take(clx_node_path($0))) \(take(clx_node_string_value($0)))" }.joined(separator: "\n")
        }
    }

    private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String {
        defer { clx_string_free(text) }
        return text.map { String(cString: $0) } ?? ""
    }

    @Test("Random expressions have the same values as in libxml2", arguments: 0..<8 as Range<UInt64>)
    func agreement(_ seed: UInt64) throws {
        let bytes = Array(Self.documents[Int(seed) % Self.documents.count].utf8)
        var limits = clx_limits(
            depth: 100, nodes: 1000, elements: 1000, attributes: 100, entities: 10, expansion: 1000, subset: 1000,
            time: .max, is_given_up: nil)
        var error = clx_error()
        let reference = try #require(
            bytes.withUnsafeBufferPointer { clx_parse($0.baseAddress, $0.count, nil, false, &limits, &error) })
        defer { clx_document_free(reference) }
        let document = try XMLDocument.parse(bytes)
        var random = SplitMix64(seed: seed)
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
            // Without a space, other words and prefixes may result.
            guard let checked = try? XPathExpression(expression), checked.prefixes.allSatisfy({ $0.name == "x" }) else {
                continue
            }
            // libxml2 excludes the descendants of an attribute's element from the following axis.
            if expression.contains("@"), expression.contains("following::") { continue }
            accepted += 1
            let value = try document.evaluate(checked, namespaces: ["x": "urn:x"])
            guard let expected = reference_evaluate(UnsafeMutableRawPointer(reference), expression, "x", "urn:x") else {
                Issue.record("libxml2 cannot evaluate \(expression)")
                continue
            }
            #expect(Self.text(value) == Self.text(expected), "\(expression)")
            reference_free(expected)
        }
        #expect(accepted > 500)
    }
}
