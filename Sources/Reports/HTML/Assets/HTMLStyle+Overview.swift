extension HTMLStyle {
    /// The overview.
    static let overview = #"""
        .proportions {
          display: flex; height: 10px; border-radius: 99px; overflow: hidden; background: var(--raised); gap: 1px;
        }
        .proportions i { min-width: 2px; }
        .card {
          background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 18px 20px;
          margin-top: 16px;
        }
        .card > h2 {
          display: flex; align-items: baseline; gap: 10px; font-size: 13.5px; font-weight: 650; margin-bottom: 12px;
        }
        .card > h2 small { font-weight: 400; color: var(--muted); font-size: 12.5px; }
        .hero { margin-top: 0; padding: 22px 24px; }
        .hero h1 { font-size: 25px; line-height: 1.25; font-weight: 680; letter-spacing: -.01em; }
        .hero .sub { color: var(--muted); margin: 2px 0 16px; }
        .hero .proportions { height: 14px; }
        .counts { display: flex; flex-wrap: wrap; gap: 4px 26px; margin-top: 14px; }
        .counts button { padding: 4px 0; border-radius: 6px; }
        .counts b { display: block; font-size: 22px; line-height: 1.2; font-weight: 650; }
        .counts span { color: var(--muted); font-size: 12.5px; }
        .counts button:hover span { text-decoration: underline; }
        .facts {
          display: grid; grid-template-columns: repeat(auto-fill, minmax(172px, 1fr)); gap: 14px 22px;
        }
        .overview { display: flex; flex-direction: column; }
        .overview > * { flex: none; min-width: 0; }
        /* The page has failures before facts, a wide screen shows both at once. */
        .overview > .hero { order: -2; }
        .overview > .run { order: -1; }
        .facts dt { color: var(--muted); font-size: 12px; }
        .facts dd { overflow-wrap: anywhere; }
        .columns { display: grid; grid-template-columns: 4fr 5fr; gap: 16px; }
        .notice { border-left: 4px solid var(--line-strong); }
        .notice.error { border-left-color: var(--failed); }
        .notice.warning { border-left-color: var(--flaky); }
        .notice.note { border-left-color: var(--accent); }
        .notice p { font-weight: 500; overflow-wrap: anywhere; }
        .notice pre { margin-top: 8px; white-space: pre-wrap; overflow-wrap: anywhere; color: var(--muted); }

        .lines { display: block; }
        .line {
          display: grid; align-items: center; gap: 4px 14px; width: calc(100% + 16px); padding: 7px 8px; margin: 0 -8px;
          cursor: pointer; text-align: left; background: none; border: 0; border-top: 1px solid var(--line);
        }
        .line:first-child { border-top-color: transparent; }
        .line:hover { background: var(--sunken); }
        .line .grow {
          min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: plaintext;
        }
        .line small { color: var(--muted); font-size: 12px; }
        .line .end { text-align: right; white-space: nowrap; color: var(--muted); }
        .line.suite { grid-template-columns: minmax(0, 30%) minmax(80px, 1fr) minmax(150px, auto) 76px; }
        .line.suite[aria-pressed=true] { background: var(--accent-soft); }
        .line.suite .tally { display: flex; gap: 10px; justify-content: flex-end; font-size: 12.5px; }
        .line.cause { grid-template-columns: minmax(34px, max-content) minmax(0, 1fr); }
        .line.cause b { text-align: center; font-size: 15px; }
        .line.cause > .mark { justify-self: center; }
        .line.slow { grid-template-columns: 18px minmax(0, 1fr) 16% 66px; padding: 5px 8px; }
        .line.trend { grid-template-columns: 96px minmax(0, 1fr) minmax(0, 1fr); }
        .tag-kind { font-size: 12px; font-weight: 600; }
        .bar { height: 8px; border-radius: 99px; background: var(--raised); overflow: hidden; }
        .bar i { display: block; height: 100%; border-radius: 99px; }

        .histogram { display: flex; align-items: flex-end; gap: 3px; height: 330px; }
        .histogram button {
          flex: 1; min-width: 0; height: 100%; display: flex; flex-direction: column; justify-content: flex-end;
          background: none; border: 0; padding: 0; cursor: pointer; text-align: center; border-radius: 5px;
        }
        .histogram button:hover, .histogram button[aria-pressed=true] { background: var(--accent-soft); }
        .histogram .stack {
          display: flex; flex-direction: column-reverse; border-radius: 4px 4px 0 0; overflow: hidden;
        }
        .histogram .number { font-size: 11px; color: var(--muted); }
        .histogram .label { font-size: 11px; color: var(--muted); padding-top: 4px; white-space: nowrap; height: 22px; }
        .histogram .label { text-align: left; }

        .timeline { position: relative; }
        .timeline .scroll { max-height: 420px; overflow-y: auto; border: 1px solid var(--line); border-radius: 8px; }
        .timeline canvas { display: block; width: 100%; cursor: crosshair; border-radius: 8px; }
        .timeline .tools { display: flex; gap: 4px; align-items: center; margin-bottom: 8px; }
        .timeline .tools .dim { font-size: 12.5px; margin-left: 6px; }
        .timeline .tools .button { min-width: 30px; justify-content: center; }
        .tip {
          position: fixed; z-index: 5; max-width: 360px; padding: 7px 10px; border-radius: 8px; pointer-events: none;
          background: var(--text); color: var(--surface); font-size: 12.5px; line-height: 1.4; overflow-wrap: anywhere;
        }
        .legend { display: flex; flex-wrap: wrap; gap: 4px 14px; font-size: 12px; color: var(--muted); }
        .legend i { display: inline-block; width: 9px; height: 9px; border-radius: 3px; margin-right: 5px; }
        """#
}
