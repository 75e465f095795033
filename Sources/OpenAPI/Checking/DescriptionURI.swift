import JSON

/// The URIs by which schemas are known to the schema compiler, made from the locations of files.
///
/// A location need not be a URI: it may be a path, or begin with something like `git:main:`. What precedes the path
/// becomes the first segment, so that relative references resolve as `DocumentLocation` has it.
enum DescriptionURI {
    private static let scheme = "description:/"

    /// The URI of a location.
    static func uri(of location: String) -> String {
        if location.hasPrefix("http://") || location.hasPrefix("https://") { return location }
        let start = location.lastIndex(of: ":").map { location.index(after: $0) } ?? location.startIndex
        let path = location[start...]
        // The mark tells whether the path was absolute.
        let prefix = (path.hasPrefix("/") ? "a" : "r") + encoded(location[..<start], keepsSlash: false)
        return scheme + prefix + (path.hasPrefix("/") ? "" : "/") + encoded(path, keepsSlash: true)
    }

    /// The location that a URI was made of; the URI itself when it was made of none.
    static func location(of uri: String) -> String {
        guard uri.hasPrefix(scheme) else { return uri }
        let rest = uri.dropFirst(scheme.count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let prefix = PercentDecoding.text(rest[..<slash].dropFirst().utf8)
        let path = PercentDecoding.text(rest[slash...].utf8)
        return prefix + (rest.hasPrefix("a") ? path : String(path.dropFirst()))
    }

    private static func encoded(_ text: Substring, keepsSlash: Bool) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "/") where keepsSlash: result += "/"
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}
