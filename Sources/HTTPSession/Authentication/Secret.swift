/// A text that no description, dump or reflection of a value shows.
struct Secret: Sendable, Hashable {
    let value: String

    init(_ value: String) {
        self.value = value
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "(hidden)" }
    var debugDescription: String { "(hidden)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
