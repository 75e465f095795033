import RunModel
import Testing

@Suite("Shards")
struct ShardTests {
    @Test(
        "A shard is parsed from INDEX/COUNT or hash:INDEX/COUNT",
        arguments: [
            ("1/1", 1, 1, .balanced, "1/1"), ("2/5", 2, 5, .balanced, "2/5"), ("07/09", 7, 9, .balanced, "7/9"),
            ("100000/100000", 100_000, 100_000, .balanced, "100000/100000"), ("hash:2/5", 2, 5, .hash, "hash:2/5"),
        ] as [(String, Int, Int, Shard.Rule, String)])
    func good(text: String, index: Int, count: Int, rule: Shard.Rule, description: String) throws {
        let shard = try #require(Shard(parsing: text))
        #expect(shard.index == index && shard.count == count && shard.division.rule == rule)
        #expect(shard.description == description)
        #expect(Shard(index: index, count: count, rule: rule) == shard)
    }

    @Test(
        "Other strings are not parsed as shards",
        arguments: [
            "", "/", "1", "1/", "/2", "0/2", "3/2", "1/2/3", "-1/2", "+1/2", "a/b", "1 / 2", "1/100001",
            "99999999999999999999/2", "１/２", "hash:", "hash:0/2", "hash:3/2", "hash:hash:1/2", "Hash:1/2", "hash: 1/2",
            "auto", "hash",
        ])
    func bad(text: String) {
        #expect(Shard(parsing: text) == nil)
    }

    @Test("Siblings are different shards of the same division")
    func siblings() throws {
        let shard = try #require(Shard(parsing: "1/2"))
        #expect(Array(shard.division.shards).map(\.description) == ["1/2", "2/2"])
        for (text, isSibling) in [("2/2", true), ("1/2", false), ("2/3", false), ("hash:2/2", false)] {
            #expect(shard.isSibling(of: try #require(Shard(parsing: text))) == isSibling, "\(text)")
        }
    }
}
