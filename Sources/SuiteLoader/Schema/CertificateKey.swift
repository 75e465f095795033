import SuiteModel

/// Keys of `certificate` under `expect`.
enum CertificateKey: String, CaseIterable, Sendable {
    case subject, issuer, names, expiresIn

    static let schema = MapSchema<CertificateKey>(
        "certificate", title: "certificate", "What the server's certificate must be.",
        rows: [
            .init(.subject, .matcher(.value), "Whom it is for, as text: `CN=api.example.org,O=Example`."),
            .init(.issuer, .matcher(.value), "Who signed it, as text."),
            .init(
                .names, .matcher(.value),
                "The list of host names and addresses that it is for, as `{ includes: api.example.org }`."),
            .init(.expiresIn, .matcher(.duration), "The time until it is no longer valid, as `{ gt: 14d }`."),
        ])
}
