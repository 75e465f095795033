/// The path of a suite as a project's pages know it.
enum ProjectPath {
    /// A path relative to the project's folder, without `.` and `..` in it.
    ///
    /// - Parameters:
    ///   - path: The path as it was given, relative to the working folder or absolute.
    ///   - workingFolder: The absolute path of the working folder of the run.
    ///   - root: The absolute path of the project's folder here; the run may have been made elsewhere, and then its
    ///     working folder stands for it.
    static func file(_ path: String, workingFolder: String, root: String) -> String {
        let isInside = !root.isEmpty && (workingFolder == root || workingFolder.hasPrefix(root + "/"))
        guard isInside else {
            return SuitePlace(path: path, documentIndex: 0, workingFolder: workingFolder).file
        }
        let absolute = path.hasPrefix("/") ? path : workingFolder + "/" + path
        return SuitePlace(path: absolute, documentIndex: 0, workingFolder: root).file
    }
}
