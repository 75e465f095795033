import Diagnostics

extension JUnitCase {
    /// A name as a reader of the report gets it.
    static func shown(_ name: String) -> String {
        var name = DisplayWidth.printable(name)
        let isPlain = name.withUTF8 { bytes in
            bytes.count <= longestAttribute && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 && $0 != 0xEF }
        }
        if isPlain { return name }
        var element = Array("<case".utf8)
        XMLText.appendAttribute("name", name, to: &element, limit: longestAttribute)
        element.append(contentsOf: "/>".utf8)
        var scanner = XMLScanner(element)
        guard case .start(_, let attributes)? = try? scanner.next() else { return name }
        return attributes["name"] ?? name
    }
}
