import Diagnostics
import JSON
import Output
import RunModel

/// The values that a step prints, as lines of text.
enum PrintedLines {
    /// The maximum number of values to show.
    private static let maximum = 50
    /// The maximum number of bytes of a value to process.
    private static let reach = 4_096

    /// Returns a line for each value: `size(body.items) = 3`.
    ///
    /// - Parameter width: The maximum number of columns of a line.
    static func lines(of step: TestResult.Step, width: Int) -> [String] {
        var lines = step.printed.prefix(maximum).map { printed in
            let value = String(decoding: printed.value.serializedBytes().prefix(reach), as: UTF8.self)
            return TextFitting.cut(DisplayWidth.printable("\(printed.name) = \(value)"), to: max(20, width))
        }
        if step.printed.count > maximum {
            lines.append("… \(NumberText.count(step.printed.count - maximum, "more value"))")
        }
        return lines
    }
}
