import JSON

/// Finds equal elements, in linear time whatever they are.
enum Uniqueness {
    /// Up to this many elements comparing all pairs is faster than hashing.
    private static let largestPairwise = 8

    /// The places of the first element that repeats an earlier one, and of that; nil when there is none.
    static func repetition(in elements: [JSONValue]) -> (first: Int, second: Int)? {
        if elements.count <= largestPairwise {
            for second in elements.indices {
                for first in 0..<second where elements[first] == elements[second] { return (first, second) }
            }
            return nil
        }
        var places: [JSONValue: Int] = [:]
        places.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            if let first = places.updateValue(index, forKey: element) { return (first, index) }
        }
        return nil
    }
}
