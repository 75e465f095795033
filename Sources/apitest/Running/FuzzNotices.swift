import Basics
import ContractTools
import RunModel

extension FuzzRun.Outcome {
    /// Returns the notices about the search as a whole.
    ///
    /// - Parameter isQuiet: Whether to leave out what a user need not act upon.
    func notices(isQuiet: Bool) -> [RunNotice] {
        func notice(
            _ id: NoticeID, _ severity: RunNotice.Severity, _ message: MessageText, _ details: [MessageText]
        ) -> [RunNotice] {
            details.isEmpty ? [] : [RunNotice(id, severity: severity, suite: 0, message: message, details: details)]
        }
        var notices = unconfirmed.flatMap {
            notice(.unrepeatableFault, .note, "a fault did not occur again when its request was repeated", [$0])
        }
        notices += notice(
            .unconfirmedFault, .warning, "the search ended before these faults were confirmed", unrepeated)
        if hasLostServer {
            notices.append(
                RunNotice(
                    .lostServer, severity: .warning, suite: 0,
                    message: "the search ended early: the server no longer responds"))
        }
        notices += notice(
            .silentOperation, .warning, "operations did not respond, and got no more requests", silences)
        notices += notice(
            .missingCredentials, .warning, "operations seem to require credentials that were not given",
            missingCredentials)
        guard !isQuiet else { return notices }
        return notices
            + notice(
                .failingOperation, .note, "random requests of operations failed, and no more of them were sent",
                failures)
            + notice(
                .learnedRule, .note, "requests follow rules that the server enforces beyond its description", lessons)
    }
}
