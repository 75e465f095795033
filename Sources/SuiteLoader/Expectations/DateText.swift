/// Recognizes dates and date-times (RFC 3339, section 5.6), as precisely as is useful before a run.
enum DateText {
    /// Returns whether a string is a full-date.
    static func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 10 && hasDate(bytes)
    }

    /// Returns whether a string is a date-time with an offset.
    static func isDateTime(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, hasDate(bytes), (bytes[10] | 0x20) == UInt8(ascii: "t") || bytes[10] == 0x20,
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let hour = number(bytes[11...12]), let minute = number(bytes[14...15]), let second = number(bytes[17...18])
        else { return false }
        guard hour < 24, minute < 60, second <= 60 else { return false }
        var index = 19
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            let start = index
            while index < bytes.count, number(bytes[index...index]) != nil { index += 1 }
            if index == start { return false }
        }
        guard index < bytes.count else { return false }
        let rest = bytes[index...]
        if rest.count == 1 { return (bytes[index] | 0x20) == UInt8(ascii: "z") }
        guard rest.count == 6, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-"),
            bytes[index + 3] == UInt8(ascii: ":"), let hours = number(bytes[(index + 1)...(index + 2)]),
            let minutes = number(bytes[(index + 4)...(index + 5)])
        else { return false }
        return hours < 24 && minutes < 60
    }

    private static func hasDate(_ bytes: [UInt8]) -> Bool {
        guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), number(bytes[0...3]) != nil,
            let month = number(bytes[5...6]), let day = number(bytes[8...9])
        else { return false }
        return month >= 1 && month <= 12 && day >= 1 && day <= 31
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
