/// Positions in a text by Unicode scalars.
struct ScalarIndex {
    private let text: String
    private let isASCII: Bool
    /// The number of scalars.
    let count: Int

    init(_ text: String) {
        self.text = text
        isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        count = isASCII ? text.utf8.count : text.unicodeScalars.count
    }

    /// An int value as an index from 0 to the number of scalars.
    func checked(_ value: CELValue) throws(CELFailure) -> Int {
        guard case .int(let index) = value else { throw .noOverload }
        guard let position = Int(exactly: index), (0...count).contains(position) else {
            throw .message("index \(index) is out of range; the text has \(count) characters")
        }
        return position
    }

    func index(_ offset: Int) -> String.Index {
        isASCII
            ? text.utf8.index(text.startIndex, offsetBy: offset)
            : text.unicodeScalars.index(text.startIndex, offsetBy: offset)
    }

    func byteOffset(_ offset: Int) -> Int {
        isASCII ? offset : text.utf8.distance(from: text.startIndex, to: index(offset))
    }

    func scalarOffset(_ byteOffset: Int) -> Int {
        guard !isASCII else { return byteOffset }
        let index = text.utf8.index(text.startIndex, offsetBy: byteOffset)
        return text.unicodeScalars.distance(from: text.startIndex, to: index)
    }

    /// The text from one offset up to another.
    func slice(_ start: Int, _ end: Int) -> String {
        String(text[index(start)..<index(end)])
    }
}
