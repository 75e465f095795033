/// Keys of `tls`.
enum TLSKey: String, CaseIterable, Sendable {
    case ca, certificate, key, passphrase, pins, verify, serverName, minVersion, maxVersion

    /// The versions of TLS that can be asked for.
    static let versions = ["1.0", "1.1", "1.2", "1.3"]

    static let schema = MapSchema<TLSKey>(
        "tls", title: "tls", "Certificates and versions of TLS.",
        rows: [
            .init(
                .ca, .anyOf([.template, .list(.template)]),
                "PEM files of authorities that are trusted instead of the system's."),
            .init(.certificate, .template, "The PEM file of the client's certificate, with those that vouch for it."),
            .init(.key, .template, "The PEM file of the client's key; without it, the certificate's file holds it."),
            .init(.passphrase, .text, "What the key is encrypted with; it is masked in every output."),
            .init(
                .pins, .anyOf([.list(.template), .template]),
                "SHA-256 digests of public keys (`sha256/` and base64), one of which the server's chain must have."),
            .init(.verify, .boolean, "False accepts any certificate."),
            .init(
                .serverName, .template,
                "The name that is sent to the server and that its certificate must have, in place of the URL's host."),
            .init(.minVersion, .version(versions), "The oldest version that is accepted."),
            .init(.maxVersion, .version(versions), "The newest version that is offered."),
        ],
        misplaced: [
            "cacert": "did you mean \"ca\"?", "cert": "did you mean \"certificate\"?",
            "insecure": "write \"verify: false\"", "sni": "did you mean \"serverName\"?",
        ])
}
