import NIOHTTP2

/// What SwiftNIO's errors of HTTP/2 are called in messages.
enum HTTP2ErrorWords {
    /// The words of an error's type, such as "excessive continuation frames": their own descriptions have the places in
    /// SwiftNIO's sources where they were found.
    static func words(_ error: any Error) -> String {
        let type = type(of: error)
        let isKnown = String(reflecting: type).hasPrefix("NIOHTTP2.")
        guard isKnown else { return "\(error)" }
        var words = ""
        for character in String(describing: type) {
            if character.isUppercase, !words.isEmpty { words += " " }
            words += character.lowercased()
        }
        return words
    }
}
