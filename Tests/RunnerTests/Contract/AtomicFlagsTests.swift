import Testing

@testable import Runner

@Suite("Flags set concurrently by tasks")
struct AtomicFlagsTests {
    @Test("Exactly the flags that were set are kept", arguments: [0, 1, 63, 64, 65, 1_000])
    func setting(count: Int) async {
        let flags = AtomicFlags(count: count)
        #expect(flags.indices.isEmpty)
        await withTaskGroup { tasks in
            for first in 0..<4 {
                tasks.addTask {
                    for index in stride(from: first * 3, to: count, by: 3) { flags.set(index) }
                }
            }
        }
        #expect(flags.indices == Array(stride(from: 0, to: count, by: 3)))
        flags.set(-1)
        flags.set(count)
        #expect(flags.indices == Array(stride(from: 0, to: count, by: 3)))
    }
}
