import Testing

@testable import CEL

@Suite struct FakeTests {
    /// The pattern of each function's values.
    private static let patterns = [
        "name": "[A-Z][a-z]+ [A-Z][a-z]+", "firstName": "[A-Z][a-z]+", "lastName": "[A-Z][a-z]+",
        "userName": "[a-z]+\\.[a-z]+[1-9][0-9]{0,2}", "email": "[a-z]+\\.[a-z]+[0-9]+@example\\.(com|net|org)",
        "phone": "\\+1[0-9]{3}55501[0-9]{2}", "street": "[1-9][0-9]* [A-Z][A-Za-z ]+", "city": "[A-Z][A-Za-z ]+",
        "postcode": "[1-9][0-9]{4}", "country": "[A-Z][A-Za-z ]+",
        "address": "[0-9]+ [A-Za-z ]+, [0-9]{5} [A-Za-z ]+, [A-Za-z ]+",
        "company": "[A-Z][a-z]+ (Group|Industries|Labs|Partners|Systems|Works)",
        "domain": "[a-z]+\\.example\\.(com|net|org)", "url": "https://[a-z]+\\.example\\.(com|net|org)/[a-z]+",
        "ipv4": "(192\\.0\\.2|198\\.51\\.100|203\\.0\\.113)\\.[1-9][0-9]{0,2}",
        "ipv6": "2001:db8(:[0-9a-f]{1,4}){6}", "word": "[a-z]+", "sentence": "[A-Z][a-z]*( [a-z]+){4,11}\\.",
        "paragraph": "([A-Z][a-z ]+\\. ){2,5}[A-Z][a-z ]+\\.",
    ]

    @Test func allFunctionsHaveAPattern() {
        let names = CELFunctions.standard.names.filter { $0.hasPrefix("fake.") }.map { String($0.dropFirst(5)) }
        #expect(Set(names) == Set(Self.patterns.keys).union(["words"]))
    }

    @Test(arguments: patterns.keys.sorted())
    func values(_ name: String) throws {
        let pattern = try #require(Self.patterns[name])
        #expect(shown("lists.range(500).map(i, fake.\(name)()).filter(x, !x.matches(r'^\(pattern)$'))") == "[]")
        #expect(shown("lists.range(100).map(i, fake.\(name)()).distinct().size() > 5") == "true")
    }

    @Test func words() {
        #expect(shown("fake.words(0)") == #""""#)
        #expect(shown("fake.words(3).split(' ').size()") == "3")
        #expect(shown("fake.words(1001)").hasSuffix("the number of words must be from 0 to 1000, got 1001"))
        #expect(shown("fake.words(-1)").hasSuffix("the number of words must be from 0 to 1000, got -1"))
        #expect(shown("fake.words('3')").contains("no such overload: fake.words(string)"))
        #expect(shown("fake.name(1)").contains("fake.name() takes no arguments, got 1"))
        #expect(shown("fake.emial()").contains(#"unknown function "fake.emial"; did you mean "fake.email"?"#))
    }

    @Test func theSameSeedGivesTheSameValues() throws {
        let expression = try CELExpression("[fake.name(), fake.email(), fake.address(), fake.paragraph()]")
        func run(_ seed: UInt64) throws -> String {
            try expression.evaluate(CELVariables(), context: CELContext(random: CELRandomSource(seed: seed))).shown
        }
        #expect(try run(1) == run(1))
        #expect(try run(1) != run(2))
    }

    @Test func listsAreUniqueWords() {
        for list in [
            FakeLists.firstNames, FakeLists.lastNames, FakeLists.streets, FakeLists.cities, FakeLists.countries,
            FakeLists.words,
        ] {
            #expect(list.count > 50)
            #expect(Set(list).count == list.count)
        }
    }
}
