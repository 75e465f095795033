import Diagnostics
import SuiteModel
import YAML

/// Where fragments are written: a file of them, or a suite.
final class FragmentSource: CallableFragments {
    /// What is known of a fragment.
    enum State {
        /// Nothing but its node.
        case unread(YAMLNode)
        /// It is being read, or one that it calls is.
        case open
        /// It was read.
        case read(Fragment)
        /// It cannot be called, which was reported.
        case broken
    }

    /// A fragment of the source.
    struct Entry {
        /// The name.
        let name: String
        /// The place of the name.
        let range: SourceRange
        /// What is known of it.
        var state: State
    }

    /// A fragment among all those of a load.
    struct Target: Hashable {
        /// The index of the source in the library.
        var source: Int
        /// The index of the fragment in its source.
        var entry: Int
    }

    /// The index in the library.
    let index: Int
    /// What the readers of the file share.
    let context: LoadContext
    /// What the fragments of the source have of their file.
    var origin: Fragment.Origin
    /// The source's fragments, in order.
    var entries: [Entry] = []
    /// The fragments that calls in the source can name, by the names that they have there.
    var visible: [String: Target] = [:]
    /// False when a file that it uses could not be read, so that any name may be one of that file's.
    var isComplete = true
    /// The files that it uses, as indices of sources.
    var used: [Int] = []
    /// The absolute path of a file of fragments.
    var path: String?
    /// What every step of its fragments has in common.
    var defaults = SuiteDefaults()
    /// The names of the file's variables.
    var scope = SuiteScope()
    /// How deep the file's variables use each other.
    var depths = VariableDepths()

    private let fragment: (Target) -> Fragment?

    /// Creates a source without fragments.
    ///
    /// - Parameter fragment: Finds a fragment that was read, among all those of the load.
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

    /// Adds the fragments of a map, none of which is read yet.
    func addEntries(_ node: YAMLNode) {
        context.readMembers(node, .map(FragmentKey.schema.description.name)) { name, key, value in
            let isName =
                !name.isEmpty && name.utf8.allSatisfy { ExpressionScan.isNamePart($0) || $0 == UInt8(ascii: "-") }
            if !isName {
                let other = NameRules.identifier(like: name)
                context.report(
                    "invalid-name", "\"\(name)\" cannot name a fragment", key.range,
                    suggestion: other.isEmpty ? "use letters, digits, \"_\" and \"-\"" : "write \"\(other)\"")
            }
            visible[name] = Target(source: index, entry: entries.count)
            entries.append(Entry(name: name, range: key.range, state: .unread(value)))
        }
    }
}
