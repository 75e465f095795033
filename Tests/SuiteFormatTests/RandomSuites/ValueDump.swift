import Diagnostics

/// The entire contents of a value as text, without source locations: equal texts represent equal values.
struct ValueDump {
    private static let maximumDepth = 80
    private var text = ""
    private var seen: Set<ObjectIdentifier> = []

    static func text(of value: Any) -> String {
        var dump = ValueDump()
        dump.write(value, depth: 0)
        return dump.text
    }

    private mutating func write(_ value: Any, depth: Int) {
        guard depth < Self.maximumDepth else { return }
        switch value {
        case is SourceRange, is SourceFile, is SourcePosition, is ClosedRange<Int32>: return
        case let string as String:
            text += "\"\(string)\""
            return
        default: break
        }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class {
            let object = value as AnyObject
            // The contents of a repeated object have been written already.
            guard seen.insert(ObjectIdentifier(object)).inserted else { return }
        }
        if mirror.displayStyle == .optional {
            if let child = mirror.children.first { write(child.value, depth: depth + 1) } else { text += "nil" }
            return
        }
        if mirror.displayStyle == .dictionary || mirror.displayStyle == .set {
            text += "{" + mirror.children.map { Self.text(of: $0.value) }.sorted().joined(separator: ", ") + "}"
            return
        }
        guard !mirror.children.isEmpty else {
            text += "\(value)"
            return
        }
        // Compiled values are equal if their sources are.
        if let source = mirror.children.first(where: { $0.label == "source" })?.value as? String,
            mirror.children.contains(where: { $0.label == "program" })
        {
            text += "\(type(of: value)) \"\(source)\""
            return
        }
        text += "\(type(of: value))("
        if mirror.displayStyle == .enum, let child = mirror.children.first { text += (child.label ?? "") + " " }
        for child in mirror.children {
            text += (child.label ?? "") + ": "
            write(child.value, depth: depth + 1)
            text += ", "
        }
        text += ")\n"
    }
}
