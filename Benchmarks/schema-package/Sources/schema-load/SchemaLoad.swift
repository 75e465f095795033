import FoundationEssentials
import JSON
import JSONSchema

/// Measures how long it takes to compile a schema and to apply it to documents.
///
/// Arguments: what to measure (`valid`, `violations` or `compile`), the file of the schema, the file of an array of
/// documents, and the time in seconds. Prints the number of passes, their time in seconds, and how many of the documents
/// are valid.
@main
struct SchemaLoad {
    enum Task: String {
        case valid, violations, compile
    }

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let task = Task(rawValue: arguments[1]), let seconds = Double(arguments[4]) else {
            print("usage: schema-load valid|violations|compile SCHEMA DOCUMENTS SECONDS")
            return
        }
        let source = try read(arguments[2])
        let schema = try JSONSchema(source)
        guard case .array(let documents) = try read(arguments[3]) else { return print("no documents") }
        let validCount = documents.count { schema.isValid($0) }
        let clock = ContinuousClock()
        let begin = clock.now
        let end = begin + .seconds(seconds)
        var passes = 0
        var sum = 0
        repeat {
            switch task {
            case .valid: for document in documents where schema.isValid(document) { sum += 1 }
            case .violations: for document in documents { sum += schema.violations(of: document).count }
            case .compile: sum += try JSONSchema(source).isValid(.null) ? 1 : 2
            }
            passes += 1
        } while clock.now < end
        let time = (clock.now - begin) / .seconds(1)
        // The sum is printed so that no work can be optimized away.
        print("\(passes) \(time) \(validCount) \(sum)")
    }

    private static func read(_ path: String) throws -> JSONValue {
        try JSONValue(parsing: Array(try Data(contentsOf: URL(filePath: path))))
    }
}
