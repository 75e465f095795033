extension StringProtocol {
    /// The text without spaces and tabs at its ends (RFC 9110, section 5.6.3).
    func trimmingSpaces() -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var bytes = Substring(self).utf8[...]
        while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return String(Substring(bytes))
    }
}

extension Substring {
    /// The position behind the first `marker`, with which a scheme ends; nil when there is none.
    func endOfScheme(_ marker: String) -> Index? {
        let wanted = Array(marker.utf8)
        var index = utf8.startIndex
        while index < utf8.endIndex {
            if utf8[index...].starts(with: wanted) { return utf8.index(index, offsetBy: wanted.count) }
            index = utf8.index(after: index)
        }
        return nil
    }
}
