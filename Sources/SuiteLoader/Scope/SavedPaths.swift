import Basics
import Diagnostics
import SuiteModel

/// Checks that no two steps of a test, or of a fragment, save to the same file, as far as this is certain before the run.
///
/// A step that may not run and a path with an expression are left to the run.
struct SavedPaths {
    /// A file that is saved whenever the steps run.
    private struct Site {
        /// The path without `.` segments.
        var path: String
        /// The source range of the path, or of the call of the fragment that contains it.
        var range: SourceRange
        /// The source range of the path in a fragment.
        var inner: SourceRange?
    }

    private let context: LoadContext
    private var sites: [ObjectIdentifier: [Site]] = [:]

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Checks steps that run one after another.
    mutating func check(_ steps: [SuiteStep]) {
        var first: [String: Site] = [:]
        for site in sites(of: steps) {
            guard let other = first[site.path] else {
                first[site.path] = site
                continue
            }
            // A fragment whose own steps save to the same file is reported by itself.
            if site.inner != nil, site.range == other.range { continue }
            var related = [Diagnostic.Related(message: "the other one is here", range: other.range)]
            if let inner = site.inner ?? other.inner {
                related.append(Diagnostic.Related(message: "the fragment saves the file here", range: inner))
            }
            context.report(
                "duplicate-save",
                site.inner == nil
                    ? "another step already saves \"\(site.path)\""
                    : "the call saves \"\(site.path)\", which is already saved", site.range,
                related: related,
                suggestion: site.inner == nil
                    ? "use a different path" : "make the path depend on a parameter, such as \"save: ${name}.json\"")
        }
    }

    /// Returns the files that steps save for certain, in order.
    private mutating func sites(of steps: [SuiteStep]) -> [Site] {
        var sites: [Site] = []
        var next = 0
        // Accesses steps by index, because iterating would copy each of them as a whole.
        for index in steps.indices where index >= next {
            if steps[index].flow?.mayNotRun == true {
                next = index + 1 + (steps[index].group?.count ?? 0)
                continue
            }
            if let output = steps[index].output, let text = output.path?.constantText, let range = output.pathRange {
                sites.append(Site(path: Self.normalized(text), range: range))
            }
            // Of calls that are made once for a run, only one saves.
            guard case .call(let call) = steps[index].action, !call.runsOnce else { continue }
            sites += self.sites(of: call.fragment).map { site in
                Site(path: site.path, range: call.range, inner: site.inner ?? site.range)
            }
        }
        return sites
    }

    private mutating func sites(of fragment: Fragment) -> [Site] {
        let key = ObjectIdentifier(fragment)
        if let known = sites[key] { return known }
        let found = sites(of: fragment.steps)
        sites[key] = found
        return found
    }

    private static func normalized(_ path: String) -> String {
        path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
