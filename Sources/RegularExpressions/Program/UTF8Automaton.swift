/// A minimal deterministic automaton that accepts the UTF-8 encoding of exactly the scalars of a set.
struct UTF8Automaton: Sendable {
    /// The target that represents the end of a scalar.
    static let accept: Int32 = -1

    /// The transitions of each node; targets precede the nodes that lead to them.
    private(set) var nodes: [[ByteTransition]] = []

    /// The start node.
    private(set) var root: Int32 = 0

    private struct OpenNode {
        var transitions: [ByteTransition] = []
        var pending: ClosedRange<UInt8>?
    }

    private var known: [[ByteTransition]: Int32] = [:]
    private var open = [OpenNode()]

    init(_ set: ScalarSet) {
        for range in set.ranges { add(range.lowerBound, range.upperBound) }
        close(to: 0)
        root = intern(open[0].transitions)
        known = [:]
        open = []
    }

    /// Splits a range until each part is a single sequence of byte ranges, and adds these in order.
    private mutating func add(_ low: UInt32, _ high: UInt32) {
        if low > high { return }
        if low <= 0xDFFF, high >= 0xD800 {
            if low < 0xD800 { add(low, 0xD7FF) }
            if high > 0xDFFF { add(0xE000, high) }
            return
        }
        for limit: UInt32 in [0x7F, 0x7FF, 0xFFFF] where low <= limit && limit < high {
            add(low, limit)
            add(limit + 1, high)
            return
        }
        if high > 0x7F {
            for shift: UInt32 in [6, 12, 18] {
                let mask = (UInt32(1) << shift) - 1
                if low & ~mask == high & ~mask { continue }
                if low & mask != 0 {
                    add(low, low | mask)
                    add((low | mask) + 1, high)
                    return
                }
                if high & mask != mask {
                    add(low, (high & ~mask) - 1)
                    add(high & ~mask, high)
                    return
                }
            }
        }
        add(zip(Self.encoded(low), Self.encoded(high)).map { min($0, $1)...max($0, $1) })
    }

    /// Returns the UTF-8 encoding of a code point.
    static func encoded(_ scalar: UInt32) -> [UInt8] {
        func continuation(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: scalar >> shift & 0x3F | 0x80) }
        return switch scalar {
        case ..<0x80: [UInt8(truncatingIfNeeded: scalar)]
        case ..<0x800: [UInt8(truncatingIfNeeded: scalar >> 6 | 0xC0), continuation(0)]
        case ..<0x10000: [UInt8(truncatingIfNeeded: scalar >> 12 | 0xE0), continuation(6), continuation(0)]
        default:
            [UInt8(truncatingIfNeeded: scalar >> 18 | 0xF0), continuation(12), continuation(6), continuation(0)]
        }
    }

    private mutating func add(_ sequence: [ClosedRange<UInt8>]) {
        var prefix = 0
        while prefix < sequence.count - 1, prefix < open.count, open[prefix].pending == sequence[prefix] { prefix += 1 }
        close(to: prefix)
        open[prefix].pending = sequence[prefix]
        for range in sequence[(prefix + 1)...] { open.append(OpenNode(pending: range)) }
    }

    /// Completes the nodes below a depth and shares equal ones.
    private mutating func close(to depth: Int) {
        var target = Self.accept
        while open.count > depth + 1 {
            var node = open.removeLast()
            if let pending = node.pending {
                node.transitions.append(
                    ByteTransition(low: pending.lowerBound, high: pending.upperBound, target: target))
            }
            target = intern(node.transitions)
        }
        if let pending = open[depth].pending {
            open[depth].transitions.append(
                ByteTransition(low: pending.lowerBound, high: pending.upperBound, target: target))
            open[depth].pending = nil
        }
    }

    private mutating func intern(_ transitions: [ByteTransition]) -> Int32 {
        var merged: [ByteTransition] = []
        for transition in transitions {
            if let last = merged.last, last.target == transition.target, last.high &+ 1 == transition.low {
                merged[merged.count - 1].high = transition.high
            } else {
                merged.append(transition)
            }
        }
        if let node = known[merged] { return node }
        let node = Int32(nodes.count)
        nodes.append(merged)
        known[merged] = node
        return node
    }
}
