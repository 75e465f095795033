/// Issuer and subject of an X.509 certificate, as their DER bytes (RFC 5280 section 4.1).
struct CertificateNames {
    let issuer: ArraySlice<UInt8>
    let subject: ArraySlice<UInt8>

    /// Reads them from a certificate in DER; nil if it is not one.
    init?(_ der: [UInt8]) {
        // Certificate > TBSCertificate > [0] version, serial number, algorithm, issuer, validity, subject
        guard let certificate = Self.element(der[...]), let body = Self.element(certificate.content) else { return nil }
        var rest = body.content
        var fields: [ArraySlice<UInt8>] = []
        while fields.count < 5, let field = Self.element(rest) {
            if field.tag != 0xA0 { fields.append(rest[rest.startIndex..<field.end]) }
            rest = rest[field.end...]
        }
        guard fields.count == 5 else { return nil }
        issuer = fields[2]
        subject = fields[4]
    }

    private static func element(
        _ bytes: ArraySlice<UInt8>
    ) -> (tag: UInt8, content: ArraySlice<UInt8>, end: Int)? {
        guard bytes.count >= 2 else { return nil }
        let tag = bytes[bytes.startIndex]
        var position = bytes.startIndex + 2
        var length = Int(bytes[bytes.startIndex + 1])
        if length >= 0x80 {
            let count = length & 0x7F
            guard count > 0, count <= 4, position + count <= bytes.endIndex else { return nil }
            length = bytes[position..<(position + count)].reduce(0) { $0 << 8 | Int($1) }
            position += count
        }
        guard length <= bytes.endIndex - position else { return nil }
        return (tag, bytes[position..<(position + length)], position + length)
    }
}
