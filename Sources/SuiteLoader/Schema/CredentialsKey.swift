/// Keys of `basic` and `digest`.
enum CredentialsKey: String, CaseIterable, Sendable {
    case username, password

    static let schema = MapSchema<CredentialsKey>(
        "credentials", title: "a pair of credentials", "A user's name and password.",
        rows: [
            .init(.username, .text, required: true, "The user's name."),
            .init(.password, .text, required: true, "The password; it is masked in every output."),
        ],
        misplaced: ["user": "did you mean \"username\"?"])
}
