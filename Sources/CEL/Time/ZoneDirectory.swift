import FoundationEssentials
import Synchronization

/// The system's time zones, read from the files of the zone information database when they are first used.
enum ZoneDirectory {
    private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/var/db/timezone/zoneinfo"]
    /// The zones that have been read; nil for names that are none.
    private static let zones = Mutex<[String: ZoneRules?]>([:])
    /// No file of the database is near this size.
    private static let maximumSize = 1 << 20
    /// Names asked for beyond this number are read again each time.
    private static let maximumCount = 1_000

    static func zone(named name: String) -> ZoneRules? {
        guard isName(name) else { return nil }
        if let known = zones.withLock({ $0[name] }) { return known }
        let zone = read(name)
        zones.withLock { zones in
            if zones.count < maximumCount { zones[name] = zone }
        }
        return zone
    }

    /// Letters, digits and `_+-` in parts between slashes, so that no name leads out of the folder.
    private static func isName(_ name: String) -> Bool {
        guard name.utf8.count <= 100, !name.isEmpty else { return false }
        return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { Lexer.isIdentifierPart($0) || $0 == 0x2B || $0 == 0x2D }
        }
    }

    private static func read(_ name: String) -> ZoneRules? {
        for folder in folders {
            guard let data = FileManager.default.contents(atPath: folder + "/" + name), data.count <= maximumSize
            else { continue }
            if let rules = ZoneRules(file: Array(data)) { return rules }
        }
        return nil
    }
}
