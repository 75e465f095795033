extension HTMLStyle {
    /// The colours of the dark theme.
    static let dark = #"""
          --bg: #12151a;
          --surface: #191d24;
          --sunken: #14181e;
          --raised: #252b34;
          --line: #2a313b;
          --line-strong: #3c4551;
          --text: #e3e7ec;
          --muted: #9ba5b2;
          --faint: #8590a0;
          --accent: #86a8ff;
          --accent-soft: #22304f;
          --passed: #4fba85;
          --flaky: #e2b04a;
          --flaky-ink: #e2b04a;
          --failed: #f3696b;
          --errored: #c98ae8;
          --skipped: #77808d;
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
