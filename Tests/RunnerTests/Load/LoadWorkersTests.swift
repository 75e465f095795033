import HTTPSession
import NIOPosix
import Testing

@testable import Runner

@Testing.Suite("Tasks of a load with a rate")
struct LoadWorkersTests {
    private let executor = EventLoopTaskExecutor(MultiThreadedEventLoopGroup.singleton.next())

    /// Starts tasks that run iterations, lets them wait, and returns the numbers of the iterations of each task.
    private func numbers(
        ofTasks count: Int, _ body: @escaping @Sendable (LoadWorkers) async -> Void
    ) async -> [[Int]] {
        await withTaskExecutorPreference(executor) {
            let workers = LoadWorkers()
            return await withTaskGroup(of: [Int].self) { group in
                for _ in 0..<count {
                    group.addTask {
                        var numbers: [Int] = []
                        while let iteration = await workers.next() { numbers.append(iteration.number) }
                        return numbers
                    }
                }
                await Task.yield()
                await body(workers)
                workers.finish()
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
    }

    @Test("A waiting task runs the next iteration, and ends with the load")
    func reuse() async {
        let numbers = await numbers(ofTasks: 1) { workers in
            #expect(workers.start(.init(number: 1, intended: 0)))
            // The task has not come back yet.
            #expect(!workers.start(.init(number: 2, intended: 0)))
            await Task.yield()
            #expect(workers.start(.init(number: 3, intended: 0)))
        }
        #expect(numbers == [[1, 3]])
    }

    @Test("Only so many tasks wait, and the others end")
    func maximum() async {
        let numbers = await numbers(ofTasks: 70) { workers in
            var started = 0
            while workers.start(.init(number: started, intended: 0)) { started += 1 }
            #expect(started == 64)
        }
        #expect(numbers.filter { $0.isEmpty }.count == 6)
        #expect(numbers.flatMap { $0 }.sorted() == Array(0..<64))
    }
}
