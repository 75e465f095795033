/// An array slice selector `start:end:step` (RFC 9535 §2.3.4); the parser keeps its numbers within ±(2^53 − 1).
struct PathSlice: Sendable, Hashable {
    var start: Int?
    var end: Int?
    var step: Int

    /// The selected positions of an array with `count` elements.
    func positions(in count: Int) -> StrideTo<Int> {
        if step > 0 {
            let lower = PathSlice.clamp(start ?? 0, count, 0...count)
            let upper = PathSlice.clamp(end ?? count, count, 0...count)
            return stride(from: lower, to: upper, by: step)
        }
        guard step < 0, count > 0 else { return stride(from: 0, to: 0, by: 1) }
        let upper = start.map { PathSlice.clamp($0, count, -1...count - 1) } ?? count - 1
        let lower = end.map { PathSlice.clamp($0, count, -1...count - 1) } ?? -1
        return stride(from: upper, to: lower, by: step)
    }

    private static func clamp(_ index: Int, _ count: Int, _ range: ClosedRange<Int>) -> Int {
        min(max(index < 0 ? index + count : index, range.lowerBound), range.upperBound)
    }

    /// The position an index selects in an array with `count` elements: negative ones count from the end.
    static func position(of index: Int, in count: Int) -> Int? {
        let position = index < 0 ? index + count : index
        return position >= 0 && position < count ? position : nil
    }
}
