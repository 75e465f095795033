import Diagnostics
import SuiteModel

extension Annotations {
    /// Lines of a description that reports of lines show.
    private static let maximumLines = 10

    /// The first lines of the description, without empty ones and without characters that would disturb a terminal.
    var descriptionLines: [String] {
        let lines = (description ?? "").split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        let shown = lines.prefix(Self.maximumLines).map { DisplayWidth.printable(String($0)) }
        return lines.count > shown.count ? shown + ["…"] : shown
    }
}
