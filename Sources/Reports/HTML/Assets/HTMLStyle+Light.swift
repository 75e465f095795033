extension HTMLStyle {
    /// The colors of the light theme.
    static let light = #"""
          --bg: #f5f6f8;
          --surface: #ffffff;
          --sunken: #f7f8fa;
          --raised: #eceff3;
          --line: #e1e4ea;
          --line-strong: #cbd1da;
          --text: #1b2129;
          --muted: #5c6673;
          --faint: #5f6976;
          --accent: #2f5bd0;
          --accent-soft: #e8eefc;
          --passed: #1c7344;
          --flaky: #c88d17;
          --flaky-ink: #8f5d04;
          --on-flaky: #1b2129;
          --failed: #c0272d;
          --errored: #9238bd;
          --skipped: #6b7481;
          --blocked: #4f7397;
          --passed-soft: #e6f4ec;
          --flaky-soft: #fbf1dc;
          --failed-soft: #fdecec;
          --errored-soft: #f5eafa;
          --string: #0b6b3a;
          --number: #1d55b8;
          --word: #7d33ea;
          --key: #7a3e00;
          --shadow: 0 1px 2px rgb(20 30 50 / .06), 0 4px 16px rgb(20 30 50 / .05);
        """#
}
