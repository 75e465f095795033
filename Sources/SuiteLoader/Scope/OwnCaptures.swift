import Basics
import Diagnostics
import SuiteModel

/// The captures of a step or WebSocket element, as its own expressions see them.
struct OwnCaptures {
    /// The position of each capture, by name.
    private let positions: [String: Int]

    /// Creates the captures of a step that has none.
    init() {
        positions = [:]
    }

    /// Creates the captures of a step or element, in order.
    init(_ captures: some Collection<Capture>) {
        var positions: [String: Int] = [:]
        for (position, capture) in captures.enumerated() { positions[capture.name] = position }
        self.positions = positions
    }

    /// Whether there are no captures.
    var isEmpty: Bool { positions.isEmpty }

    /// Returns whether a name is a capture that was made before a moment.
    func sees(_ name: String, at moment: NameUse.Moment) -> Bool {
        guard !positions.isEmpty, let position = positions[name] else { return false }
        switch moment {
        case .beforeCaptures: return false
        case .duringCapture(let index): return position < Int(index)
        case .afterCaptures: return true
        }
    }

    /// Returns whether a name is a capture that is made after the one at a moment.
    func follows(_ name: String, at moment: NameUse.Moment) -> Bool {
        guard case .duringCapture(let index) = moment, let position = positions[name] else { return false }
        return position > Int(index)
    }
}

extension LoadContext {
    /// Reports a capture whose expression uses a later capture of the same step.
    ///
    /// - Parameters:
    ///   - name: The name of the later capture.
    ///   - range: The source range of the use.
    ///   - captured: The source range of the later capture.
    func reportLaterCapture(_ name: String, _ range: SourceRange, captured: SourceRange?) {
        report(
            "undefined-variable", "\"\(name)\" is captured after the capture that uses it", range,
            related: [Diagnostic.Related(message: "it is captured here", range: captured)],
            suggestion: "write the capture \"\(name)\" first")
    }
}
