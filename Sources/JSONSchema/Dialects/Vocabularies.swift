/// Groups of keywords that a metaschema can switch on (2020-12 Core, section 8.1.2); earlier drafts have all of them.
struct Vocabularies: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let core = Vocabularies(rawValue: 1 << 0)
    static let applicator = Vocabularies(rawValue: 1 << 1)
    static let unevaluated = Vocabularies(rawValue: 1 << 2)
    static let validation = Vocabularies(rawValue: 1 << 3)
    static let metadata = Vocabularies(rawValue: 1 << 4)
    static let format = Vocabularies(rawValue: 1 << 5)
    static let content = Vocabularies(rawValue: 1 << 6)

    static let all = Vocabularies(rawValue: 0x7F)

    /// The vocabulary that a URI names, and whether it makes `format` an assertion; nil for an unknown one.
    static func named(_ uri: String, isRequired: Bool) -> (vocabulary: Vocabularies, assertsFormat: Bool)? {
        switch uri {
        case "https://json-schema.org/draft/2019-09/vocab/core", "https://json-schema.org/draft/2020-12/vocab/core":
            (.core, false)
        // In 2019-09 the unevaluated keywords belong to the applicators.
        case "https://json-schema.org/draft/2019-09/vocab/applicator": ([.applicator, .unevaluated], false)
        case "https://json-schema.org/draft/2020-12/vocab/applicator": (.applicator, false)
        case "https://json-schema.org/draft/2020-12/vocab/unevaluated": (.unevaluated, false)
        case "https://json-schema.org/draft/2019-09/vocab/validation",
            "https://json-schema.org/draft/2020-12/vocab/validation":
            (.validation, false)
        case "https://json-schema.org/draft/2019-09/vocab/meta-data",
            "https://json-schema.org/draft/2020-12/vocab/meta-data":
            (.metadata, false)
        // In 2019-09 the value of the vocabulary says whether formats assert.
        case "https://json-schema.org/draft/2019-09/vocab/format": (.format, isRequired)
        case "https://json-schema.org/draft/2020-12/vocab/format-annotation": (.format, false)
        case "https://json-schema.org/draft/2020-12/vocab/format-assertion": (.format, true)
        case "https://json-schema.org/draft/2019-09/vocab/content",
            "https://json-schema.org/draft/2020-12/vocab/content":
            (.content, false)
        default: nil
        }
    }
}
