package import Basics

extension CELExpression {
    /// The first parts of the names of functions, such as `date`.
    private static let namespaces = Set(
        CELFunctions.standard.functions.keys.compactMap { name in
            name.firstIndex(of: ".").map { String(name[..<$0]) }
        })

    /// Returns the error of a call with a wrong number of arguments, if a reference is the first part of the function's
    /// name.
    ///
    /// `date.format(x)` is a call of the method `format` of a variable `date` if there is one.
    package func misreadCall(of reference: Reference) -> MessageText? {
        guard reference.path.count == 1, Self.namespaces.contains(reference.name) else { return nil }
        var functions = CELFunctions.standard
        let prefix = reference.name + "."
        for name in functions.functions.keys where name.hasPrefix(prefix) {
            functions.methods[String(name.dropFirst(prefix.count))] = nil
        }
        do throws(CELSyntaxError) {
            _ = try CELExpression(source, functions: functions)
            return nil
        } catch {
            return error.offset == reference.offset ? error.message : nil
        }
    }
}
