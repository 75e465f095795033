import Diagnostics
import YAML

/// The variables and stages that a Tavern test includes, from its own file and from others.
struct TavernIncludes {
    /// A variable with the file that defines it.
    struct Variable {
        var name: String
        var node: YAMLNode
        var source: TavernSource
    }

    /// The variables in the order in which they are defined.
    private(set) var variables: [Variable] = []
    /// The stages by their id, with the files that define them.
    private(set) var stages: [String: (node: YAMLNode, source: TavernSource)] = [:]
    /// The parts that are not translated.
    private(set) var notes: [ImportNote] = []

    /// Adds a global configuration.
    mutating func add(_ configuration: TavernSource, _ context: inout ImportContext) {
        if let root = configuration.documents.first { add(file: root, configuration, &context) }
    }

    /// Adds the includes of a test.
    mutating func add(
        _ node: YAMLNode, _ source: TavernSource, _ cache: inout [String: TavernSource], _ context: inout ImportContext
    ) {
        for element in node.elements {
            guard source.tag(element) == "include" else {
                add(file: element, source, &context)
                continue
            }
            let path = element.text ?? ""
            if let known = cache[path] {
                if let root = known.documents.first { add(file: root, known, &context) }
                continue
            }
            do throws(ImportFiles.Failure) {
                let bytes = try context.files.read(path, from: source.file)
                let included = TavernSource(SourceFile(name: path, text: bytes), &context)
                cache[path] = included
                let hasErrors = included.diagnostics.contains { $0.severity == .error && $0.id != "duplicate-key" }
                if hasErrors {
                    notes.append(
                        context.untranslated(
                            "!include of invalid YAML", in: source.file, line: element.line, source: path))
                } else if let root = included.documents.first {
                    add(file: root, included, &context)
                }
            } catch {
                notes.append(
                    context.untranslated(
                        "!include of a file that \(error.reason)", in: source.file, line: element.line, source: path))
            }
        }
    }

    private mutating func add(file root: YAMLNode, _ source: TavernSource, _ context: inout ImportContext) {
        for (key, value) in root.members {
            switch key.text {
            case "name", "description", "backends", "strict": break
            case "variables":
                for (name, node) in value.members {
                    if name.text == "$ext" || node["$ext"] != nil {
                        notes.append(
                            context.untranslated("$ext", in: source.file, line: name.line, source: node.sourceText))
                        continue
                    }
                    let name = name.text ?? ""
                    variables.removeAll { $0.name == name }
                    variables.append(Variable(name: name, node: node, source: source))
                }
            case "stages":
                for stage in value.elements { if let id = stage["id"]?.text { stages[id] = (stage, source) } }
            default:
                notes.append(
                    context.untranslated(key.text ?? "", in: source.file, line: key.line, source: value.sourceText))
            }
        }
    }
}
