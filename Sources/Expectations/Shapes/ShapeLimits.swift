/// The bounds of shapes: what is beyond them is left open, never an error.
enum ShapeLimits {
    /// The depth at which values are no longer looked into.
    static let depth = 32
    /// The members of an object beyond which its names are taken for data.
    static let members = 1_000
    /// The places of one body that are told apart.
    static let places = 20_000
    /// The most values of an enumeration, however often shapes are merged.
    static let values = 32
    /// The most values that are taken for an enumeration when a shape is inferred.
    static let inferredValues = 8
    /// The fewest samples of which an enumeration is inferred.
    static let enumerationSamples = 20
    /// How often each value of an enumeration must come on average.
    static let samplesPerValue = 5
    /// The differences of one body that are kept.
    static let differences = 50
}
