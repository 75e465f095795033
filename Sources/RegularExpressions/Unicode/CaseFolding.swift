/// Simple case folding (Unicode's CaseFolding.txt, status C and S), derived from the standard library's case mappings.
enum CaseFolding {
    /// Returns the set with every scalar added that folds to the same scalar as one of its members.
    static func closure(of set: ScalarSet) -> ScalarSet {
        if let closure = closure(ofSimple: set) { return closure }
        // A set is closed if and only if its complement is, and that of `\S` or `[^a]` is a simple set.
        let rest = set.complement
        if closure(ofSimple: rest) == rest { return set }
        // The set of all folding scalars is smaller than most sets, so iterate over it instead.
        var additions: [ClosedRange<UInt32>] = []
        for members in classes where members.contains(where: set.contains) {
            for member in members { additions.append(member...member) }
        }
        return additions.isEmpty ? set : set.union(ScalarSet(additions))
    }

    /// The maximum number of scalars of a simple set.
    private static let maximumSimple = 256
    private static let (longS, kelvinSign) = (UInt32(0x17F), UInt32(0x212A))

    /// Returns the closure of a small set whose members fold to ASCII or to themselves only, or `nil` for others.
    ///
    /// The table of ``classes`` takes milliseconds to make, and most patterns do not need it.
    private static func closure(ofSimple set: ScalarSet) -> ScalarSet? {
        guard set.ranges.reduce(0, { $0 + $1.count }) <= maximumSimple else { return nil }
        var additions: [ClosedRange<UInt32>] = []
        func add(_ scalars: UInt32...) { additions += scalars.map { $0...$0 } }
        for scalar in set.ranges.joined() {
            switch scalar {
            case 0x41...0x5A: add(scalar + 0x20)
            case 0x61...0x7A: add(scalar - 0x20)
            case 0..<0x80: continue
            case longS: add(0x53, 0x73)
            case kelvinSign: add(0x4B, 0x6B)
            default:
                if Unicode.Scalar(scalar)?.properties.changesWhenCaseMapped ?? false { return nil }
                continue
            }
            if scalar | 0x20 == 0x6B { add(kelvinSign) }
            if scalar | 0x20 == 0x73 { add(longS) }
        }
        return additions.isEmpty ? set : set.union(ScalarSet(additions))
    }

    /// The equivalence classes of case folding with more than one member.
    private static let classes: [[UInt32]] = {
        var members: [UInt32: [UInt32]] = [:]
        for value in [UInt32(0)...0x2FFF, 0xA640...0xABFF, 0xFB00...0xFFFF, 0x10000...0x1FFFF].joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            if scalar.properties.changesWhenCaseMapped { members[fold(scalar), default: []].append(value) }
        }
        return members.values.filter { $0.count > 1 }
    }()

    /// Returns whether two code points have the same case folding.
    static func areAlike(_ left: UInt32, _ right: UInt32) -> Bool {
        if left == right { return true }
        guard let first = Unicode.Scalar(left), let second = Unicode.Scalar(right) else { return false }
        return fold(first) == fold(second)
    }

    private static func fold(_ scalar: Unicode.Scalar) -> UInt32 {
        switch scalar.value {
        // The dotless i and the dotted I fold only in Turkic languages.
        case 0x130, 0x131: return scalar.value
        // These pairs have mappings longer than one scalar.
        case 0x1FD3: return 0x390
        case 0x1FE3: return 0x3B0
        case 0xFB05: return 0xFB06
        default: break
        }
        let upper = single(scalar.properties.uppercaseMapping) ?? scalar
        return (single(upper.properties.lowercaseMapping) ?? upper).value
    }

    private static func single(_ text: String) -> Unicode.Scalar? {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex else {
            return nil
        }
        return first
    }
}
