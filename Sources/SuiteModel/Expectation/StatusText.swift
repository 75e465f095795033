/// Statuses as they are written: one, a class or a range.
public enum StatusText {
    /// The statuses that a text such as `200`, `2xx` or `200-204` names; nil for any other text.
    public static func range(of text: String) -> ClosedRange<Int>? {
        var text = text
        return text.withUTF8 { bytes in
            if bytes.count == 3 {
                if let code = code(bytes[0...2]), code >= 100 { return code...code }
                if bytes[0] >= UInt8(ascii: "1"), bytes[0] <= UInt8(ascii: "9"),
                    bytes[1] | 0x20 == UInt8(ascii: "x"), bytes[2] | 0x20 == UInt8(ascii: "x")
                {
                    let first = Int(bytes[0] - UInt8(ascii: "0")) * 100
                    return first...(first + 99)
                }
            }
            if bytes.count == 7, bytes[3] == UInt8(ascii: "-"), let first = code(bytes[0...2]),
                let last = code(bytes[4...6]), first >= 100, first <= last
            {
                return first...last
            }
            return nil
        }
    }

    private static func code(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var value = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
