import JSON

/// Reads `application/x-www-form-urlencoded` (Encoding Object).
enum FormReader {
    /// The objects that the members of a form may make, as a schema and the encodings have it: the likeliest first.
    static func values(of pairs: [RequestFields.Pair], _ shape: ValueShape, encodings: [Encoding]) -> [JSONValue] {
        var members: [StyledValue.Member] = []
        var known: Set<String> = []
        func add(_ name: String, _ values: [JSONValue]) {
            known.insert(name)
            members.append((name, values))
        }
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
                add(name, [(try? JSONParser().parse(Array(text.utf8))) ?? .string(text)])
                continue
            }
            switch style.read(pairs, plusIsSpace: true, taken: &taken) {
            case .absent: break
            case .empty: add(name, member.readings(of: ""))
            case .values(let values): add(name, values)
            case .malformed: add(name, [.string("")])
            }
        }
        for pair in pairs where !taken.contains(pair.name) && !known.contains(pair.name) {
            add(
                pair.name,
                shape.member(pair.name).readings(of: PercentDecoding.text(pair.value, plusIsSpace: true)))
        }
        return StyledValue.objects(of: members)
    }
}
