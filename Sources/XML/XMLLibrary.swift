import CLibXML2

/// libxml2, which does the parsing and is loaded when it is first needed.
public enum XMLLibrary {
    /// Whether libxml2 is installed; the first use loads it.
    public static var isAvailable: Bool { clx_is_available() }

    /// Checks that libxml2 is installed.
    static func require() throws(XMLError) {
        guard isAvailable else {
            throw XMLError(kind: .unavailable, message: "libxml2 is not installed: apt-get install libxml2")
        }
    }
}
