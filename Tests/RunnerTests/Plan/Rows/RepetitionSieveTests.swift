import Testing

@testable import Runner

@Suite("Duplicates among many hashes")
struct RepetitionSieveTests {
    private func hasRepetition(_ hashes: [Int], maximumWords: Int = 1 << 19) -> Bool {
        var sieve = RepetitionSieve(count: hashes.count, maximumWords: maximumWords)
        for _ in 0..<sieve.firstPasses {
            for hash in hashes { sieve.add(hash) }
            sieve.endPass()
        }
        guard sieve.needsLastPass() else { return false }
        for hash in hashes { sieve.addAgain(hash) }
        return !sieve.repeated.isEmpty
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
        #expect(hasRepetition(hashes, maximumWords: 64))
    }

    @Test("With limited memory, several passes consider each hash once", arguments: [1, 2, 7, 20])
    func passes(count: Int) {
        var random = SystemRandomNumberGenerator()
        let hashes = (0..<count * 512).map { _ in Int.random(in: .min ... .max, using: &random) }
        #expect(RepetitionSieve(count: hashes.count, maximumWords: 64).firstPasses == count)
        #expect(!hasRepetition(hashes, maximumWords: 64))
        #expect(hasRepetition(hashes + [hashes[0]], maximumWords: 64))
        #expect(hasRepetition(hashes + [hashes[count * 512 - 1]], maximumWords: 64))
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
