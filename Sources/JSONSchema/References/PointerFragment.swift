import Basics
import JSON

extension URIReference {
    /// Returns a pointer as a URI fragment without `#` (RFC 6901, section 6).
    static func fragment(of pointer: JSONPointer) -> String {
        PercentEncoding.encode(pointer.description, keeping: isFragmentCharacter)
    }

    /// Returns whether a fragment may contain a byte unencoded (RFC 3986, section 3.5).
    private static func isFragmentCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "?"): true
        default: ASCII.isUnreserved(byte) || ASCII.isSubDelimiter(byte)
        }
    }
}
