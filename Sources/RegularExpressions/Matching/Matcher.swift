/// Answers the questions about one program by the quickest means that can.
final class Matcher: Sendable {
    let program: Program

    /// The name of each group, number 0 being the whole match.
    let groupNames: [String?]

    init(program: Program, groupNames: [String?]) {
        self.program = program
        self.groupNames = groupNames
    }

    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        PikeVM.run(program, on: text, slotCount: 0, mode: .leftmostFirst) != nil
    }

    func matchesWhole(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        PikeVM.run(program, on: text, slotCount: 0, mode: .whole) != nil
    }

    /// The slots of the leftmost match.
    func firstMatch(in text: UnsafeBufferPointer<UInt8>) -> [Int]? {
        PikeVM.run(program, on: text, slotCount: program.slotCount, mode: .leftmostFirst)
    }
}
