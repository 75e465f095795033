/// The part of a path that a parameter fills: `/things/{}`.
///
/// Parameters after the same path name the same resource, whatever each of them is called.
struct PathSlot: Hashable {
    /// The path up to the end of the parameter, with every name left out.
    let prefix: String
}

extension PathTemplate {
    /// The names of the parameters with the parts of the path that they fill, in order.
    var slots: [(name: String, slot: PathSlot)] {
        var slots: [(name: String, slot: PathSlot)] = []
        var prefix = ""
        for segment in segments {
            prefix += "/"
            for piece in segment {
                switch piece {
                case .literal(let text): prefix += text
                case .parameter(let name):
                    prefix += "{}"
                    slots.append((name, PathSlot(prefix: prefix)))
                }
            }
        }
        return slots
    }

    /// The part of the path that the parameter at its end fills; nil for a path that ends otherwise.
    var lastSlot: PathSlot? {
        guard case .parameter? = segments.last?.last else { return nil }
        return slots.last?.slot
    }
}
