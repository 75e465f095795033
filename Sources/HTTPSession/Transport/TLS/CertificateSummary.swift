import Basics
import Digests

/// The main fields of an X.509 certificate (RFC 5280, section 4), parsed from DER.
public struct CertificateSummary: Sendable, Hashable {
    /// The subject's name, such as `CN=example.org,O=Example,C=NO` (RFC 4514); empty if only alternative names exist.
    public let subject: String
    /// The subject's common name, if any.
    public let commonName: String?
    /// The name of the issuing authority.
    public let issuer: String
    /// The host names of the certificate in lowercase (subjectAltName).
    public let dnsNames: [String]
    /// The IP addresses of the certificate (subjectAltName).
    public let ipAddresses: [String]
    /// The start of the validity period, in seconds since 1970-01-01T00:00:00Z.
    public let notBefore: Int64
    /// The end of the validity period, in seconds since 1970-01-01T00:00:00Z.
    public let notAfter: Int64
    /// The serial number in lowercase hexadecimal, two digits per byte.
    public let serialNumber: String
    /// The SHA-256 hash of the certificate in lowercase hexadecimal.
    public let fingerprint: String
    /// The pin of the certificate's public key.
    public let publicKeyPin: PublicKeyPin
    /// Whether the issuer equals the subject, as for root certificates.
    public let isSelfIssued: Bool
    /// Whether the subjectAltName extension exists; without it, the common name may be a host name.
    let hasAlternativeNames: Bool

    /// The host names and IP addresses of the certificate.
    public var names: [String] { dnsNames + ipAddresses }

    /// Returns whether the certificate is within its validity period.
    /// - Parameter time: The time in seconds since 1970-01-01T00:00:00Z.
    public func isValid(at time: Int64) -> Bool { time >= notBefore && time <= notAfter }

    /// Creates a summary of a certificate in DER; nil if it cannot be parsed.
    public init?(der: [UInt8]) {
        var outer = DERReader(der[...])
        guard var certificate = outer.next(DERReader.Tag.sequence)?.reader,
            var fields = certificate.next(DERReader.Tag.sequence)?.reader
        else { return nil }
        _ = fields.next(0xA0)
        guard let serial = fields.next(DERReader.Tag.integer), fields.next(DERReader.Tag.sequence) != nil,
            let issuer = fields.next(DERReader.Tag.sequence),
            var validity = fields.next(DERReader.Tag.sequence)?.reader,
            let begin = validity.next(), let end = validity.next(),
            let subject = fields.next(DERReader.Tag.sequence), let key = fields.next(DERReader.Tag.sequence),
            let notBefore = CertificateTime.seconds(begin), let notAfter = CertificateTime.seconds(end)
        else { return nil }
        self.notBefore = notBefore
        self.notAfter = notAfter
        let subjectName = DistinguishedName(subject)
        self.subject = subjectName.description
        commonName = subjectName.commonName
        self.issuer = DistinguishedName(issuer).description
        isSelfIssued = issuer.encoded == subject.encoded
        let number = serial.content.drop { $0 == 0 }
        serialNumber = Hexadecimal.encode(number.isEmpty ? [0] : number)
        fingerprint = Hexadecimal.encode(SHA256.hash(der))
        publicKeyPin = PublicKeyPin(subjectPublicKeyInfo: key.encoded)
        var dnsNames: [String] = []
        var ipAddresses: [String] = []
        var hasAlternativeNames = false
        while let field = fields.next() {
            guard field.tag == 0xA3 else { continue }
            var wrapper = field.reader
            guard var extensions = wrapper.next(DERReader.Tag.sequence)?.reader else { break }
            while var parts = extensions.next(DERReader.Tag.sequence)?.reader {
                // id-ce-subjectAltName is 2.5.29.17
                guard let identifier = parts.next(DERReader.Tag.objectIdentifier),
                    identifier.content.elementsEqual([0x55, 0x1D, 0x11])
                else { continue }
                _ = parts.next(DERReader.Tag.boolean)
                guard var value = parts.next(DERReader.Tag.octetString)?.reader,
                    var names = value.next(DERReader.Tag.sequence)?.reader
                else { continue }
                hasAlternativeNames = true
                while let name = names.next() {
                    if name.tag == 0x82 {
                        dnsNames.append(String(decoding: name.content, as: UTF8.self).lowercased())
                    } else if name.tag == 0x87, let address = IPAddress.text(name.content) {
                        ipAddresses.append(address)
                    }
                }
            }
        }
        self.dnsNames = dnsNames
        self.ipAddresses = ipAddresses
        self.hasAlternativeNames = hasAlternativeNames
    }
}

extension TLSDetails {
    /// The summary of the server's own certificate; nil if it cannot be parsed.
    public var certificate: CertificateSummary? { certificates.first.flatMap { CertificateSummary(der: $0) } }

    /// The summaries of the certificate chain, starting with the server's own.
    public var chain: [CertificateSummary] { certificates.compactMap { CertificateSummary(der: $0) } }
}

/// The parser of certificate times, UTCTime and GeneralizedTime, which are in UTC with seconds (RFC 5280, section
/// 4.1.2.5).
enum CertificateTime {
    /// Returns the time in seconds since 1970-01-01T00:00:00Z; nil if the element is not a time.
    static func seconds(_ element: DERReader.Element) -> Int64? {
        var digits = element.content
        guard digits.popLast() == UInt8(ascii: "Z"), digits.allSatisfy(ASCII.isDigit) else { return nil }
        var year: Int
        switch (element.tag, digits.count) {
        case (0x17, 12):
            year = number(&digits, 2)
            year += year < 50 ? 2000 : 1900
        case (0x18, 14): year = number(&digits, 4)
        default: return nil
        }
        let month = number(&digits, 2)
        let day = number(&digits, 2)
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        let time = number(&digits, 2) * 3600 + number(&digits, 2) * 60 + number(&digits, 2)
        return Int64(CalendarDate.daysSince1970(year: year, month: month, day: day) * 86400 + time)
    }

    private static func number(_ digits: inout ArraySlice<UInt8>, _ count: Int) -> Int {
        defer { digits = digits.dropFirst(count) }
        return digits.prefix(count).reduce(0) { $0 * 10 + Int($1) - 48 }
    }
}
