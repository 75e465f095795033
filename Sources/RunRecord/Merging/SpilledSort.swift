import FileSystem
import Output

/// A sort of any number of elements in bounded memory.
///
/// Elements beyond a limit are written to an unnamed temporary file as sorted runs, which are merged when they are
/// read. The file disappears when the process ends, even if it is killed.
final class SpilledSort<Element: BitwiseCopyable> {
    /// A sorted part of the elements.
    private struct Run {
        /// The bytes in the file that are not in memory yet.
        var rest: Range<Int>
        /// The elements in memory that come next.
        var elements: [Element]
        var index = 0

        var first: Element { elements[index] }
    }

    /// The maximum number of elements in memory before they are written to the file.
    private let limit: Int
    private let isBefore: (Element, Element) -> Bool
    private var elements: [Element] = []
    private var file: FileHandle?
    private var size = 0
    private var ranges: [Range<Int>] = []
    /// The runs that have elements left, as a binary heap by their first element.
    private var heap: [Run] = []

    /// The number of elements of a run that are read at a time.
    private static var readCount: Int { 1 << 10 }

    /// Creates an empty sort.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of elements in memory before they are written to the file.
    ///   - isBefore: A strict total order of the elements.
    init(limit: Int, by isBefore: @escaping (Element, Element) -> Bool) {
        self.limit = limit
        self.isBefore = isBefore
    }

    /// Adds an element.
    func append(_ element: Element) throws(FileHandle.Failure) {
        if elements.count >= limit { try spill() }
        elements.append(element)
    }

    private func spill() throws(FileHandle.Failure) {
        elements.sort(by: isBefore)
        let bytes = elements.withUnsafeBytes { Array($0) }
        if file == nil { file = try FileHandle.temporary() }
        try file?.write(bytes)
        ranges.append(size..<size + bytes.count)
        size += bytes.count
        elements.removeAll(keepingCapacity: true)
    }

    /// Sorts the elements, so that they can be read. None may be added after that.
    func finish() throws(FileHandle.Failure) {
        elements.sort(by: isBefore)
        if !elements.isEmpty { heap.append(Run(rest: 0..<0, elements: elements)) }
        elements = []
        for range in ranges {
            var run = Run(rest: range, elements: [])
            if try read(&run) { heap.append(run) }
        }
        ranges = []
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    /// The least element, or `nil` if there is none or ``finish()`` was not called.
    var first: Element? { heap.first?.first }

    /// Removes the least element. There must be one.
    func removeFirst() throws(FileHandle.Failure) {
        heap[0].index += 1
        if heap[0].index == heap[0].elements.count {
            let hasMore = try read(&heap[0])
            if !hasMore {
                heap.swapAt(0, heap.count - 1)
                heap.removeLast()
                if heap.isEmpty { file = nil }
            }
        }
        siftDown(0)
    }

    /// Reads the next elements of a run.
    ///
    /// - Returns: Whether there are any.
    private func read(_ run: inout Run) throws(FileHandle.Failure) -> Bool {
        let stride = MemoryLayout<Element>.stride
        let count = min(run.rest.count / stride, Self.readCount)
        guard count > 0 else { return false }
        let range = run.rest.lowerBound..<run.rest.lowerBound + count * stride
        let bytes = try file?.read(range) ?? []
        run.rest = range.upperBound..<run.rest.upperBound
        run.elements = bytes.withUnsafeBytes { bytes in
            (0..<count).map { bytes.loadUnaligned(fromByteOffset: $0 * stride, as: Element.self) }
        }
        run.index = 0
        return true
    }

    private func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && isBefore(heap[child].first, heap[least].first) {
                least = child
            }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
