import Basics
import Diagnostics
import SuiteModel
import YAML

/// Reports loops that are meant to use the capture of the previous iteration.
enum UnchangedCapture: LintCheck {
    static let rule = LintRule(
        "unchanged-capture",
        "A `forEach` whose iterations use a name that they capture, but with its value before the loop")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        let names = subject.names
        for capture in names.definitions where capture.kind == .capture {
            guard let unit = capture.unit, let step = capture.step,
                let loop = loop(around: step, in: names.units[unit].tree, iteratingOver: capture.name)
            else { continue }
            let isUsed = (names.uses[capture.name]?.inUnit[unit] ?? []).contains { use in
                guard let position = use.step, use.definition == nil, loop.contains(position) else { return false }
                return position < step || position == step && !use.isAfterCaptures
            }
            guard isUsed else { continue }
            report(
                LintFinding(
                    message: "each iteration uses \"\(capture.name)\" as it was before the loop", range: capture.range,
                    suggestion:
                        "repeat with \"while\" instead of \"forEach\", which passes captures to the next iteration"))
        }
    }

    /// Returns the steps of the outermost `forEach` around a step, or `nil` if there is none.
    ///
    /// - Parameter name: The name that the list of the loop must not use, because it is evaluated before the captures.
    private static func loop(around step: Int, in tree: StepTree, iteratingOver name: String) -> ClosedRange<Int>? {
        guard tree.repeats[step] == nil else { return nil }
        for index in 0...step where tree.ends[index] >= step {
            guard let loop = tree.nodes[index]["forEach"] else { continue }
            let list = (loop["in"] ?? loop).scalar?.text ?? ""
            return list.contains(name) ? nil : index...tree.ends[index]
        }
        return nil
    }
}
