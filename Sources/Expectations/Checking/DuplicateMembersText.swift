public import JSON

/// What is said about a body with members that are there several times.
public enum DuplicateMembersText {
    /// One sentence without a final full stop, or nil when there are no such members.
    public static func sentence(_ members: [JSONDuplicateMember]) -> String? {
        guard let first = members.first else { return nil }
        let more =
            switch members.count {
            case 1: ""
            case 2: ", and 1 more such member"
            case JSONParser.largestDuplicateCount...: ", and many more such members"
            default: ", and \(members.count - 1) more such members"
            }
        return
            "the body has \(first.location.shorthand) a second time at line \(first.line), column \(first.column)\(more); "
            + "of members with one name, the last one counts"
    }
}
