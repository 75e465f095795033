/// What an evaluation went through, kept for an explanation.
struct Trace {
    /// A node that was evaluated, and those that were for it.
    struct Record {
        let id: Int
        let result: Result<CELValue, CELEvaluationError>
        let children: [Record]
        let macro: MacroOutcome

        var value: CELValue? {
            if case .success(let value) = result { value } else { nil }
        }
    }

    /// An element that a macro went through.
    struct Element {
        let variable: String
        let key: CELValue
        let value: CELValue
        let records: [Record]
        /// Whether it decided the macro or failed, rather than being one of many.
        var isDecisive = false
    }

    /// The elements that tell why a macro has its result.
    struct MacroOutcome {
        var elements: [Element] = []
        var note: String?
    }

    private struct Frame {
        var children: [Record] = []
        var macro = MacroOutcome()
    }

    /// How many elements are kept when none decides.
    private static let sampleCount = 3
    /// How many records are kept in all; an explanation shows far fewer.
    private static let maximumCount = 5_000

    private var frames: [Frame] = [Frame()]
    private var lastElement: Element?
    private var count = 0

    init() {}

    /// The record of the whole expression.
    var root: Record? { frames.first?.children.first }

    /// Begins with a node or with an element of a macro.
    mutating func open() {
        frames.append(Frame())
    }

    /// Ends a node.
    mutating func close(_ id: Int, _ result: Result<CELValue, CELEvaluationError>) {
        guard frames.count > 1, let frame = frames.popLast() else { return }
        // The root is kept whatever there is below it.
        guard count < Self.maximumCount || frames.count == 1 else { return }
        count += 1
        frames[frames.count - 1].children.append(
            Record(id: id, result: result, children: frame.children, macro: frame.macro))
    }

    /// Ends an element; `keepSample` and the others say what becomes of it.
    mutating func closeElement(variable: String, key: CELValue, value: CELValue) {
        guard frames.count > 1, let frame = frames.popLast() else { return }
        lastElement = Element(variable: variable, key: key, value: value, records: frame.children)
    }

    /// Keeps the last element as one of those of which none decides.
    mutating func keepSample() {
        guard let element = lastElement, frames[frames.count - 1].macro.elements.count < Self.sampleCount else {
            return
        }
        frames[frames.count - 1].macro.elements.append(element)
    }

    /// Keeps the last element as the one that decided.
    mutating func decide() {
        guard var element = lastElement else { return }
        element.isDecisive = true
        frames[frames.count - 1].macro.elements = [element]
    }

    /// Keeps the last element as one that failed, unless another did before.
    mutating func fail() {
        guard var element = lastElement else { return }
        element.isDecisive = true
        let last = frames.count - 1
        guard !frames[last].macro.elements.contains(where: \.isDecisive) else { return }
        frames[last].macro.elements.append(element)
    }

    /// Says how the macro came to its result; the samples stay only where they tell something.
    mutating func conclude(_ note: String, keepsSamples: Bool = true) {
        frames[frames.count - 1].macro.note = note
        if !keepsSamples { frames[frames.count - 1].macro.elements = [] }
    }

    /// Forgets the samples where an element has failed, so that only that one is shown.
    mutating func keepFailedOnly() {
        frames[frames.count - 1].macro.elements.removeAll { !$0.isDecisive }
    }
}
