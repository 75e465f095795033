import Basics

/// The functions `fake.name`, `fake.email`, and others, which return fake data that depends on the seed of the run.
///
/// Domains and IP addresses are reserved for documentation (RFC 2606, RFC 5737, RFC 3849), and telephone numbers for
/// fiction, so no value belongs to anyone. All values are ASCII.
enum FakeFunctions {
    /// The maximum number of words of `fake.words`.
    private static let maximumWords: Int64 = 1_000

    static func register(in functions: inout CELFunctions) {
        text("firstName", in: &functions) { $0.element(of: FakeLists.firstNames) }
        text("lastName", in: &functions) { $0.element(of: FakeLists.lastNames) }
        text("name", in: &functions) { name($0) }
        text("userName", in: &functions) { userName($0) }
        text("email", in: &functions) { userName($0) + "@" + $0.element(of: domains) }
        text("phone", in: &functions) { phone($0) }
        text("street", in: &functions) { street($0) }
        text("city", in: &functions) { $0.element(of: FakeLists.cities) }
        text("postcode", in: &functions) { postcode($0) }
        text("country", in: &functions) { $0.element(of: FakeLists.countries) }
        text("address", in: &functions) { random in
            street(random) + ", " + postcode(random) + " " + random.element(of: FakeLists.cities) + ", "
                + random.element(of: FakeLists.countries)
        }
        text("company", in: &functions) { random in
            let name = random.element(of: FakeLists.lastNames)
            return name + " " + random.element(of: ["Group", "Industries", "Labs", "Partners", "Systems", "Works"])
        }
        text("domain", in: &functions) { $0.element(of: FakeLists.words) + "." + $0.element(of: domains) }
        text("url", in: &functions) { random in
            "https://" + random.element(of: FakeLists.words) + "." + random.element(of: domains) + "/"
                + random.element(of: FakeLists.words)
        }
        text("ipv4", in: &functions) { random in
            random.element(of: ["192.0.2.", "198.51.100.", "203.0.113."]) + String(random.number(1...254))
        }
        text("ipv6", in: &functions) { random in
            let groups = (0..<6).map { _ in String(random.number(0...0xFFFF), radix: 16) }
            return "2001:db8:" + groups.joined(separator: ":")
        }
        text("word", in: &functions) { $0.element(of: FakeLists.words) }
        functions.function("fake.words", isPure: false) { value, state throws(CELFailure) in
            guard case .int(let count) = value else { throw .noOverload }
            guard (0...maximumWords).contains(count) else {
                throw .message("fake.words(): the number of words must be from 0 to \(maximumWords), got \(count)")
            }
            try state.meter.step(Int(count))
            return try state.made(words(Int(count), state.context.random))
        }
        text("sentence", in: &functions) { sentence($0) }
        text("paragraph", in: &functions) { random in
            (0..<random.number(3...6)).map { _ in sentence(random) }.joined(separator: " ")
        }
    }

    /// Adds a function without arguments that returns a short text.
    private static func text(
        _ name: String, in functions: inout CELFunctions, _ body: @escaping @Sendable (CELRandomSource) -> String
    ) {
        functions.function("fake." + name, counts: 0...0, isPure: false) { _, state throws(CELFailure) in
            try state.meter.step(10)
            return try state.made(body(state.context.random))
        }
    }

    // MARK: People

    /// The domains that are reserved for examples (RFC 2606, section 3).
    private static let domains = ["example.com", "example.net", "example.org"]

    private static func name(_ random: CELRandomSource) -> String {
        random.element(of: FakeLists.firstNames) + " " + random.element(of: FakeLists.lastNames)
    }

    /// Returns a name for a login, such as `ada.wright417`.
    private static func userName(_ random: CELRandomSource) -> String {
        let name = random.element(of: FakeLists.firstNames) + "." + random.element(of: FakeLists.lastNames)
        return name.lowercased() + String(random.number(1...999))
    }

    /// Returns a number of the United States in the format E.164. 555-0100 to 555-0199 are reserved for fiction.
    private static func phone(_ random: CELRandomSource) -> String {
        let area = random.element(of: ["202", "212", "303", "312", "404", "415", "512", "617", "702", "808"])
        return "+1" + area + "55501" + ASCII.padded(random.number(0...99), 2)
    }

    // MARK: Addresses

    private static func street(_ random: CELRandomSource) -> String {
        String(random.number(1...250)) + " " + random.element(of: FakeLists.streets)
    }

    private static func postcode(_ random: CELRandomSource) -> String {
        ASCII.padded(random.number(10_000...99_999), 5)
    }

    // MARK: Words

    private static func words(_ count: Int, _ random: CELRandomSource) -> String {
        (0..<count).map { _ in random.element(of: FakeLists.words) }.joined(separator: " ")
    }

    private static func sentence(_ random: CELRandomSource) -> String {
        let text = words(random.number(5...12), random)
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }
}

extension CELRandomSource {
    /// Returns a number of a range.
    fileprivate func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next(below: UInt64(range.count)))
    }

    /// Returns an element of a list; an empty string for an empty list.
    fileprivate func element(of list: [String]) -> String {
        let position = Int(next(below: UInt64(list.count)))
        return list.indices.contains(position) ? list[position] : ""
    }
}
