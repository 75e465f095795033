import JSON
import SuiteModel
import YAML

/// The JSON Schema of suite files, generated from the schemas of the readers.
public enum SuiteSchema {
    /// The schema as JSON text (JSON Schema 2020-12), with a final line break.
    public static var json: String { SchemaWriter.document(root: SuiteKey.schema.description, maps: maps) + "\n" }

    /// The name of the root mapping of a suite.
    package static var root: String { SuiteKey.schema.description.name }

    /// The tables of all mappings of the suite language.
    static let tables: [any KeyTable] = [
        SuiteKey.schema, EnvironmentKey.schema, DefaultsKey.schema, ServeKey.schema, FragmentKey.schema,
        ParameterKey.schema, TestKey.schema, StepKey.schema, RunKey.schema, SecretKey.schema, RequestKey.schema,
        TimeoutKey.schema, ExpectKey.schema,
        OperatorKey.schema, AuthKey.schema, CredentialsKey.schema, APIKeyKey.schema, OAuth2Key.schema,
        AWSSigV4Key.schema, TLSKey.schema, PartKey.schema, GraphQLKey.schema, RetryKey.schema, UntilKey.schema,
        AbortKey.schema, XfailKey.schema, WhileKey.schema, CasesKey.schema, GenerateKey.schema, ForEachKey.schema,
        HopKey.schema, TimingsKey.schema,
        CertificateKey.schema,
        CookieKey.schema, EventKey.schema, ImageKey.schema, SchemaKey.schema, SnapshotKey.schema,
        OperatorKey.everyField,
        WebSocketKey.schema, WebSocketSendKey.schema, WebSocketReceiveKey.schema, WebSocketCloseKey.schema,
        WebSocketCloseKey.expected, ContractKey.schema, ExpectedContractKey.schema, CloseToKey.schema, WithinKey.schema,
        CaptureKey.schema, LoadProfileKey.schema, LoadStageKey.schema,
    ]

    /// The descriptions of all mappings of the suite language.
    package static let maps = tables.map(\.description)
}

/// The JSON Schema of settings files, generated from the schemas of the readers.
public enum SettingsSchema {
    /// The schema as JSON text (JSON Schema 2020-12), with a final line break.
    public static var json: String {
        let root = SuiteKey.settings.description
        // A settings file has neither tests nor fragments of its own.
        let ofSuites = ["suite", "test", "fragment"] + LoadProfileKey.definitions
        let others = SuiteSchema.maps.filter { !ofSuites.contains($0.name) }
        return SchemaWriter.document(root: root, maps: others) + "\n"
    }

    /// The name of the root mapping of a settings file.
    package static var root: String { SuiteKey.settings.description.name }

    /// The description of the root mapping of a settings file.
    package static var description: MapDescription { SuiteKey.settings.description }
}

/// The JSON Schema of mock files, generated from the schemas of the readers.
public enum MockSchema {
    /// The schema as JSON text (JSON Schema 2020-12), with a final line break.
    public static var json: String {
        SchemaWriter.document(root: MockKey.schema.description, maps: maps) + "\n"
    }

    /// The name of the root mapping of a mock file.
    package static var root: String { MockKey.schema.description.name }

    /// The tables of all mappings of a mock file.
    static let tables: [any KeyTable] = [
        MockKey.schema, MockDefaultsKey.schema, RouteKey.schema, WhenKey.schema, RespondKey.schema,
        CollectionKey.schema, OperatorKey.schema, SchemaKey.schema, CloseToKey.schema, WithinKey.schema,
    ]

    /// The descriptions of all mappings of a mock file.
    package static let maps = tables.map(\.description)
}

/// The JSON Schema of fragment files, generated from the schemas of the readers.
public enum FragmentsSchema {
    /// The schema as JSON text (JSON Schema 2020-12), with a final line break.
    public static var json: String {
        SchemaWriter.document(root: FragmentFileKey.schema.description, maps: maps) + "\n"
    }

    /// The descriptions of all mappings of a fragment file: those of a suite, except for those that only suites have.
    private static let maps: [MapDescription] = {
        let ofSuites =
            [SuiteKey.schema.description.name, "environment", "serve", "secret", "test"] + LoadProfileKey.definitions
        return [FragmentFileKey.schema.description] + SuiteSchema.maps.filter { !ofSuites.contains($0.name) }
    }()
}
