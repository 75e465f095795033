/// Compares strings by Unicode scalars, as CEL requires; `String` compares by canonical equivalence.
enum Scalars {
    /// Returns whether two strings consist of the same scalars.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        let fast = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in compare(left, right) == 0 }
        }
        if let result = fast ?? nil { return result }
        return left.utf8.elementsEqual(right.utf8)
    }

    /// Compares strings by scalars: returns a negative number, zero, or a positive number.
    static func order(_ left: String, _ right: String) -> Int {
        var left = left
        var right = right
        return left.withUTF8 { left in right.withUTF8 { right in compare(left, right) } }
    }

    /// Compares byte arrays: returns a negative number, zero, or a positive number.
    static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.withUnsafeBufferPointer { left in right.withUnsafeBufferPointer { right in compare(left, right) } }
    }

    private static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        let shared = min(left.count, right.count)
        var index = 0
        while index < shared {
            if left[index] != right[index] { return left[index] < right[index] ? -1 : 1 }
            index += 1
        }
        return left.count - right.count
    }
}
