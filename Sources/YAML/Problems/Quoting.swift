import Diagnostics

/// Shows how a value that YAML misunderstands is written with quotes.
enum Quoting {
    /// A text between quotes, such as `"a: b"`; apostrophes are taken when that saves escapes.
    static func quoted(_ text: String) -> String {
        if !text.utf8.contains(UInt8(ascii: "\"")), !text.utf8.contains(UInt8(ascii: "\\")) { return "\"\(text)\"" }
        var result = "'"
        for character in text {
            result += character == "'" ? "''" : String(character)
        }
        return result + "'"
    }

    /// The text from a position to the end of its line, without a comment and the space around it.
    static func plainValue(in file: SourceFile, from start: SourcePosition) -> String {
        guard let bytes = file.byteRange(ofLine: Int(start.line)) else { return "" }
        var lower = file.byteOffset(of: start)
        var upper = max(lower, bytes.upperBound)
        var index = lower + 1
        while index < upper {
            if file.text[index] == UInt8(ascii: "#"), SourceScan.isBlank(file.text[index - 1]) {
                upper = index
                break
            }
            index += 1
        }
        while lower < upper, SourceScan.isBlank(file.text[lower]) { lower += 1 }
        while upper > lower, SourceScan.isBlank(file.text[upper - 1]) { upper -= 1 }
        return String(decoding: file.text[lower..<upper], as: UTF8.self)
    }

    /// The first colon that a space follows.
    static func firstColon(in line: String) -> String.Index? {
        var index = line.startIndex
        while let colon = line[index...].firstIndex(of: ":") {
            let next = line.index(after: colon)
            if next == line.endIndex || line[next] == " " { return colon }
            index = next
        }
        return nil
    }
}
