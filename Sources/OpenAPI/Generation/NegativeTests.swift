/// The tests with requests that a server must refuse.
public enum NegativeTests: Sendable {
    /// None.
    case none
    /// Those whose refusal the description documents, and those without valid credentials.
    case documented
    /// All, whether or not the description documents a refusal.
    case always
}
