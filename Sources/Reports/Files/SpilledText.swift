/// A part of a report that grows while the run lasts, of which only the end is kept in memory.
struct SpilledText: ~Copyable {
    /// What was not spilled.
    var bytes = ByteBuffer()
    private var parts: [ReportFile.Part] = []
    private let isAside: Bool

    /// The most bytes that are kept in memory: few enough to stay in a cache, as those of other reports.
    private static let mostBytes = 2 * ReportFile.spillUnit

    /// - Parameter isAside: Whether it is spilled apart from other texts, so that those follow one another in the file.
    init(isAside: Bool = false) {
        self.isAside = isAside
    }

    /// True while nothing was appended.
    var isEmpty: Bool { bytes.isEmpty && parts.isEmpty }

    /// All of the text, in order.
    var pieces: [ReportFile.Piece] {
        parts.map { isAside ? .aside($0) : .part($0) } + [.bytes(bytes.array)]
    }

    /// Spills the bytes when they are many.
    mutating func spillIfLong(to file: inout ReportFile) throws(ReportError) {
        guard bytes.count > Self.mostBytes else { return }
        let part = try file.spillUnits(of: &bytes, isAside: isAside)
        if let last = parts.last, last.upperBound == part.lowerBound {
            parts[parts.count - 1] = last.lowerBound..<part.upperBound
        } else {
            parts.append(part)
        }
    }
}
