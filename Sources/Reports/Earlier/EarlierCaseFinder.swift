import SuiteModel

/// Finds the tests that a case of an earlier report speaks of.
struct EarlierCaseFinder {
    private let tests: [TestReference]
    private let suiteNames: [String]
    private let places: [SuitePlace]
    private let files: Set<String>
    /// The files of suites by their paths relative to a folder above the working folder, as a report may have them.
    private var filesOfRoots: [String: String] = [:]
    private let workingFolder: String
    /// The tests of a name, as reports write it.
    private var testsOfName: [String: [Int]] = [:]

    init(tests: [TestReference], suites: [SuiteInfo], workingFolder: String, masking mask: (String) -> String) {
        self.tests = tests
        self.workingFolder = workingFolder
        suiteNames = suites.map { JUnitCase.shown(mask($0.name)) }
        places = suites.map {
            SuitePlace(path: $0.path, documentIndex: $0.documentIndex, workingFolder: workingFolder)
        }
        files = Set(places.map(\.file))
        var root = workingFolder[...]
        while let slash = root.lastIndex(of: "/"), slash > root.startIndex {
            root = root[..<slash]
            for (suite, place) in zip(suites, places) {
                let path = SuitePlace(
                    path: suite.path, documentIndex: 0, workingFolder: workingFolder, root: String(root)
                ).file
                if filesOfRoots[path] == nil { filesOfRoots[path] = place.file }
            }
        }
        for (index, test) in tests.enumerated() {
            testsOfName[JUnitCase.shown(mask(test.name)), default: []].append(index)
        }
    }

    /// The tests of a case: one, unless tests of one name cannot be told apart; none when there is none any more.
    func tests(of earlier: EarlierCase) -> [Int] {
        for (position, name) in StepSeparator.prefixes(of: earlier.name).enumerated() {
            for name in [name, RoundName.removed(from: name)] {
                guard let name, var candidates = testsOfName[String(name)] else { continue }
                if position > 0 { candidates = candidates.filter { tests[$0].hasSteps } }
                let found = located(candidates, earlier)
                if !found.isEmpty { return found }
            }
        }
        return []
    }

    /// Those of the candidates that are in the case's suite.
    private func located(_ candidates: [Int], _ earlier: EarlierCase) -> [Int] {
        var found: [Int] = []
        var isFileKnown = false
        if let file = earlier.file {
            var path = SuitePlace(path: file, documentIndex: 0, workingFolder: workingFolder).file
            if !files.contains(path), let below = filesOfRoots[path] { path = below }
            isFileKnown = files.contains(path)
            found = candidates.filter { places[tests[$0].suite].file == path }
        }
        if found.isEmpty, !isFileKnown {
            found = candidates.filter { suiteNames[tests[$0].suite] == earlier.suiteName }
            if found.isEmpty, earlier.file == nil {
                found = candidates.filter { places[tests[$0].suite].className == earlier.className }
            }
        }
        guard found.count > 1 else { return found }
        // Documents of one file: the class tells them apart, the suite's name where that was changed.
        let ofClass = found.filter { places[tests[$0].suite].className == earlier.className }
        if !ofClass.isEmpty { return ofClass }
        let ofName = found.filter { suiteNames[tests[$0].suite] == earlier.suiteName }
        return ofName.isEmpty ? found : ofName
    }
}
