import YAML

/// Makes the names of tests and steps unique.
enum TestNames {
    private static let maximumLength = 120

    /// Names the tests of a suite by what they request, if the source has no names, and makes names unique.
    static func apply(to suite: inout ImportedSuite) {
        var taken = UniqueNames()
        for index in suite.tests.indices {
            let test = suite.tests[index]
            var name = plain(test.name)
            if name.isEmpty { name = test.steps.first.map { title(of: $0.request, withQuery: false) } ?? "test" }
            if taken.contains(name), plain(test.name).isEmpty, let request = test.steps.first?.request {
                name = title(of: request, withQuery: true)
            } else if taken.contains(name), let group = test.group.last {
                name = "\(plain(group)): \(name)"
            }
            suite.tests[index].name = taken.unique(name)
            suite.tests[index].needs = test.needs.map(plain)
            nameSteps(&suite.tests[index].steps)
            nameSteps(&suite.tests[index].cleanup)
        }
        nameSteps(&suite.setup)
        nameSteps(&suite.teardown)
    }

    private static func nameSteps(_ steps: inout [ImportedStep]) {
        var taken = UniqueNames()
        for index in steps.indices {
            guard let name = steps[index].name else { continue }
            let plain = plain(name)
            steps[index].name = plain.isEmpty ? nil : taken.unique(plain)
        }
    }

    /// Returns the method and the path of a request, such as `GET /books/{id}`.
    private static func title(of request: ImportedRequest, withQuery: Bool) -> String {
        let parts = URLParts(request.url)
        var url = parts.path.isEmpty ? "/" : shown(parts.path)
        if withQuery {
            if let query = parts.query { url += "?" + shown(query) }
            let pairs = request.query.map { "\(shown($0.name))=\(shown($0.value))" }
            if !pairs.isEmpty { url += (parts.query == nil ? "?" : "&") + pairs.joined(separator: "&") }
        }
        return plain("\(request.method) \(url)")
    }

    private static func shown(_ text: ImportedText) -> String {
        text.parts.map { part in
            switch part {
            case .literal(let text): text
            case .expression(let source): "{\(source)}"
            }
        }.joined()
    }

    /// Returns a name without expressions, on one line.
    static func plain(_ name: String) -> String {
        var text = YAMLText.comment(name).split(separator: " ").joined(separator: " ")
        text = text.split(separator: "${", omittingEmptySubsequences: false).joined(separator: "{")
        return text.count > maximumLength ? text.prefix(maximumLength) + "…" : text
    }
}

/// Names that are used once each.
private struct UniqueNames {
    private var taken: Set<String> = []
    /// The number to try next after each name.
    private var numbers: [String: Int] = [:]

    func contains(_ name: String) -> Bool { taken.contains(name) }

    /// Returns a name that was not used before: the given one, or with a number after it.
    mutating func unique(_ name: String) -> String {
        var result = name
        var number = numbers[name] ?? 2
        while !taken.insert(result).inserted {
            result = "\(name) (\(number))"
            number += 1
        }
        numbers[name] = number
        return result
    }
}
