/// Keys of `awsSigV4`.
enum AWSSigV4Key: String, CaseIterable, Sendable {
    case accessKey, secretKey, sessionToken, region, service

    static let schema = MapSchema<AWSSigV4Key>(
        "awsSigV4", title: "awsSigV4", "What a request is signed with.",
        rows: [
            .init(.accessKey, .text, required: true, "The identifier of the key."),
            .init(.secretKey, .text, required: true, "The key; it is masked in every output."),
            .init(.sessionToken, .text, "The token of temporary credentials; it is masked in every output."),
            .init(.region, .text, required: true, "The region, such as `eu-central-1`."),
            .init(.service, .text, required: true, "The service, such as `s3`."),
        ])
}
