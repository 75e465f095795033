import CAssets

/// The scripts of Unicode as sets.
enum Scripts {
    /// Returns the scalars of a script by its long or short name.
    static func set(_ name: String) -> ScalarSet? {
        if name == "Unknown" || name == "Zzzz" {
            var known: [ClosedRange<UInt32>] = []
            for row in rows { known += ranges(row.dropFirst(2)) }
            return ScalarSet(known).complement
        }
        return row(named: name).map { ScalarSet(ranges($0.dropFirst(2))) }
    }

    /// Returns the scalars that a script uses, alone or shared with others, by its long or short name.
    static func extensions(_ name: String) -> ScalarSet? {
        guard let own = set(name) else { return nil }
        let abbreviation = row(named: name)?.first ?? "Zzzz"
        var shared = ScalarSet()
        var explicit: [ClosedRange<UInt32>] = []
        for line in text(of: .scriptExtensions).split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let scripts = fields.first else { continue }
            let ranges = ranges(fields.dropFirst())
            explicit += ranges
            if scripts.split(separator: ",").contains(abbreviation) { shared.formUnion(ScalarSet(ranges)) }
        }
        return own.intersection(ScalarSet(explicit).complement).union(shared)
    }

    /// The fields of each line of the table.
    private static let rows = text(of: .scripts).split(separator: "\n").map { $0.split(separator: " ") }

    private static func row(named name: String) -> [Substring]? {
        // Qaac and Qaai are deprecated aliases.
        let name = name == "Qaac" ? "Copt" : name == "Qaai" ? "Zinh" : name
        return rows.first { $0.count > 2 && ($0[0] == name || $0[1] == name) }
    }

    private static func ranges(_ fields: ArraySlice<Substring>) -> [ClosedRange<UInt32>] {
        fields.compactMap { field in
            let ends = field.split(separator: "-").compactMap { UInt32($0, radix: 16) }
            guard let low = ends.first, let high = ends.last, low <= high else { return nil }
            return low...high
        }
    }

    private static func text(of asset: Asset) -> String {
        String(decoding: UnsafeBufferPointer(start: asset.bytes, count: asset.count), as: UTF8.self)
    }
}
