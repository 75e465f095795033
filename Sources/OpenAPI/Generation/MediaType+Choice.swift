extension [MediaType] {
    /// The content that a request is made of most easily.
    var easiest: MediaType? {
        func rank(_ range: MediaRange) -> Int {
            if range.isJSON || range.type == "*" || range.essence == "application/*" { return 0 }
            switch range.essence {
            case "application/x-www-form-urlencoded": return 1
            case "multipart/form-data": return 2
            default: break
            }
            if range.subtype == "xml" || range.subtype.hasSuffix("+xml") { return 5 }
            return range.type == "text" ? 3 : 4
        }
        return self.min { rank($0.range) < rank($1.range) }
    }
}

extension MediaRange {
    /// A media type of the range.
    var instance: String {
        if isConcrete { return text }
        if subtype.hasPrefix("*+") { return "\(type == "*" ? "application" : type)/vnd.example\(subtype.dropFirst())" }
        switch type {
        case "text": return "text/plain"
        case "image": return "image/png"
        case "audio": return "audio/mpeg"
        case "video": return "video/mp4"
        default: return "application/json"
        }
    }
}
