import Diagnostics
import SuiteModel
import YAML

extension SuiteReader {
    /// Whether a document is a file of fragments, which is no suite; reports it.
    func isFragmentFile(_ node: YAMLNode) -> Bool {
        guard let key = node.mapping?.first(where: { $0.key.scalar?.text == "fragments" })?.key,
            node["tests"] == nil, node["setup"] == nil, node["baseURL"] == nil
        else { return false }
        context.report(
            "fragment-file", "this is a file of fragments and no suite", key.range,
            suggestion: "name it under \"use\" in the suites that call its fragments")
        return true
    }

    /// Makes the fragments that a suite holds and uses known, before its tests are read.
    func readFragments(
        _ fragments: YAMLNode?, use: YAMLNode?, defaults: SuiteDefaults, scope: SuiteScope, into suite: inout Suite
    ) {
        guard fragments != nil || use != nil, let library = context.fragments else { return }
        let source = library.add(
            suite: suite, context: context, fragments: fragments, use: use, defaults: defaults, scope: scope)
        suite.fragments = source.entries.indices.compactMap {
            library.fragment(FragmentSource.Target(source: source.index, entry: $0))
        }
        suite.fragmentFiles = library.files(usedBy: source)
    }
}
