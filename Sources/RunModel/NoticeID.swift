/// The kind of a notice about a run.
///
/// The raw value is the id that messages print and `apitest explain` explains. It stays the same when messages change.
public enum NoticeID: String, Sendable, Hashable, CaseIterable {

    // MARK: Servers and responses

    /// The server of a suite exited during the run.
    case serveEnded = "serve-ended"
    /// A response contains a JSON object that has a member more than once.
    case duplicateMembers = "duplicate-members"
    /// The value of a secret cannot be masked.
    case unmaskedSecret = "unmasked-secret"
    /// A contract is covered less than an option requires.
    case coverage

    // MARK: Selections

    /// Only the tests with `only` run.
    case focusedTest = "focused-test"
    /// A selected line belongs to no test.
    case noTestAtLine = "no-test-at-line"

    // MARK: Files that a run compares or writes

    /// Snapshots are not used by any test.
    case unusedSnapshot = "unused-snapshot"
    /// Snapshots were written, updated or removed.
    case changedSnapshots = "changed-snapshots"
    /// A snapshot could not be written or removed.
    case snapshotFile = "snapshot-file"
    /// Responses contain more than their lock.
    case lockAddition = "lock-addition"
    /// Steps have no entry in the lock of their suite.
    case unlockedStep = "unlocked-step"
    /// Entries of a lock no longer match a step.
    case outdatedLock = "outdated-lock"
    /// Findings of a baseline no longer occur.
    case outdatedBaseline = "outdated-baseline"
    /// Secrets cannot be masked in a log.
    case unmaskedLog = "unmasked-log"

    // MARK: Loads and other machines

    /// A run may need more open files than the limit.
    case openFiles = "open-files"
    /// A load starts after the time of `--start-at`.
    case lateStart = "late-start"
    /// The figures of a shard are not written to a record.
    case missingShardRecord = "missing-shard-record"
    /// Metrics could not be sent.
    case unsentMetrics = "unsent-metrics"
    /// A record could not be uploaded yet.
    case unsentRecord = "unsent-record"

    // MARK: Records

    /// A record ends before its run finished.
    case truncatedRecord = "truncated-record"
    /// A record is empty.
    case emptyRecord = "empty-record"
    /// No suite of a record has a contract.
    case recordWithoutContract = "record-without-contract"
    /// Fewer records were given than expected.
    case missingRecord = "missing-record"
    /// The records of shards are missing.
    case missingShard = "missing-shard"
    /// Several records belong to one shard.
    case repeatedShard = "repeated-shard"
    /// Several records contain one test.
    case repeatedTest = "repeated-test"
    /// Several records contain one shard of a load.
    case repeatedLoad = "repeated-load"
    /// The shards of a load had different settings.
    case differentLoads = "different-loads"
    /// The merged runs used different seeds.
    case differentSeeds = "different-seeds"
    /// Tests of a run are missing.
    case incomplete

    // MARK: Searches for faults

    /// A fault did not occur again.
    case unrepeatableFault = "unrepeatable-fault"
    /// The search ended before faults were confirmed.
    case unconfirmedFault = "unconfirmed-fault"
    /// The server no longer responds.
    case lostServer = "lost-server"
    /// Operations do not respond.
    case silentOperation = "silent-operation"
    /// Random requests of operations fail each time.
    case failingOperation = "failing-operation"
    /// Operations require credentials that were not given.
    case missingCredentials = "missing-credentials"
    /// Requests follow a rule that the description does not state.
    case learnedRule = "learned-rule"
    /// A part of a description cannot be tested.
    case notTested = "not-tested"
    /// A part of a description cannot become a test.
    case notDerived = "not-derived"
    /// No operation of a description requires a security scheme.
    case undocumentedSecurity = "undocumented-security"
    /// Credentials expired, and the login was repeated.
    case repeatedLogin = "repeated-login"
    /// Credentials were refused, and the login failed when it was repeated.
    case refusedLogin = "refused-login"
    /// The suites of the findings cannot repeat the login.
    case unrepeatableLogin = "unrepeatable-login"
}
