import JSON
import SuiteModel
import YAML

/// The JSON Schema of suite files, generated from the schemas of the readers.
public enum SuiteSchema {
    /// The schema as JSON text (JSON Schema 2020-12), with a final line break.
    public static var json: String { SchemaWriter.document(root: SuiteKey.schema.description, maps: maps) + "\n" }

    /// The name of the root mapping of a suite.
    package static var root: String { SuiteKey.schema.description.name }

    /// The descriptions of all mappings of the suite language.
    package static let maps: [MapDescription] = [
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

/// The JSON Schema of mock files, generated from the schemas of the readers.
public enum MockSchema {
    /// The schema as JSON text (JSON Schema 2020-12), with a final line break.
    public static var json: String {
        let root = MockKey.schema.description
        let text = SchemaWriter.document(root: root, maps: maps)
        guard case .object(var schema)? = try? JSONValue(parsing: text) else { return text + "\n" }
        schema["title"] = "apitest mock file"
        return JSONValue.object(schema).serialized(.pretty) + "\n"
    }

    /// The name of the root mapping of a mock file.
    package static var root: String { MockKey.schema.description.name }

    /// The descriptions of all mappings of a mock file.
    package static let maps: [MapDescription] = [
        MockKey.schema.description, MockDefaultsKey.schema.description, RouteKey.schema.description,
        WhenKey.schema.description, RespondKey.schema.description, CollectionKey.schema.description,
        OperatorKey.schema.description, SchemaKey.schema.description, CloseToKey.schema.description,
        WithinKey.schema.description,
    ]
}

/// The JSON Schema of fragment files, generated from the schemas of the readers.
public enum FragmentsSchema {
    /// The schema as JSON text (JSON Schema 2020-12), with a final line break.
    public static var json: String {
        let text = SchemaWriter.document(root: FragmentFileKey.schema.description, maps: maps)
        guard case .object(var schema)? = try? JSONValue(parsing: text) else { return text + "\n" }
        schema["title"] = "apitest fragment file"
        return JSONValue.object(schema).serialized(.pretty) + "\n"
    }

    /// The descriptions of all mappings of a fragment file: those of a suite, except for those that only suites have.
    private static let maps: [MapDescription] = {
        let ofSuites = [SuiteKey.schema.description.name, "environment", "serve", "test"]
        return [FragmentFileKey.schema.description] + SuiteSchema.maps.filter { !ofSuites.contains($0.name) }
    }()
}
