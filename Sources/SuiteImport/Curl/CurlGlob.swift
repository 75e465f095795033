/// The changes that curl makes to URLs before it sends them.
enum CurlGlob {
    /// Returns the URLs that a pattern of `{a,b}` and `[1-3]` stands for.
    ///
    /// - Returns: nil if the pattern is invalid, or stands for more than the maximum.
    static func expanded(_ url: ImportedText, maximum: Int) -> [ImportedText]? {
        var urls = [ImportedText()]
        for part in url.parts {
            switch part {
            case .expression(let source):
                for index in urls.indices { urls[index].append(expression: source) }
            case .literal(let text):
                guard let pieces = pieces(text) else { return nil }
                for choices in pieces {
                    guard urls.count * choices.count <= max(1, maximum) else { return nil }
                    urls = urls.flatMap { url in choices.map { url + ImportedText($0) } }
                }
            }
        }
        return urls
    }

    /// Returns the pieces of a text, each with its alternatives.
    private static func pieces(_ text: String) -> [[String]]? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) else { return [[text]] }
        var pieces: [[String]] = []
        var plain: [UInt8] = []
        var rest = text.utf8[...]
        func flush() {
            if !plain.isEmpty { pieces.append([String(decoding: plain, as: UTF8.self)]) }
            plain = []
        }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                if let next = rest.first, "{}[]".utf8.contains(next) {
                    plain.append(next)
                    rest = rest.dropFirst()
                } else {
                    plain.append(byte)
                }
            case UInt8(ascii: "{"):
                guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
                flush()
                let inner = rest[..<end].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                pieces.append(inner.map { String(decoding: $0, as: UTF8.self) })
                rest = rest[end...].dropFirst()
            case UInt8(ascii: "["):
                guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
                let inner = String(decoding: rest[..<end], as: UTF8.self)
                // An IPv6 address, or the name of a form field, is not a range.
                if inner.isEmpty || inner.contains(":") && inner.contains(where: { !$0.isNumber && $0 != "-" }) {
                    plain.append(byte)
                    continue
                }
                guard let values = range(inner) else { return nil }
                flush()
                pieces.append(values)
                rest = rest[end...].dropFirst()
            default: plain.append(byte)
            }
        }
        flush()
        return pieces
    }

    /// Returns the values of a range such as `1-10`, `001-100:10` or `a-z`.
    private static func range(_ text: String) -> [String]? {
        let halves = text.split(separator: ":", maxSplits: 1).map(String.init)
        let step = halves.count > 1 ? Int(halves[1]) ?? 0 : 1
        let ends = (halves.first ?? "").split(separator: "-", maxSplits: 1).map(String.init)
        guard step > 0, ends.count == 2 else { return nil }
        if let first = Int(ends[0]), let last = Int(ends[1]), first >= 0, first <= last, (last - first) / step < 1_000 {
            let width = ends[0].hasPrefix("0") ? ends[0].count : 0
            return stride(from: first, through: last, by: step).map { number in
                let digits = String(number)
                return String(repeating: "0", count: max(0, width - digits.count)) + digits
            }
        }
        guard ends[0].utf8.count == 1, ends[1].utf8.count == 1, let first = ends[0].utf8.first,
            let last = ends[1].utf8.first, first <= last
        else { return nil }
        return stride(from: Int(first), through: Int(last), by: step).map { byte in
            String(decoding: [UInt8(byte)], as: UTF8.self)
        }
    }
}
