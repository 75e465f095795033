extension HTMLStyle {
    /// The colors of the dark theme.
    static let dark = #"""
          --bg: #12151a;
          --surface: #191d24;
          --sunken: #14181e;
          --raised: #252b34;
          --line: #2a313b;
          --line-strong: #3c4551;
          --text: #e3e7ec;
          --muted: #9ba5b2;
          --faint: #9aa4b2;
          --accent: #86a8ff;
          --accent-soft: #22304f;
          --passed: #4fba85;
          --flaky: #e2b04a;
          --flaky-ink: #e2b04a;
          --on-flaky: #191d24;
          --failed: #f67b7d;
          --errored: #c98ae8;
          --skipped: #8f98a5;
          --blocked: #7ea2c6;
          --passed-soft: #173226;
          --flaky-soft: #352b14;
          --failed-soft: #3a2022;
          --errored-soft: #31233b;
          --string: #7fd3a2;
          --number: #8fb7ff;
          --word: #c9a2ff;
          --key: #e6b98a;
          --shadow: 0 1px 2px rgb(0 0 0 / .3), 0 4px 16px rgb(0 0 0 / .25);
        """#
}
