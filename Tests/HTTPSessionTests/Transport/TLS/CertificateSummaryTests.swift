import Basics
import NIOSSL
import TestSupport
import Testing

@testable import HTTPSession

@Suite("Certificates", .enabled(if: TestCertificates.isAvailable, "requires the openssl command"))
struct CertificateSummaryTests {
    private static func der(_ identity: TestCertificates.Identity) throws -> [UInt8] {
        try #require(NIOSSLCertificate.fromPEMFile(identity.certificate).first).toDERBytes()
    }

    @Test("The certificate summary agrees with the output of openssl")
    func fields() throws {
        let certificates = try #require(TLSTests.certificates)
        let identity = try #require(
            certificates.issue(
                "summary", subject: #"/C=NO/O=Books, \"Old\" + New/OU=é/CN=shop.example/emailAddress=a@b.example"#,
                alternativeNames: "DNS:Shop.example,DNS:*.shop.example,IP:192.0.2.7,IP:2001:db8::1,email:x@y.example",
                by: certificates.authority))
        let der = try Self.der(identity)
        let summary = try #require(CertificateSummary(der: der))
        func openssl(_ options: String) throws -> String {
            try #require(certificates.script(#"openssl x509 -noout -in "$1" "# + options, identity.certificate))
        }
        let subject = try openssl("-subject -nameopt RFC2253,-esc_msb,utf8")
        #expect("subject=" + summary.subject == subject)
        #expect(summary.issuer == "CN=Test Authority")
        #expect(summary.commonName == "shop.example")
        #expect(summary.dnsNames == ["shop.example", "*.shop.example"])
        #expect(summary.ipAddresses == ["192.0.2.7", "2001:db8::1"])
        #expect(summary.names.count == 4)
        let serial = try openssl("-serial").lowercased()
        #expect("serial=" + summary.serialNumber == serial)
        let fingerprint = try openssl("-fingerprint -sha256").lowercased().filter { $0 != ":" }
        #expect(fingerprint.hasSuffix("=" + summary.fingerprint))
        #expect(summary.publicKeyPin.description == certificates.pin(identity))
        let end = try #require(
            certificates.script(
                #"date -u -d "$(openssl x509 -noout -enddate -in "$1" | sed 's/notAfter=//')" +%s"#,
                identity.certificate))
        #expect(String(summary.notAfter) == end)
        #expect(summary.notAfter - summary.notBefore == 2 * 86400)
        #expect(summary.isValid(at: WallClock.secondsSince1970()))
        #expect(!summary.isValid(at: summary.notAfter + 1))
        #expect(!summary.isSelfIssued)
        let authority = try #require(CertificateSummary(der: Self.der(certificates.authority)))
        #expect(authority.isSelfIssued)
        #expect(authority.names.isEmpty)
    }

    @Test("Dates before and after 2050 are parsed in both formats")
    func times() throws {
        let certificates = try #require(TLSTests.certificates)
        let identity = try #require(certificates.issue("times", from: "19991231235959Z", to: "20560229000000Z"))
        let summary = try #require(CertificateSummary(der: Self.der(identity)))
        #expect(summary.notBefore == 946_684_799)
        #expect(summary.notAfter == 2_719_008_000)
    }

    @Test("Parsing damaged certificates does not crash")
    func damaged() throws {
        let certificates = try #require(TLSTests.certificates)
        let der = try Self.der(certificates.valid)
        #expect(CertificateSummary(der: []) == nil)
        for length in 0..<der.count { #expect(CertificateSummary(der: Array(der[..<length])) == nil) }
        for index in der.indices {
            for value: UInt8 in [0, 0x7F, 0x80, 0x84, 0xFF] {
                var bytes = der
                bytes[index] = value
                if let summary = CertificateSummary(der: bytes) { #expect(summary.fingerprint.count == 64) }
            }
        }
    }

    @Test(
        "Host names are matched against the names in a certificate",
        arguments: [
            ("DNS:example.org", "example.org", true), ("DNS:example.org", "EXAMPLE.org.", true),
            ("DNS:example.org", "www.example.org", false), ("DNS:*.example.org", "www.example.org", true),
            ("DNS:*.example.org", "a.www.example.org", false), ("DNS:*.example.org", "example.org", false),
            ("DNS:*.org", "example.org", false), ("DNS:w*.example.org", "www.example.org", false),
            ("DNS:192.0.2.1", "192.0.2.1", false), ("IP:192.0.2.1", "192.0.2.1", true),
            ("IP:2001:db8::1", "2001:db8:0:0::1", true), ("IP:192.0.2.1", "192.0.2.2", false),
            (nil, "common.example", true), (nil, "other.example", false),
            ("DNS:example.org", "common.example", false), ("email:x@y.example", "common.example", false),
        ] as [(String?, String, Bool)])
    func hostNames(names: String?, host: String, isMatch: Bool) throws {
        let certificates = try #require(TLSTests.certificates)
        let identity = try #require(
            certificates.issue(
                "names-\(UInt32.random(in: 0 ... .max))", subject: "/CN=common.example", alternativeNames: names,
                by: nil))
        let summary = try #require(CertificateSummary(der: Self.der(identity)))
        #expect(HostNameCheck.matches(host, summary) == isMatch)
    }
}
