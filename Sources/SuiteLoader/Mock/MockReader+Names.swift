import Basics
import Diagnostics
import YAML

extension MockReader {
    /// What `request` has for expressions.
    static let requestMembers = [
        "method", "url", "path", "params", "query", "headers", "cookies", "form", "body", "text",
    ]

    /// Checks the names that expressions use: a mock file knows `request` alone.
    ///
    /// - Parameters:
    ///   - firstUse: The position in the context's uses of the first one to check; all from there on are taken out.
    ///   - parameters: The names of the path's parameters.
    func checkNames(from firstUse: Int, parameters: [String]) {
        for use in context.uses[firstUse...] where !use.isTypeName {
            guard use.name == "request" else {
                let member = Spelling.nearest(to: use.name, among: MockReader.requestMembers)
                context.report(
                    "undefined-variable", "there is no variable \"\(use.name)\" in a mock file", use.range,
                    suggestion: Spelling.suggestion(for: use.name, among: ["request"])
                        ?? member.map { "did you mean \"request.\($0)\"?" }
                        ?? "expressions of a mock file see \"request\"")
                continue
            }
            guard use.path.count > 1 else { continue }
            let member = use.path[1]
            if !MockReader.requestMembers.contains(member) {
                context.report(
                    "undefined-variable", "\"request\" has no \"\(member)\"", use.range,
                    suggestion: Spelling.suggestion(for: member, among: MockReader.requestMembers)
                        ?? "it has \(MockReader.requestMembers.joined(separator: ", "))")
            } else if member == "params", use.path.count > 2, !parameters.contains(use.path[2]) {
                context.report(
                    "undefined-variable", "the route's path has no parameter \"\(use.path[2])\"", use.range,
                    suggestion: Spelling.suggestion(for: use.path[2], among: parameters))
            }
        }
        context.uses.removeSubrange(firstUse...)
    }
}
