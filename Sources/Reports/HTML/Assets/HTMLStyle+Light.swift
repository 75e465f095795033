extension HTMLStyle {
    /// The colours of the light theme.
    static let light = #"""
          --bg: #f5f6f8;
          --surface: #ffffff;
          --sunken: #f7f8fa;
          --raised: #eceff3;
          --line: #e1e4ea;
          --line-strong: #cbd1da;
          --text: #1b2129;
          --muted: #5c6673;
          --faint: #6f7985;
          --accent: #2f5bd0;
          --accent-soft: #e8eefc;
          --passed: #23804f;
          --flaky: #c88d17;
          --flaky-ink: #946004;
          --failed: #cf3338;
          --errored: #9238bd;
          --skipped: #8b94a1;
          --blocked: #557a9f;
          --passed-soft: #e6f4ec;
          --flaky-soft: #fbf1dc;
          --failed-soft: #fdecec;
          --errored-soft: #f5eafa;
          --string: #0b6b3a;
          --number: #1d55b8;
          --word: #8a3ffc;
          --key: #7a3e00;
          --shadow: 0 1px 2px rgb(20 30 50 / .06), 0 4px 16px rgb(20 30 50 / .05);
        """#
}
