import Basics

/// The steps of an evaluation, recorded for an explanation.
struct Trace {
    /// An evaluated node and the nodes that were evaluated for it.
    struct Record {
        let id: Int
        let result: Result<CELValue, CELEvaluationError>
        let children: [Record]
        let macro: MacroOutcome

        var value: CELValue? {
            if case .success(let value) = result { value } else { nil }
        }
    }

    /// An element that a macro visited.
    struct Element {
        let variable: String
        let key: CELValue
        let value: CELValue
        let records: [Record]
        /// Whether the element decided the macro or failed, and is not just a sample.
        var isDecisive = false
    }

    /// The elements that explain the result of a macro.
    struct MacroOutcome {
        var elements: [Element] = []
        var note: MessageText?
    }

    private struct Frame {
        var children: [Record] = []
        var macro = MacroOutcome()
    }

    /// The maximum number of samples to keep if no element is decisive.
    private static let sampleCount = 3
    /// The maximum number of records; an explanation shows far fewer.
    private static let maximumCount = 5_000

    private var frames: [Frame] = [Frame()]
    private var lastElement: Element?
    private var count = 0

    init() {}

    /// The record of the whole expression.
    var root: Record? { frames.first?.children.first }

    /// Starts a node or an element of a macro.
    mutating func open() {
        frames.append(Frame())
    }

    /// Finishes a node.
    mutating func close(_ id: Int, _ result: Result<CELValue, CELEvaluationError>) {
        guard frames.count > 1, let frame = frames.popLast() else { return }
        // The root is always recorded, regardless of the limit.
        guard count < Self.maximumCount || frames.count == 1 else { return }
        count += 1
        frames[frames.count - 1].children.append(
            Record(id: id, result: result, children: frame.children, macro: frame.macro))
    }

    /// Finishes an element, which `keepSample`, `decide`, or `fail` can then keep.
    mutating func closeElement(variable: String, key: CELValue, value: CELValue) {
        guard frames.count > 1, let frame = frames.popLast() else { return }
        lastElement = Element(variable: variable, key: key, value: value, records: frame.children)
    }

    /// Keeps the last element as a sample.
    mutating func keepSample() {
        guard let element = lastElement, frames[frames.count - 1].macro.elements.count < Self.sampleCount else {
            return
        }
        frames[frames.count - 1].macro.elements.append(element)
    }

    /// Keeps the last element as the decisive one.
    mutating func decide() {
        guard var element = lastElement else { return }
        element.isDecisive = true
        frames[frames.count - 1].macro.elements = [element]
    }

    /// Keeps the last element as the failed one, unless another one failed before.
    mutating func fail() {
        guard var element = lastElement else { return }
        element.isDecisive = true
        let last = frames.count - 1
        guard !frames[last].macro.elements.contains(where: \.isDecisive) else { return }
        frames[last].macro.elements.append(element)
    }

    /// Sets the note on the result of the macro; the samples are discarded unless they add information.
    mutating func conclude(_ note: MessageText, keepsSamples: Bool = true) {
        frames[frames.count - 1].macro.note = note
        if !keepsSamples { frames[frames.count - 1].macro.elements = [] }
    }

    /// Discards the samples, so that only the failed element is shown.
    mutating func keepFailedOnly() {
        frames[frames.count - 1].macro.elements.removeAll { !$0.isDecisive }
    }
}
