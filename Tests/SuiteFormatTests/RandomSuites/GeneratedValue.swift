/// A value of a generated suite, before it is written.
indirect enum GeneratedValue: Sendable {
    /// A string, in any style that represents it.
    case string(String)
    /// A number, Boolean or null as written.
    case plain(String)
    case list([GeneratedValue])
    case map([(key: String, value: GeneratedValue)])
    /// A value with an anchor.
    case anchored(String, GeneratedValue)
    /// An alias of the anchor with this name.
    case alias(String)
}
