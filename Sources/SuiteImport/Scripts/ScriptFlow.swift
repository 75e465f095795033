/// The order in which `setNextRequest` runs the requests of a collection.
enum ScriptFlow {
    /// A request with the one that its scripts select.
    struct Step {
        /// The name of the request.
        var name: String
        /// The identifier of the request in the collection.
        var id: String?
        /// The next request; nil for the one that follows.
        var next: ScriptOutcome.Next?
        /// The time in milliseconds that its scripts wait before it is sent.
        var delay = 0
        /// The time in milliseconds that its scripts wait after the response.
        var pause = 0
    }

    /// The rules by which a tool selects a request by its name.
    struct Rules: Sendable {
        /// Whether the last one of several requests with a name is meant; otherwise the first one.
        var selectsLast = true
        /// Whether the run ends if no request has the name; otherwise it goes on with the following request.
        var endsAtUnknownName = true
    }

    /// The order of requests.
    struct Order {
        /// The positions of the requests in the order of the run.
        var reached: [Int] = []
        /// The positions of the requests that do not run.
        var skipped: [Int] = []
        /// The position of the request whose selection would repeat the run; nil if it ends.
        var repetition: Int?
        /// The positions of the requests that select one that does not exist.
        var unknown: [Int] = []
    }

    /// Returns the order of requests.
    static func order(_ steps: [Step], _ rules: Rules) -> Order {
        var result = Order()
        guard steps.contains(where: { $0.next != nil }) else {
            result.reached = Array(steps.indices)
            return result
        }
        var positions: [String: Int] = [:]
        for (index, step) in steps.enumerated() {
            if rules.selectsLast || positions[step.name] == nil { positions[step.name] = index }
            if let id = step.id { positions[id] = index }
        }
        var isReached = Array(repeating: false, count: steps.count)
        var index = 0
        loop: while index < steps.count {
            if isReached[index] {
                result.repetition = result.reached.last
                break
            }
            isReached[index] = true
            result.reached.append(index)
            switch steps[index].next {
            case nil: index += 1
            case ScriptOutcome.Next.none?: break loop
            case .request(let name)?:
                if let next = positions[name] {
                    index = next
                } else {
                    result.unknown.append(index)
                    if rules.endsAtUnknownName { break loop }
                    index += 1
                }
            }
        }
        result.skipped = steps.indices.filter { !isReached[$0] }
        return result
    }

    /// Puts tests, and the variables that scripts set before them, in the order of the run.
    ///
    /// - Parameter note: Returns a comment about a test at a position.
    static func arrange(
        _ steps: [Step], _ rules: Rules, _ tests: inout [ImportedTest],
        _ assignments: inout [[ScriptOutcome.Assignment]],
        note: (_ construct: String, _ index: Int) -> ImportNote
    ) {
        let order = order(steps, rules)
        for index in order.unknown { tests[index].notes.append(note("setNextRequest with an unknown name", index)) }
        if let index = order.repetition {
            tests[index].notes.append(note("setNextRequest that repeats requests", index))
        }
        for index in order.skipped { tests[index].skip = "setNextRequest never selects it" }
        var pause = 0
        for index in order.reached {
            let delay = pause + steps[index].delay
            if delay > 0, !tests[index].steps.isEmpty {
                tests[index].steps[0].delay = DurationText.milliseconds(delay)
            }
            pause = steps[index].pause
        }
        let positions = order.reached + order.skipped
        tests = positions.map { tests[$0] }
        assignments = positions.map { assignments[$0] }
    }
}
