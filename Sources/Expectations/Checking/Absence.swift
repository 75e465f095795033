import Basics
import Diagnostics
import JSON
import JSONPath

/// What a message says about something that is not there: what is there instead, and what was probably meant.
enum Absence {
    /// About a header or a cookie: `the response has no header "Locaton"; did you mean "Location"?`.
    static func message(_ beginning: String, _ name: String, among names: [String]) -> String {
        "\(beginning) \(ValueDescription.quoted(name))" + suggestion(name, among: names)
    }

    /// About a path: `$.data.items[3] does not exist: $.data.items has 2 elements`.
    static func message(_ path: JSONPath, in document: JSONValue) -> String {
        guard let nearest = path.nearestExisting(in: document) else { return "\(path.source) selects nothing" }
        return "\(path.source) does not exist: "
            + reason(nearest.path, nearest.value, NormalizedStep(segment: nearest.missing), nearest.missing)
    }

    private static func reason(_ place: String, _ value: JSONValue, _ step: NormalizedStep?, _ segment: String)
        -> String
    {
        switch (value, step) {
        case (.object(let members), _) where members.isEmpty: "\(place) is an empty object"
        case (.object(let members), .name(let name)):
            "\(place) has no member \(ValueDescription.quoted(name))" + suggestion(name, among: members.keys)
        case (.array(let elements), .index):
            "\(place) has \(ValueDescription.count(elements.count, "element"))"
        case (.array(let elements), .name(let name)):
            "\(place) is an array of \(ValueDescription.count(elements.count, "element")), which have no names such as "
                + ValueDescription.quoted(name)
        case (.object(let members), .index):
            "\(place) is an object" + suggestion("", among: members.keys)
        case (.array(let elements), nil):
            elements.isEmpty
                ? "\(place) is an empty array"
                : "\(segment) selects nothing of the \(ValueDescription.count(elements.count, "element")) of \(place)"
        case (.object(let members), nil):
            "\(segment) selects nothing of the \(ValueDescription.count(members.count, "member")) of \(place)"
        default:
            "\(place) is \(ValueDescription.typed(value))"
        }
    }

    /// The probable spelling, or else the names that there are.
    private static func suggestion(_ name: String, among names: some Collection<String>) -> String {
        if let nearest = Spelling.nearest(to: name, among: names) {
            return "; did you mean \(ValueDescription.quoted(nearest))?"
        }
        return names.isEmpty ? ", and no other" : "; there is \(ValueDescription.names(names))"
    }
}
