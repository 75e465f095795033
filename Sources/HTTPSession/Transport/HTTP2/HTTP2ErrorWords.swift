import NIOHTTP2

/// What SwiftNIO's errors of HTTP/2 are called in messages.
enum HTTP2ErrorWords {
    /// The words of an error's type, such as "excessive continuation frames": their own descriptions have the places in
    /// SwiftNIO's sources where they were found.
    static func words(_ error: any Error) -> String {
        if let flood = error as? HTTP2FrameGuard.Flood {
            return "too many \(flood.frame) frames that nothing asked for"
        }
        let type = type(of: error)
        let isKnown = String(reflecting: type).hasPrefix("NIOHTTP2.")
        guard isKnown else { return "\(error)" }
        var words = ""
        let name = Array(String(describing: type))
        for (index, character) in name.enumerated() {
            let isCapital = character.isUppercase
            // A capital beside another, and not before a small letter, belongs to an abbreviation, as in "RST".
            let isAfterCapital = index > 0 && name[index - 1].isUppercase
            let isBeforeSmall = index + 1 < name.count && !name[index + 1].isUppercase
            if isCapital, index > 0, !isAfterCapital || isBeforeSmall { words += " " }
            let isAbbreviation = isCapital && !isBeforeSmall && (isAfterCapital || index + 1 < name.count)
            words += isAbbreviation ? String(character) : character.lowercased()
        }
        return words
    }
}
