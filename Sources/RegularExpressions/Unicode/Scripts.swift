/// The scripts of Unicode as sets.
enum Scripts {
    /// The scalars of a script, by its long or short name.
    static func set(_ name: String) -> ScalarSet? {
        nil
    }

    /// The scalars a script uses, with those it shares with others.
    static func extensions(_ name: String) -> ScalarSet? {
        nil
    }
}
