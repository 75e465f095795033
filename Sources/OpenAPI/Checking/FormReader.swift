import JSON

/// Reads `application/x-www-form-urlencoded` (Encoding Object).
enum FormReader {
    /// The object that the members of a form make, as a schema and the encodings have it.
    static func value(of pairs: [RequestFields.Pair], _ shape: ValueShape, encodings: [Encoding]) -> JSONValue {
        var object = JSONObject()
        var taken: Set<String> = []
        for (name, member) in shape.properties.sorted(by: { $0.key < $1.key }) {
            let encoding = encodings.first { $0.property == name }
            let style = StyledValue(
                name: name, style: encoding?.style ?? .form, isExploded: encoding?.isExploded ?? true, shape: member)
            // A member that is an object is JSON unless a style is named (section "Encoding Object").
            if encoding?.node["style"] == nil, member.types.contains(.object),
                let pair = pairs.first(where: { $0.name == name })
            {
                taken.insert(name)
                let text = PercentDecoding.text(pair.value, plusIsSpace: true)
                object[name] = (try? JSONParser().parse(Array(text.utf8))) ?? .string(text)
                continue
            }
            switch style.read(pairs, plusIsSpace: true, taken: &taken) {
            case .absent: break
            case .empty: object[name] = member.value(of: "")
            case .values(let values): object[name] = values.first
            case .malformed: object[name] = .string("")
            }
        }
        for pair in pairs where !taken.contains(pair.name) && object[pair.name] == nil {
            object[pair.name] = shape.member(pair.name).value(
                of: PercentDecoding.text(pair.value, plusIsSpace: true))
        }
        return .object(object)
    }
}
