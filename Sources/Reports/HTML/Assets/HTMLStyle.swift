/// The style of the page.
enum HTMLStyle {
    /// The whole style sheet; the dark colors hold where the system or the reader asks for them.
    static let text = """
        :root {
        \(light)
        }
        @media (prefers-color-scheme: dark) {
        :root:not([data-theme=light]) {
        color-scheme: dark;
        \(dark)
        }
        }
        :root[data-theme=dark] {
        color-scheme: dark;
        \(dark)
        }
        @media print {
        :root:root:root {
        color-scheme: light;
        \(light)
        }
        }
        \(base)
        \(overview)
        \(detail)
        \(small)

        """
}

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

extension HTMLStyle {
    /// Text, controls, and the frame of the page.
    static let base = #"""
        *, *::before, *::after { box-sizing: border-box; }
        html { height: 100%; color-scheme: light; }
        body {
          margin: 0; height: 100%; display: flex; flex-direction: column;
          background: var(--bg); color: var(--text);
          font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
          font-variant-numeric: tabular-nums;
        }
        h1, h2, h3, p, ul, ol, dl, dd, pre, table { margin: 0; padding: 0; }
        button, input, select { font: inherit; color: inherit; }
        code, pre, .mono, kbd {
          font-family: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas,
            monospace;
          font-size: 12.5px;
        }
        [hidden] { display: none !important; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        .visually-hidden {
          position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
        }
        .spring { flex: 1; }
        .button {
          display: inline-flex; align-items: center; gap: 6px; min-height: 30px; padding: 3px 10px; cursor: pointer;
          background: var(--surface); border: 1px solid var(--line); border-radius: 7px; color: var(--text);
        }
        .button:hover { border-color: var(--line-strong); background: var(--sunken); }
        .button.quiet { background: none; border-color: transparent; color: var(--muted); }
        .button.quiet:hover { background: var(--raised); color: var(--text); }
        .button[disabled] { opacity: .45; cursor: default; }
        .control { font: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-align: left; }
        .escape {
          color: var(--errored); background: var(--errored-soft); border-radius: 3px; padding: 0 2px;
          font-size: .88em;
        }
        .dim { color: var(--muted); }
        a { color: var(--accent); }

        .mark {
          flex: none; display: inline-grid; place-items: center; width: 18px; height: 18px; border-radius: 50%;
          font: 700 11px/1 system-ui, sans-serif; color: var(--surface); background: var(--skipped);
        }
        .mark.o0 { background: var(--passed); }
        .mark.o1, .mark.o6 { background: var(--flaky-ink); }
        .mark.o2 { background: var(--failed); }
        .mark.o3 { background: var(--errored); }
        .mark.o4 { background: var(--skipped); }
        .mark.o5 { background: var(--blocked); }
        .ink0 { color: var(--passed); }
        .ink1, .ink6 { color: var(--flaky-ink); }
        .ink2 { color: var(--failed); }
        .ink3 { color: var(--errored); }
        .ink4, .ink5 { color: var(--muted); }
        .fill0 { background: var(--passed); }
        .fill1 { background: var(--flaky); }
        .fill6 { background: repeating-linear-gradient(45deg, var(--flaky) 0 2px, var(--surface) 2px 4px); }
        .fill2 { background: var(--failed); }
        .fill3 { background: var(--errored); }
        .fill4 { background: var(--skipped); }
        .fill5 { background: var(--blocked); }

        /* The frame: a bar above, the tests on the left, what is chosen on the right. */
        .top {
          flex: none; display: flex; align-items: center; gap: 12px; height: 54px; padding: 0 16px;
          background: var(--surface); border-bottom: 1px solid var(--line);
        }
        .top .mark { width: 24px; height: 24px; font-size: 14px; }
        .top .verdict { display: flex; align-items: center; gap: 10px; min-width: 0; border-radius: 6px; }
        .top .verdict b { font-size: 16px; font-weight: 650; white-space: nowrap; }
        .top .verdict span:last-child {
          color: var(--muted); white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
        }
        .top .proportions { width: 160px; }
        .frame { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(330px, 30%) minmax(0, 1fr); }
        .side {
          display: flex; flex-direction: column; min-width: 0; min-height: 0;
          background: var(--surface); border-right: 1px solid var(--line);
        }
        .main { min-width: 0; overflow-y: auto; scrollbar-gutter: stable; padding: 24px 28px 64px; }
        .main:focus { outline: none; }
        .page { max-width: 1120px; margin: 0 auto; }

        .filters { flex: none; padding: 12px 12px 8px; border-bottom: 1px solid var(--line); }
        .search { position: relative; }
        .search input {
          width: 100%; height: 34px; padding: 0 34px 0 12px; border-radius: 8px; border: 1px solid var(--line-strong);
          background: var(--sunken);
        }
        .search input::placeholder { color: var(--faint); }
        .search kbd {
          position: absolute; right: 9px; top: 7px; padding: 0 6px; border: 1px solid var(--line); border-radius: 4px;
          color: var(--faint); background: var(--surface); pointer-events: none;
        }
        .chips { display: flex; flex-wrap: wrap; gap: 5px; margin-top: 8px; }
        .chip {
          display: inline-flex; align-items: center; gap: 6px; padding: 2px 9px; cursor: pointer; font-size: 12.5px;
          border: 1px solid var(--line); border-radius: 99px; background: var(--surface); color: var(--muted);
        }
        .chip:hover { border-color: var(--line-strong); color: var(--text); }
        .chip i { width: 8px; height: 8px; border-radius: 50%; }
        .chip b { color: var(--text); font-weight: 600; }
        .chip[aria-pressed=true] { background: var(--accent-soft); border-color: var(--accent); color: var(--text); }
        .selects { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 6px; margin-top: 8px; }
        .selects select {
          width: 100%; height: 30px; padding: 0 6px; border: 1px solid var(--line); border-radius: 7px;
          background: var(--surface); font-size: 12.5px;
        }
        .shown { display: flex; align-items: center; gap: 8px; min-height: 26px; margin-top: 6px; font-size: 12.5px; }
        .shown button { color: var(--accent); }

        .list { flex: 1; min-height: 0; overflow-y: auto; position: relative; contain: strict; }
        .list:focus-visible { outline-offset: -2px; }
        .list[aria-activedescendant]:focus-visible { outline: none; }
        .list .space { position: relative; overflow: hidden; }
        .row {
          position: absolute; left: 0; right: 0; height: 50px; padding: 6px 12px 6px 14px; cursor: pointer;
          display: grid; grid-template-columns: 18px minmax(0, 1fr) auto; column-gap: 10px; align-items: center;
          border-bottom: 1px solid var(--line); contain: strict;
        }
        .row:hover { background: var(--sunken); }
        .row[aria-selected=true] { background: var(--accent-soft); box-shadow: inset 3px 0 var(--accent); }
        .list:focus-visible .row[aria-selected=true] { box-shadow: inset 0 0 0 2px var(--accent); }
        .row .name, .row .under {
          white-space: nowrap; overflow: hidden; text-overflow: ellipsis; unicode-bidi: plaintext;
        }
        .row .name { line-height: 19px; font-weight: 500; }
        .row .under { line-height: 17px; font-size: 12px; color: var(--muted); }
        .row .time { color: var(--muted); font-size: 12.5px; text-align: right; }
        .row.o2 .under, .row.o3 .under { color: var(--text); }
        .row .where { color: var(--muted); }
        .row .where::after { content: " · "; }
        .strip.small { display: flex; gap: 1px; align-items: flex-end; justify-content: flex-end; height: 12px; }
        .strip.small i { width: 4px; height: 6px; border-radius: 1px; }
        .strip.small .fill2, .strip.small .fill3 { height: 12px; }
        .strip.small .fill1 { height: 9px; }
        .nothing { padding: 40px 20px; text-align: center; color: var(--muted); }
        """#
}
