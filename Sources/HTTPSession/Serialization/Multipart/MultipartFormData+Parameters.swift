extension MultipartFormData {
    /// Adds a field for each value of parameters, named and ordered as AFNetworking does it.
    ///
    /// Bytes are sent as they are, null as an empty field, and other values as in ``QueryEncoder/afNetworking``.
    public mutating func append(_ parameters: Parameters) {
        append(.dictionary(parameters), name: nil)
    }

    private mutating func append(_ value: ParameterValue, name: String?) {
        switch value {
        case .dictionary(let members):
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                append(value, name: name.map { $0 + "[" + key + "]" } ?? key)
            }
        case .array(let values):
            for value in values { append(value, name: (name ?? "") + "[]") }
        case .set(let values):
            for value in ParameterValue.sorted(values) { append(value, name: name) }
        case .data(let bytes):
            append(bytes, name: name ?? "")
        default:
            append(FormWriter.sortingText(of: value, null: ""), name: name ?? "")
        }
    }
}
