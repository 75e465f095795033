import Basics
import CAssets
import CExplanations
import OpenAPI

/// The meaning of an id that messages print, with an example that leads to the message and a corrected one.
public struct Explanation: Sendable, Hashable {
    /// The id, such as `unknown-key` or `request-body-max-decreased`.
    public let id: String
    /// The topic, which is the title of its page, such as `YAML`.
    public let topic: String
    /// The description and the examples, in Markdown.
    public let text: String

    /// Creates an explanation.
    public init(id: String, topic: String, text: String) {
        self.id = id
        self.topic = topic
        self.text = text
    }

    /// The first sentence of the description, without links.
    public var abstract: String {
        let paragraph = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
        let sentences = ExplanationMarkdown.withoutLinks(paragraph.joined(separator: " "))
        guard let end = sentences.ranges(of: ". ").first else { return sentences }
        return sentences[..<end.lowerBound] + "."
    }
}

/// All explanations: those of the pages under `Documentation/explanations`, and those of the changes of contracts.
public enum Explanations {
    /// The explanations of the pages, in their order.
    public static let pages = ExplanationMarkdown.explanations(
        in: c_asset_explanations().text)

    private static let byID = Dictionary(grouping: pages, by: \.id)

    /// Returns the explanations of an id: several if different parts of the program print it, none if it is unknown.
    public static func of(_ id: String) -> [Explanation] {
        (byID[id] ?? []) + (ChangeExamples.shared.explanation(of: id).map { [$0] } ?? [])
    }

    /// All ids, in the order of the pages and of the catalog of changes, without repetitions.
    public static var ids: [String] {
        var known: Set<String> = []
        return (pages.map(\.id) + ChangeCatalog.all.map(\.id)).filter { known.insert($0).inserted }
    }
}

extension Asset {
    /// The file as text.
    var text: String { String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self) }
}
