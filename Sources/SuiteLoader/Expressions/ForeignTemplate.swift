import Basics
import Diagnostics
import YAML

/// A template in the notation of other tools, `{{name}}`, which is sent as it is written.
struct ForeignTemplate {
    /// The name between the braces.
    let name: String
    /// The scalar that contains the template.
    let node: YAMLNode
    /// The start of the template in the scalar's text, in Unicode scalars.
    let offset: Int
    /// The length of the template in Unicode scalars.
    let length: Int

    /// Returns the templates in a scalar.
    static func all(in node: YAMLNode) -> [ForeignTemplate] {
        guard let text = node.scalar?.text else { return [] }
        var templates: [ForeignTemplate] = []
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index + 1 < scalars.count {
            // In `${{"a": 1}.a}`, the braces belong to an expression.
            let isExpression = index > 0 && scalars[index - 1] == "$"
            guard scalars[index] == "{", scalars[index + 1] == "{", !isExpression,
                let end = scalars[index...].firstIndex(of: "}"), end + 1 < scalars.count, scalars[end + 1] == "}"
            else {
                index += 1
                continue
            }
            let content = String(String.UnicodeScalarView(scalars[(index + 2)..<end]))
            let name = String(ASCII.trimmed(content[...]))
            if NameRules.isIdentifier(name) {
                templates.append(ForeignTemplate(name: name, node: node, offset: index, length: end + 2 - index))
            }
            index = end + 2
        }
        return templates
    }

    /// Reports the templates whose names a suite defines, once for each name.
    static func report(_ templates: [ForeignTemplate], _ context: LoadContext, isDefined: (String) -> Bool) {
        var reported: Set<String> = []
        for template in templates where isDefined(template.name) && reported.insert(template.name).inserted {
            context.report(
                "foreign-template", "\"{{\(template.name)}}\" is sent as it is written",
                ScalarLocator.range(in: template.node, from: template.offset, to: template.offset + template.length),
                suggestion: "did you mean \"${\(template.name)}\"?", severity: .warning)
        }
    }
}
