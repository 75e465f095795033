import JSON

/// The JSON Schema of suite files, made from the tables by which suites are read.
public enum SuiteSchema {
    /// The schema's text (JSON Schema 2020-12), with a final line break.
    public static var json: String { SchemaWriter.document(root: SuiteKey.schema.description, maps: maps) + "\n" }

    /// The descriptions of all maps of the suite language.
    static let maps: [MapDescription] = [
        SuiteKey.schema.description, EnvironmentKey.schema.description, DefaultsKey.schema.description,
        ServeKey.schema.description,
        FragmentKey.schema.description, ParameterKey.schema.description,
        TestKey.schema.description, StepKey.schema.description, RequestKey.schema.description,
        TimeoutKey.schema.description, ExpectKey.schema.description, OperatorKey.schema.description,
        AuthKey.schema.description, CredentialsKey.schema.description, APIKeyKey.schema.description,
        OAuth2Key.schema.description, AWSSigV4Key.schema.description, TLSKey.schema.description,
        PartKey.schema.description, GraphQLKey.schema.description, RetryKey.schema.description,
        UntilKey.schema.description, AbortKey.schema.description,
        CasesKey.schema.description, ForEachKey.schema.description,
        HopKey.schema.description, TimingsKey.schema.description, CertificateKey.schema.description,
        CookieKey.schema.description, EventKey.schema.description, ImageKey.schema.description,
        SchemaKey.schema.description, SnapshotKey.schema.description, EveryFieldKey.schema.description,
        WebSocketKey.schema.description, WebSocketSendKey.schema.description, WebSocketReceiveKey.schema.description,
        WebSocketCloseKey.schema.description, WebSocketCloseKey.expected.description,
        ContractKey.schema.description,
        ExpectedContractKey.schema.description,
        CloseToKey.schema.description, WithinKey.schema.description, CaptureKey.schema.description,
    ]
}
