/// A keyword that bounds a number, a length or a count.
enum SchemaLimit: String, CaseIterable {
    case maximum
    case minimum
    case maxLength
    case minLength
    case maxItems
    case minItems
    case maxProperties
    case minProperties
    case maxContains
    case minContains

    /// Whether it bounds from above.
    var isUpper: Bool {
        switch self {
        case .maximum, .maxLength, .maxItems, .maxProperties, .maxContains: true
        case .minimum, .minLength, .minItems, .minProperties, .minContains: false
        }
    }

    /// The type of the values that it bounds; nil for those of scalars.
    var structure: SchemaTypes? {
        switch self {
        case .maxItems, .minItems, .maxContains, .minContains: .array
        case .maxProperties, .minProperties: .object
        case .maximum, .minimum, .maxLength, .minLength: nil
        }
    }

    /// The beginning of the names of its changes.
    func stem(isExclusive: Bool) -> String {
        switch self {
        case .maximum: isExclusive ? "exclusive-max" : "max"
        case .minimum: isExclusive ? "exclusive-min" : "min"
        case .maxLength: "max-length"
        case .minLength: "min-length"
        case .maxItems: "max-items"
        case .minItems: "min-items"
        case .maxProperties: "max-properties"
        case .minProperties: "min-properties"
        case .maxContains: "max-contains"
        case .minContains: "min-contains"
        }
    }

    /// Whether a bound of zero says nothing: what it counts is never less.
    var isCountFromZero: Bool {
        switch self {
        case .minLength, .minItems, .minProperties: true
        case .maximum, .minimum, .maxLength, .maxItems, .maxProperties, .maxContains, .minContains: false
        }
    }
}
