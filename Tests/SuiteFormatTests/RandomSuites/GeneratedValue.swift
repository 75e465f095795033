/// A value of a generated suite, before it is written.
indirect enum GeneratedValue: Sendable {
    /// Text, in any style that gives it.
    case string(String)
    /// A number, boolean or null as it is written.
    case plain(String)
    case list([GeneratedValue])
    case map([(key: String, value: GeneratedValue)])
    /// A value that is anchored.
    case anchored(String, GeneratedValue)
    /// What an anchor of this name stands for.
    case alias(String)
}
