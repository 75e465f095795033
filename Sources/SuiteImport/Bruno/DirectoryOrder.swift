/// The order in which Bruno runs the directories of a directory.
enum DirectoryOrder {
    /// The ASCII characters in the order of the Unicode Collation Algorithm, without upper case.
    private static let characters = Array(" _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz")

    private static let ranks = Dictionary(
        uniqueKeysWithValues: characters.enumerated().map { ($0.element, UInt32($0.offset)) })

    /// Returns the names in order: by name, and those with a position at that position, counted from 1.
    ///
    /// Names with the same position stay together at that position.
    static func arranged(_ directories: [(name: String, position: Int?)]) -> [String] {
        let sorted = directories.map { (name: $0.name, position: $0.position, key: key($0.name)) }.sorted {
            left, right in
            if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
            // Lower case comes before upper case.
            return left.name > right.name
        }
        var groups = sorted.filter { $0.position == nil }.map { (position: Int?.none, names: [$0.name]) }
        // The sort keeps the order of equal positions.
        let placed = sorted.enumerated().compactMap { index, entry in
            entry.position.map { (position: $0, index: index, name: entry.name) }
        }.sorted { ($0.position, $0.index) < ($1.position, $1.index) }
        for entry in placed {
            let place = min(entry.position - 1, groups.count)
            if place < groups.count, groups[place].position == entry.position {
                groups[place].names.append(entry.name)
            } else {
                groups.insert((entry.position, [entry.name]), at: place)
            }
        }
        return groups.flatMap(\.names)
    }

    private static func key(_ name: String) -> [UInt32] {
        name.lowercased().map { character in
            ranks[character] ?? 1_000 + (character.unicodeScalars.first?.value ?? 0)
        }
    }
}
