import Runner
import SuiteLoader
import SuiteModel

/// Makes plans of loaded suites as the options select.
struct SelectedPlan {
    let options: SelectionOptions
    let selection: TestSelection

    /// Reads the options.
    ///
    /// - Throws: ``ExitStatus/invalid`` when an option is wrong, which is printed.
    init(_ options: SelectionOptions, color: ColorChoice) throws {
        self.options = options
        selection = try options.selection(color: color)
    }

    /// Plans the selected tests.
    ///
    /// - Throws: ``ExitStatus/nothingSelected`` when there is none, which is printed.
    func plan(of loaded: LoadedSuites) throws -> TestPlan {
        let suites = loaded.suites.suites
        var selection = selection
        let found = PlaceFinder(loaded.places, in: suites)
        selection.places = found.places
        let plan = TestPlan(suites: suites, selection: selection)
        guard !plan.tests.isEmpty else {
            StandardError.write(
                EmptySelection(options: options, selection: selection, suites: suites, misses: found.misses).message)
            throw ExitStatus.nothingSelected
        }
        for miss in found.misses {
            let hint = EmptySelection.hint(miss).map { "; \($0)" } ?? ""
            StandardError.write("warning: there is no test at \(miss.place.path):\(miss.place.line)\(hint)\n")
        }
        return plan
    }
}
