import Basics
import Testing

/// Tests of the distinction of words and data in messages.
struct MessageTextTests {
    private let name = "Dune"
    private let count = 2

    /// Parts to replace, the resulting text, and its data.
    private static let replacements: [([Range<Int>], String, [String])] = [
        ([], "got Dune and Dune", ["Dune", "Dune"]),
        ([4..<8], "got *** and Dune", ["Dune"]),
        ([5..<6, 13..<17], "got D***ne and ***", ["D", "ne"]),
        ([0..<17], "***", []),
        ([2..<6], "go***ne and Dune", ["ne", "Dune"]),
    ]

    @Test func literalsAreWordsAndValuesAreData() {
        let message: MessageText = "\(count) \(count == 1 ? "book" : "books") named \(name)"
        #expect(message.text == "2 books named Dune")
        #expect(parts(message) == ["2", "Dune"])
    }

    @Test func joinedMessagesKeepTheirData() {
        let message: MessageText = "got \(name)"
        #expect(parts(message + ", expected " + MessageText(name)) == ["Dune", "Dune"])
        #expect(parts([message, "nothing", message].joined(separator: ", ")) == ["Dune", "Dune"])
        #expect(parts(MessageText(words: name)) == [])
    }

    @Test(arguments: replacements)
    func replacedPartsAreWords(_ ranges: [Range<Int>], _ text: String, _ data: [String]) {
        let message: MessageText = "got \(name) and \(name)"
        let replaced = message.replacing(ranges, with: "***")
        #expect(replaced.text == text)
        #expect(parts(replaced) == data)
    }

    @Test func messagesWithTheSameTextAreEqual() {
        let message: MessageText = "got \(name)"
        #expect(message == "got Dune" && message.hashValue == MessageText("got Dune").hashValue)
    }

    /// Returns the data of a message.
    private func parts(_ message: MessageText) -> [String] {
        let bytes = Array(message.text.utf8)
        return message.data.map { String(decoding: bytes[$0], as: UTF8.self) }
    }
}
