import Diagnostics
import SuiteModel

/// Failures by the place that an annotation stands at, of which only few can be shown.
struct AnnotatedFailures {
    /// A place with the failures there.
    struct Place {
        /// The annotation of the first failure.
        let entry: GitHubAnnotations.Entry
        /// The names of further tests that failed there, as many as are listed.
        fileprivate(set) var otherNames: [String] = []
        /// The tests that failed there.
        fileprivate(set) var count = 1
        /// The number of the cause of the first failure; nil for one of its own.
        fileprivate let cause: Int?
    }

    /// Places that are kept: far more than can be shown, so that they can be spread.
    private static let maximumPlaces = 500
    /// Names that are listed for a place.
    private static let maximumNames = 5

    private var causes = FailureCauses()
    private var places: [Place] = []
    private var indices: [String: Int] = [:]

    /// Whether a failure is at a place of its own.
    func needsEntry(_ result: TestResult) -> Bool {
        places.count < Self.maximumPlaces && indices[Self.key(of: result)] == nil
    }

    /// Adds a failure at a place of its own.
    mutating func add(_ result: TestResult, _ entry: GitHubAnnotations.Entry) {
        indices[Self.key(of: result)] = places.count
        places.append(Place(entry: entry, cause: causes.add(result)?.index))
    }

    /// Counts a failure at a place that has one already, or for which there is no room.
    mutating func count(_ result: TestResult) {
        guard let index = indices[Self.key(of: result)] else { return }
        places[index].count += 1
        if places[index].otherNames.count < Self.maximumNames { places[index].otherNames.append(result.test.name) }
    }

    /// The line at which a failure is annotated.
    private static func key(of result: TestResult) -> String {
        let range = FailurePlace(of: result)?.range ?? result.test.range
        return "\(range.file.name):\(range.start.line)"
    }

    /// Places whose causes and files differ as far as possible, the first ones first.
    func spread(limit: Int) -> [Place] {
        var causes: [Int: Int] = [:]
        var files: [String: Int] = [:]
        var left = Array(places.indices)
        var chosen: [Place] = []
        while chosen.count < limit, !left.isEmpty {
            func weight(_ index: Int) -> (Int, Int, Int) {
                let place = places[index]
                return (place.cause.flatMap { causes[$0] } ?? 0, files[place.entry.file ?? ""] ?? 0, index)
            }
            guard let next = left.indices.min(by: { weight(left[$0]) < weight(left[$1]) }) else { break }
            let place = places[left.remove(at: next)]
            if let cause = place.cause { causes[cause, default: 0] += 1 }
            files[place.entry.file ?? "", default: 0] += 1
            chosen.append(place)
        }
        return chosen
    }
}
