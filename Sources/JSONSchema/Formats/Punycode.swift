/// The encoding of labels beyond ASCII (RFC 3492), without the prefix `xn--`.
enum Punycode {
    private static let base = 36
    private static let minimumThreshold = 1
    private static let maximumThreshold = 26

    /// The characters of an encoded label, in lower case; nil when it is no encoding.
    static func decode(_ bytes: [UInt8]) -> [Unicode.Scalar]? {
        var output: [Unicode.Scalar] = []
        var position = 0
        if let delimiter = bytes.lastIndex(of: UInt8(ascii: "-")) {
            output = bytes[..<delimiter].map { Unicode.Scalar($0) }
            position = delimiter + 1
        }
        var code = 128
        var index = 0
        var bias = 72
        while position < bytes.count {
            let old = index
            var weight = 1
            var k = base
            while true {
                guard position < bytes.count, let digit = value(of: bytes[position]) else { return nil }
                position += 1
                index += digit * weight
                // No character is that far; the bound keeps the numbers small.
                guard index < 1 << 31, weight < 1 << 31 else { return nil }
                let threshold = threshold(k, bias)
                if digit < threshold { break }
                weight *= base - threshold
                k += base
            }
            let count = output.count + 1
            bias = adapt(index - old, count, isFirst: old == 0)
            code += index / count
            index %= count
            guard let number = UInt32(exactly: code), let scalar = Unicode.Scalar(number) else { return nil }
            output.insert(scalar, at: index)
            index += 1
        }
        return output
    }

    /// The encoding of a label; nil when that is too long to be one.
    static func encode(_ label: [Unicode.Scalar]) -> [UInt8]? {
        var output = label.filter(\.isASCII).map { UInt8(truncatingIfNeeded: $0.value) }
        let basicCount = output.count
        var handled = basicCount
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var code = 128
        var delta = 0
        var bias = 72
        while handled < label.count {
            guard let next = label.lazy.map({ Int($0.value) }).filter({ $0 >= code }).min() else { return nil }
            delta += (next - code) * (handled + 1)
            code = next
            for scalar in label {
                if Int(scalar.value) < code { delta += 1 }
                guard Int(scalar.value) == code else { continue }
                var rest = delta
                var k = base
                while true {
                    let threshold = threshold(k, bias)
                    if rest < threshold { break }
                    output.append(digit(threshold + (rest - threshold) % (base - threshold)))
                    rest = (rest - threshold) / (base - threshold)
                    k += base
                }
                output.append(digit(rest))
                bias = adapt(delta, handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
            if output.count > 63 { return nil }
        }
        return output
    }

    private static func threshold(_ k: Int, _ bias: Int) -> Int {
        max(minimumThreshold, min(maximumThreshold, k - bias))
    }

    /// Section 6.1.
    private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var k = 0
        while delta > (base - minimumThreshold) * maximumThreshold / 2 {
            delta /= base - minimumThreshold
            k += base
        }
        return k + (base - minimumThreshold + 1) * delta / (delta + 38)
    }

    private static func value(of byte: UInt8) -> Int? {
        if ASCII.isDigit(byte) { return Int(byte - UInt8(ascii: "0")) + 26 }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter <= 25 ? Int(letter) : nil
    }

    private static func digit(_ value: Int) -> UInt8 {
        value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
    }
}
