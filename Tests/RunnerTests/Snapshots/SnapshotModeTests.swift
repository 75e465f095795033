import Runner
import Testing

struct SnapshotModeTests {
    @Test(
        arguments: [
            ([:], false, SnapshotMode.writeMissing), (["CI": ""], false, .writeMissing),
            (["CI": "false"], false, .writeMissing),
            (["CI": "False"], false, .writeMissing), (["CI": "0"], false, .writeMissing),
            (["CI": "true"], false, .readOnly),
            (["CI": "1"], false, .readOnly),
            (["CI": "github"], false, .readOnly), ([:], true, .update), (["CI": "true"], true, .update),
        ] as [([String: String], Bool, SnapshotMode)])
    func modes(_ environment: [String: String], _ updates: Bool, _ mode: SnapshotMode) {
        #expect(SnapshotMode(updates: updates, environment: environment) == mode)
    }
}
