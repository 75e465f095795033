import Testing

@testable import Runner

@Suite("Duplicates among many hashes")
struct RepetitionSieveTests {
    private func hasRepetition(_ hashes: [Int]) -> Bool {
        var sieve = RepetitionSieve(count: hashes.count)
        for hash in hashes { sieve.add(hash) }
        guard sieve.needsSecondPass() else { return false }
        for hash in hashes { sieve.addAgain(hash) }
        return sieve.hasRepetition
    }

    @Test(
        "A duplicate hash is found at any position",
        arguments: [0, 1, 500, 9_998], [1, 2, 5_000, 9_999])
    func repetition(first: Int, second: Int) {
        guard first < second else { return }
        var random = SystemRandomNumberGenerator()
        var hashes = (0..<10_000).map { _ in Int.random(in: .min ... .max, using: &random) }
        #expect(!hasRepetition(hashes))
        hashes[second] = hashes[first]
        #expect(hasRepetition(hashes))
    }

    @Test("Hashes that share bits are not duplicates")
    func sharedBits() {
        #expect(!hasRepetition((0..<5_000).map { $0 << 32 }))
        #expect(hasRepetition((0..<5_000).map { $0 << 32 } + [77 << 32]))
        #expect(hasRepetition([3, 3, 3]))
        #expect(!hasRepetition([]))
        #expect(!hasRepetition([-1, .max, .min]))
    }
}
