/// Finds a longest subsequence of increasing numbers, in time n log n.
enum LongestIncreasingSubsequence {
    /// The indices of such a subsequence of `values`, which are all different.
    static func indices(of values: [Int]) -> [Int] {
        // ends[length - 1]: the index of the least value that ends an increasing subsequence of that length.
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: values.count)
        for (index, value) in values.enumerated() {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result: [Int] = []
        var index = ends.last ?? -1
        while index >= 0 {
            result.append(index)
            index = previous[index]
        }
        return result.reversed()
    }
}
