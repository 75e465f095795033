import Basics
import JSON

@testable import CEL

/// Evaluates an expression and returns its value in CEL notation, or "error: …".
func shown(_ source: String, _ variables: CELVariables = [:], context: CELContext = .fixed) -> String {
    do {
        return try CELExpression(source).evaluate(variables, context: context).shown
    } catch let error as CELSyntaxError {
        return "syntax error at \(error.offset)+\(error.length): \(error.message.text)"
    } catch let error as CELEvaluationError {
        return "error at \(error.offset)+\(error.length): \(error.message.text)"
    } catch {
        return "\(error)"
    }
}

/// Returns a scope of JSON values.
func scope(_ members: KeyValuePairs<String, JSONValue>) -> CELVariables {
    var variables = CELVariables()
    for (name, value) in members { variables[name] = CELValue(value) }
    return variables
}

extension CELContext {
    /// A context without variation between runs.
    static var fixed: CELContext {
        CELContext(
            random: CELRandomSource(seed: 7),
            clock: { CELTimestamp("2026-01-31T12:34:56.789Z") ?? .epoch },
            environment: { ["HOME": "/home/ada", "EMPTY": ""][$0] },
            readFile: { path throws in
                switch path {
                case "greeting.txt": return Array("hello\n".utf8)
                case "picture.bin": return [0xFF, 0x00]
                default: throw CELFileError("no such file")
                }
            })
    }
}
