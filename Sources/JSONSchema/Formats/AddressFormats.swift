/// Addresses of the Internet Protocol.
enum AddressFormats {
    /// Four decimal octets without leading zeros (RFC 2673, section 3.2, with RFC 3986's strictness).
    static func isIPv4(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard (7...15).contains(bytes.count) else { return false }
        var octets = 0
        var digits = 0
        var value = 0
        for byte in bytes {
            if ASCII.isDigit(byte) {
                if digits == 1, value == 0 { return false }
                digits += 1
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
                if digits > 3 || value > 255 { return false }
            } else if byte == UInt8(ascii: "."), digits > 0, octets < 3 {
                octets += 1
                digits = 0
                value = 0
            } else {
                return false
            }
        }
        return octets == 3 && digits > 0
    }

    /// A text of RFC 4291, section 2.2, without a zone.
    static func isIPv6(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard (2...45).contains(bytes.count) else { return false }
        let bytes = Array(bytes)
        let colon = UInt8(ascii: ":")
        var groups = 0
        var hasGap = false
        var index = 0
        if bytes[0] == colon {
            guard bytes[1] == colon else { return false }
            hasGap = true
            index = 2
        }
        while index < bytes.count {
            let start = index
            while index < bytes.count, ASCII.isHexadecimal(bytes[index]) { index += 1 }
            if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
                guard isIPv4(bytes[start...]) else { return false }
                groups += 2
                index = bytes.count
                break
            }
            guard (1...4).contains(index - start) else { return false }
            groups += 1
            if index == bytes.count { break }
            guard bytes[index] == colon else { return false }
            index += 1
            // A colon at the end is one of two.
            guard index < bytes.count else { return false }
            if bytes[index] == colon {
                if hasGap { return false }
                hasGap = true
                index += 1
            }
        }
        return hasGap ? groups <= 7 : groups == 8
    }
}
