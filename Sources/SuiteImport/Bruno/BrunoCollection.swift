import Basics
import Diagnostics
import FileSystem
import JSON

/// The files of a collection: its requests in order with what they inherit, and its environments.
struct BrunoCollection {
    /// A request with what its directories add.
    struct Item {
        /// The file.
        var file: SourceFile
        /// Its blocks.
        var bru: BruFile
        /// The name.
        var name: String
        /// The directory of the collection.
        var root: String
        /// The names of the directories around the request.
        var group: [String] = []
        /// The settings of the collection and the directories, the outermost first.
        var levels: [BruFile] = []
        /// The files of the settings.
        var levelFiles: [SourceFile] = []
        /// The credentials of the nearest level that has some, with their mode.
        var auth: (BruFile, mode: String)?
    }

    /// The name.
    var name: String
    /// The directory.
    let root: String
    /// The requests in order.
    private(set) var items: [Item] = []
    /// The environments, by name.
    private(set) var environments: [(name: String, bru: BruFile, file: SourceFile)] = []
    /// The settings of the collection.
    private(set) var settings: (bru: BruFile, file: SourceFile)?
    private var isTooDeep = false
    /// The maximum size of the settings of directories, counted for each request that inherits them.
    private static let maximumInheritedBytes = 512 << 20

    /// A directory of a collection.
    private struct Directory {
        var settings: (bru: BruFile, file: SourceFile)?
        var requests: [(file: SourceFile, bru: BruFile)] = []
        var directories: Set<String> = []
    }

    private var tree: [String: Directory] = [:]

    /// Reads the files below a directory.
    init(root: String, name: String?, _ files: [SourceFile], _ context: inout ImportContext) {
        self.root = root
        self.name = name ?? Path.lastComponent(of: root)
        for file in files {
            guard let bru = BruFile(file, &context) else { continue }
            let relative = root.isEmpty ? file.name : String(file.name.dropFirst(root.count + 1))
            var parts = relative.split(separator: "/").map(String.init)
            let last = parts.popLast() ?? ""
            if parts == ["environments"] {
                let end = last.lastIndex(of: ".") ?? last.endIndex
                environments.append((String(last[..<end]), bru, file))
                continue
            }
            let directory = parts.joined(separator: "/")
            addParents(of: parts)
            let isCollection =
                parts.isEmpty && ["collection.bru", "opencollection.yml", "opencollection.yaml"].contains(last)
            if isCollection || ["folder.bru", "folder.yml", "folder.yaml"].contains(last) {
                tree[directory, default: Directory()].settings = (bru, file)
            } else {
                tree[directory, default: Directory()].requests.append((file, bru))
            }
        }
        settings = tree[""]?.settings
        add(directory: "", group: [], levels: [], files: [], auth: nil, depth: 0)
        let inherited = items.reduce(0) { $0 + $1.levelFiles.reduce(0) { $0 + $1.text.count } }
        if inherited > Self.maximumInheritedBytes {
            context.report(
                "import-too-large",
                "the settings of directories, repeated for each of their requests, have more than \(Self.maximumInheritedBytes >> 20) MiB: import the collection in parts",
                nil)
            items = []
        }
        if isTooDeep {
            context.report(
                "import-too-deep", "directories are nested deeper than \(ImportLimits.depth) levels",
                files.first.map { SourceRange(file: $0, bytes: 0..<0) })
        }
    }

    private mutating func addParents(of parts: [String]) {
        var parts = parts
        while !parts.isEmpty {
            let path = parts.joined(separator: "/")
            parts.removeLast()
            tree[parts.joined(separator: "/"), default: Directory()].directories.insert(path)
        }
    }

    /// Adds the requests of a directory: those of its directories first, as Bruno runs them.
    private mutating func add(
        directory path: String, group: [String], levels: [BruFile], files: [SourceFile], auth: (BruFile, mode: String)?,
        depth: Int
    ) {
        guard let directory = tree[path] else { return }
        guard depth < ImportLimits.depth else {
            isTooDeep = true
            return
        }
        var (group, levels, files, auth) = (group, levels, files, auth)
        if !path.isEmpty {
            group.append(directory.settings?.bru.value("meta", "name") ?? Path.lastComponent(of: path))
        }
        if let (bru, file) = directory.settings {
            levels.append(bru)
            files.append(file)
            // A directory cannot remove the credentials that it inherits.
            if let mode = bru.value("auth", "mode"), mode != "inherit", mode != "none" { auth = (bru, mode) }
        }
        func position(_ bru: BruFile?) -> Double {
            bru?.value("meta", "seq").flatMap { Double($0) }.flatMap { $0.isNaN ? nil : $0 } ?? .infinity
        }
        let prefix = path.isEmpty ? "" : "\(path)/"
        let names = directory.directories.map { next in
            let text = tree[next]?.settings?.bru.value("meta", "seq")
            return (
                name: Path.lastComponent(of: next), position: text.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
            )
        }
        for name in DirectoryOrder.arranged(names) {
            let next = prefix + name
            add(directory: next, group: group, levels: levels, files: files, auth: auth, depth: depth + 1)
        }
        for (file, bru) in directory.requests.sorted(by: {
            (position($0.bru), $0.file.name) < (position($1.bru), $1.file.name)
        }) {
            var item = Item(file: file, bru: bru, name: bru.value("meta", "name") ?? "", root: root)
            item.group = group
            item.levels = levels
            item.levelFiles = files
            item.auth = auth
            items.append(item)
        }
    }
}
