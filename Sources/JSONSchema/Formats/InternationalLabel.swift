import Basics

/// Non-ASCII labels of host names (RFC 5891, section 4.2, with the code points of RFC 5892).
///
/// The rules of RFC 5893 for labels with mixed writing directions are not checked.
enum InternationalLabel {
    /// Returns whether a decoded label may be registered.
    static func isValid(_ label: [Unicode.Scalar]) -> Bool {
        guard let first = label.first, first != "-", label.last != "-" else { return false }
        if label.count >= 4, label[2] == "-", label[3] == "-" { return false }
        switch first.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return false
        default: break
        }
        for (index, scalar) in label.enumerated() {
            if let holds = contextRule(scalar, index, label) {
                if !holds { return false }
            } else if !isPermitted(scalar) {
                return false
            }
        }
        return true
    }

    /// Returns whether the context of a code point is valid (RFC 5892, appendix A), or `nil` if the context does not
    /// matter.
    private static func contextRule(_ scalar: Unicode.Scalar, _ index: Int, _ label: [Unicode.Scalar]) -> Bool? {
        switch scalar.value {
        case 0x200C:
            return isAfterVirama(index, label) || joins(index, label)
        case 0x200D:
            return isAfterVirama(index, label)
        case 0xB7:
            return index > 0 && index + 1 < label.count && label[index - 1] == "l" && label[index + 1] == "l"
        case 0x375:
            return index + 1 < label.count && isGreek(label[index + 1])
        case 0x5F3, 0x5F4:
            return index > 0 && isHebrew(label[index - 1])
        case 0x30FB:
            return label.contains { isKanaOrHan($0) }
        case 0x660...0x669:
            return !label.contains { (0x6F0...0x6F9).contains($0.value) }
        case 0x6F0...0x6F9:
            return !label.contains { (0x660...0x669).contains($0.value) }
        default:
            return nil
        }
    }

    private static func isAfterVirama(_ index: Int, _ label: [Unicode.Scalar]) -> Bool {
        index > 0 && label[index - 1].properties.canonicalCombiningClass == .virama
    }

    /// Returns whether a non-joiner is between letters of a cursive script: Arabic and related scripts.
    private static func joins(_ index: Int, _ label: [Unicode.Scalar]) -> Bool {
        let before = label[..<index].last { !isTransparent($0) }
        let after = label[(index + 1)...].first { !isTransparent($0) }
        guard let before, let after else { return false }
        return isCursive(before) && isCursive(after)
    }

    private static func isTransparent(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .nonspacingMark
    }

    private static func isCursive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x620...0x64A, 0x66E...0x6D3, 0x6FA...0x6FF, 0x710...0x74F, 0x750...0x77F, 0x7CA...0x7EA, 0x840...0x858,
            0x8A0...0x8C7, 0x1820...0x1878:
            true
        default: false
        }
    }

    private static func isGreek(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x370...0x373, 0x375...0x377, 0x37A...0x37D, 0x37F, 0x384, 0x386, 0x388...0x3E1, 0x3F0...0x3FF,
            0x1F00...0x1FFE:
            true
        default: false
        }
    }

    private static func isHebrew(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x591...0x5C7, 0x5D0...0x5EA, 0x5EF...0x5F4, 0xFB1D...0xFB4F: true
        default: false
        }
    }

    private static func isKanaOrHan(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF, 0x3005, 0x3007,
            0x3021...0x3029, 0x3038...0x303B, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAD9, 0x20000...0x323AF:
            true
        default: false
        }
    }

    /// Returns whether a code point is PVALID (RFC 5892, section 3). The exceptions of section 2.6 come first.
    private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2D, 0x30...0x39, 0x61...0x7A: return true
        case 0..<0x80: return false
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: return true
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        // Old Hangul Jamo (section 2.9).
        case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB: return false
        // Blocks of symbols and musical notation (section 2.4).
        case 0x20D0...0x20FF, 0x1D100...0x1D24F: return false
        default: break
        }
        let properties = scalar.properties
        // Code points that are unstable under normalization and case folding (2.2) or ignorable (2.3).
        if properties.changesWhenNFKCCaseFolded || properties.isDefaultIgnorableCodePoint
            || properties.isNoncharacterCodePoint || properties.isWhitespace
        {
            return false
        }
        switch properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark,
            .spacingMark:
            return true
        default: return false
        }
    }
}

/// The Punycode encoding of non-ASCII labels (RFC 3492), without the prefix `xn--`.
enum Punycode {
    private static let base = 36
    private static let minimumThreshold = 1
    private static let maximumThreshold = 26

    /// Returns the characters of an encoded label in lowercase, or `nil` if the encoding is invalid.
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
                // No code point is that large. The limit prevents overflow.
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

    /// Returns the encoding of a label, or `nil` if it is too long for a label.
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

    /// Adapts the bias (RFC 3492, section 6.1).
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
