import Testing

/// Tests of the TAP report with Perl's `TAP::Parser`, which `prove` uses.
@Suite(.enabled(if: Program.isInstalled("prove"), "Perl's prove is not installed"))
struct TAPReportTests {
    private static let script = """
        use TAP::Parser;
        binmode STDOUT, ':raw';
        local $/; open my $file, '<:raw', $ARGV[0]; my $tap = <$file>;
        my $parser = TAP::Parser->new({ tap => $tap });
        while (my $result = $parser->next) {
            if ($result->is_test) {
                printf "%s %d%s|%s|%s\\n", $result->is_ok ? 'ok' : 'not ok', $result->number, $result->description,
                    $result->directive, $result->explanation;
            } elsif ($result->is_yaml) {
                my $data = $result->data;
                printf "  %s\\n", join ' ', map { "$_=" . (ref $data->{$_} || length $data->{$_}) } sort keys %$data;
            } elsif ($result->is_bailout) { printf "bail out: %s\\n", $result->explanation; }
        }
        printf "plan %s, run %s, failed %s, skipped %s, problems: %s\\n", $parser->plan, $parser->tests_run,
            join('+', $parser->failed), join('+', $parser->skipped), join('; ', $parser->parse_errors);
        """

    @Test func proveReadsTheReport() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.suite.utf8, to: directory.path + "/suite.yaml")
        TestFiles.write(Self.script.utf8, to: directory.path + "/read.pl")
        let run = try await Program.run(
            ["suite.yaml", "--report", "tap:version:13=out/report.tap", "--report", "tap"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let perl = try ProgramRun(
            ["/usr/bin/env", "perl", "read.pl", "out/report.tap"],
            environment: Program.environment(home: directory.path),
            directory: directory.path, output: directory.path + "/perl")
        #expect(try await perl.wait() == .exit(0), "\(perl.standardError)")
        let lines = perl.standardOutput.split(separator: "\n").map(String.init)
        #expect(
            lines.filter { !$0.hasPrefix("  ") } == [
                "not ok 1- Shop \\# 1 › nobody is there||",
                "ok 2- Shop \\# 1 › after it|SKIP|blocked by \"nobody is there\", which did not pass",
                "ok 3- Shop \\# 1 › later \\# TODO x|SKIP|waits for \\#12",
                "plan 1..3, run 3, failed 1, skipped 2+3, problems: ",
            ])
        #expect(lines.filter { $0.hasPrefix("  ") }.count == 1)
        #expect(lines.contains { $0.contains("account=") && $0.contains("at=HASH") && $0.contains("message=") })
        let other = try #require(TestFiles.text(directory.path + "/report.tap"))
        #expect(other.hasPrefix("TAP version 14\n"))
    }

    private static let suite = """
        name: "Shop # 1"
        baseURL: http://127.0.0.1:1
        tests:
          - name: nobody is there
            id: first
            request: GET /
          - name: after it
            needs: first
            request: GET /
          - name: "later # TODO x"
            skip: "waits for #12"
            request: GET /
        """
}
