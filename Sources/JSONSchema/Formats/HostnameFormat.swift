/// Host names of RFC 1123, section 2.1, and internationalized ones of RFC 5890.
enum HostnameFormat {
    /// Whether bytes are a host name.
    ///
    /// - Parameter checksEncodings: Whether labels with hyphens in the third and fourth place must be valid A-labels.
    static func isHostname(_ bytes: UnsafeBufferPointer<UInt8>, checksEncodings: Bool = true) -> Bool {
        guard !bytes.isEmpty, bytes.count <= 253 else { return false }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
            isLabel($0, checksEncoding: checksEncodings)
        }
    }

    /// A label of letters, digits and hyphens; one that starts with `xn--` must be the encoding of a valid label.
    private static func isLabel(
        _ label: some RandomAccessCollection<UInt8>, checksEncoding: Bool = true
    ) -> Bool {
        let bytes = Array(label)
        let hyphen = UInt8(ascii: "-")
        guard (1...63).contains(bytes.count), bytes[0] != hyphen, bytes[bytes.count - 1] != hyphen,
            bytes.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == hyphen })
        else { return false }
        // Hyphens in the third and fourth place are reserved for encodings (RFC 5890, section 2.3.1).
        guard checksEncoding, bytes.count >= 4, bytes[2] == hyphen, bytes[3] == hyphen else { return true }
        guard bytes[0] | 0x20 == UInt8(ascii: "x"), bytes[1] | 0x20 == UInt8(ascii: "n"),
            let decoded = Punycode.decode(bytes[4...].map { ASCII.isLetter($0) ? $0 | 0x20 : $0 })
        else { return false }
        // An encoding of what needs none is no encoding.
        return decoded.contains { $0.value >= 0x80 } && InternationalLabel.isValid(decoded)
            && Punycode.encode(decoded).map { $0.count == bytes.count - 4 } ?? false
    }

    static func isInternationalHostname(_ text: String) -> Bool {
        var labels: [[Unicode.Scalar]] = [[]]
        for scalar in text.unicodeScalars {
            // The full stops of RFC 3490, section 3.1.
            switch scalar.value {
            case 0x2E, 0x3002, 0xFF0E, 0xFF61: labels.append([])
            default: labels[labels.count - 1].append(scalar)
            }
        }
        var length = labels.count - 1
        for label in labels {
            guard let encoded = encodedLength(of: label) else { return false }
            length += encoded
        }
        return length <= 253
    }

    /// How long a label is as ASCII; nil when it is not valid.
    private static func encodedLength(of label: [Unicode.Scalar]) -> Int? {
        // Longer labels cannot fit, and encoding takes time that grows faster than the label.
        guard label.count <= 63 else { return nil }
        if label.allSatisfy({ $0.isASCII }) {
            return isLabel(label.map { UInt8(truncatingIfNeeded: $0.value) }) ? label.count : nil
        }
        guard InternationalLabel.isValid(label), let encoded = Punycode.encode(label) else { return nil }
        let length = encoded.count + 4
        return length <= 63 ? length : nil
    }
}
