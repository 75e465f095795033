import Basics

/// Tells names of members that are data, such as ids, from those that an interface has given.
enum DynamicNames {
    /// How many members with names like numbers make a map.
    private static let fewestNumbers = 3

    /// Whether the names of an object's members are data.
    static func areData(_ names: some Collection<String>) -> Bool {
        var numbers = 0
        for name in names {
            if isIdentifier(name) { continue }
            guard isNumbered(name) else { return false }
            numbers += 1
        }
        return !names.isEmpty && (numbers == 0 || names.count >= fewestNumbers)
    }

    /// Whether a name is one that nobody gives a member: a UUID, a date, an address, a long key.
    private static func isIdentifier(_ name: String) -> Bool {
        ShapeFormat(of: name) != nil || isLongKey(name)
    }

    /// Whether a name is 16 letters and digits or more, of which at least four are digits.
    private static func isLongKey(_ name: String) -> Bool {
        guard (16...128).contains(name.utf8.count), name.utf8.allSatisfy(ASCII.isAlphanumeric) else {
            return false
        }
        return name.utf8.count(where: ASCII.isDigit) >= 4
    }

    /// Whether a name is a number, or a number behind a short prefix, as in `ord_1024`.
    private static func isNumbered(_ name: String) -> Bool {
        guard (1...64).contains(name.utf8.count) else { return false }
        let digits = name.utf8.reversed().prefix(while: ASCII.isDigit).count
        guard digits > 0 else { return false }
        let rest = name.utf8.dropLast(digits)
        guard let separator = rest.last else { return true }
        return digits >= 2 && (separator == UInt8(ascii: "_") || separator == UInt8(ascii: "-"))
            && rest.dropLast().allSatisfy(ASCII.isLetter)
    }
}
