/// Where a request is on its way; every change goes through ``move(to:)``.
enum ExchangeState: Sendable, Hashable {
    case created
    case adapting
    case sending
    case validating
    case deciding
    case waiting
    case finished

    /// Whether the next state can follow this one.
    func canMove(to next: ExchangeState) -> Bool {
        switch (self, next) {
        case (.created, .adapting), (.adapting, .sending), (.adapting, .deciding), (.sending, .validating),
            (.sending, .deciding), (.validating, .deciding), (.deciding, .waiting), (.deciding, .adapting),
            (.waiting, .adapting):
            true
        case (.finished, _): false
        case (_, .finished): true
        default: false
        }
    }

    /// Goes on to the next state.
    /// - Returns: Whether that was possible; otherwise nothing has changed.
    @discardableResult
    mutating func move(to next: ExchangeState) -> Bool {
        guard canMove(to: next) else { return false }
        self = next
        return true
    }
}
