/// A node as libyaml's parser tells of it, with all that has a meaning.
struct EventNode {
    enum Kind {
        case scalar, sequence, mapping, alias
    }

    var kind: Kind
    var anchor: [UInt8] = []
    var tag: [UInt8]?
    /// The text of a scalar, or the name of an alias.
    var text: [UInt8] = []
    var isPlain = false
    /// The elements, or keys and values in turn.
    var children: [EventNode] = []
}
