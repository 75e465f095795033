import JSON

extension UnsafePointer<JSONObject.Element> {
    /// Where the value of the member is.
    ///
    /// A tuple is laid out like a structure, each element at the next place that its alignment allows.
    @inline(__always)
    var value: UnsafePointer<JSONValue> {
        let alignment = MemoryLayout<JSONValue>.alignment
        let offset = (MemoryLayout<String>.size + alignment - 1) & ~(alignment - 1)
        return (UnsafeRawPointer(self) + offset).assumingMemoryBound(to: JSONValue.self)
    }
}

extension JSONValue {
    /// How many members or elements a value has.
    var memberCount: Int {
        switch self {
        case .array(let elements): elements.count
        case .object(let object): object.count
        default: 0
        }
    }
}

extension JSONValue {
    /// The value one step further down, or nil.
    subscript(_ step: NormalizedPath.Step) -> JSONValue? {
        switch step {
        case .name(let name): self[name]
        case .index(let index): self[index]
        }
    }
}
