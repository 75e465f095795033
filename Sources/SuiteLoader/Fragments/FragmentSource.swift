import Basics
import Diagnostics
import SuiteModel
import YAML

/// A source of fragments: a fragment file or a suite.
final class FragmentSource: CallableFragments {
    /// The compilation state of a fragment.
    enum State {
        /// The fragment has not been compiled.
        case unread(YAMLNode)
        /// The fragment, or one that it calls, is being compiled.
        case open
        /// The fragment is compiled.
        case read(Fragment)
        /// The fragment cannot be called, which was reported.
        case broken
    }

    /// A fragment of the source.
    struct Entry {
        /// The name.
        let name: String
        /// The source range of the name.
        let range: SourceRange
        /// The compilation state.
        var state: State
    }

    /// A reference to a fragment of a load.
    struct Target: Hashable {
        /// The index of the source in the library.
        var source: Int
        /// The index of the fragment in its source.
        var entry: Int
    }

    /// The index of the source in the library.
    let index: Int
    /// The shared state of the readers of the file.
    let context: LoadContext
    /// The context that the fragments inherit from their file.
    var origin: Fragment.Origin
    /// The fragments of the source, in order.
    var entries: [Entry] = []
    /// The fragments that calls in the source can name, by their local names.
    var visible: [String: Target] = [:]
    /// Whether all used files were read. If not, an unknown name may belong to a file that could not be read.
    var isComplete = true
    /// The used files, as indices of sources.
    var used: [Int] = []
    /// The absolute path of a fragment file; nil for a suite.
    var path: String?
    /// The defaults of every step of the fragments.
    var defaults = SuiteDefaults()
    /// The names of the file's variables.
    var scope = SuiteScope()
    /// The depths of the file's variables.
    var depths = VariableDepths()

    private let fragment: (Target) -> Fragment?

    /// Creates a source without fragments.
    ///
    /// - Parameters:
    ///   - index: The index of the source in the library.
    ///   - context: The shared state of the readers of the file.
    ///   - origin: The context that the fragments inherit from their file.
    ///   - fragment: A closure that returns a compiled fragment of the load.
    init(
        index: Int, context: LoadContext, origin: Fragment.Origin, fragment: @escaping (Target) -> Fragment?
    ) {
        self.index = index
        self.context = context
        self.origin = origin
        self.fragment = fragment
    }

    var names: [String] { visible.keys.sorted() }

    func contains(_ name: String) -> Bool { visible[name] != nil }

    func fragment(named name: String) -> Fragment? { visible[name].flatMap(fragment) }

    /// Adds the fragments of a mapping without compiling them.
    func addEntries(_ node: YAMLNode) {
        context.readMembers(node, .map(FragmentKey.schema.description.name)) { name, key, value in
            let isName =
                !name.isEmpty && name.utf8.allSatisfy { ExpressionScan.isNamePart($0) || $0 == UInt8(ascii: "-") }
            if !isName {
                let other = NameRules.identifier(like: name)
                context.report(
                    "invalid-name", "\"\(name)\" is not a valid fragment name", key.range,
                    suggestion: other.isEmpty ? "use letters, digits, \"_\" and \"-\"" : "write \"\(other)\"")
            }
            visible[name] = Target(source: index, entry: entries.count)
            entries.append(Entry(name: name, range: key.range, state: .unread(value)))
        }
    }
}
