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

extension HTMLStyle {
    /// What is known of a test.
    static let detail = #"""
        .crumbs {
          display: flex; align-items: center; gap: 8px; margin-bottom: 10px; color: var(--muted); font-size: 12.5px;
        }
        .crumbs .path { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .title { display: flex; gap: 12px; align-items: flex-start; }
        .title .mark { width: 26px; height: 26px; font-size: 15px; margin-top: 3px; }
        .title h1 {
          font-size: 21px; line-height: 1.35; font-weight: 660; overflow-wrap: anywhere; unicode-bidi: plaintext;
        }
        .about {
          display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 8px 0 0 38px; color: var(--muted);
          align-items: center;
        }
        .about .outcome { font-weight: 600; }
        .tag { padding: 0 8px; border-radius: 99px; background: var(--raised); color: var(--muted); font-size: 12px; }
        .beside { margin-left: 12px; }
        .crumbs .button { flex: none; white-space: nowrap; font-size: 12.5px; }
        .reason { margin: 12px 0 0 38px; overflow-wrap: anywhere; }
        .section { margin-top: 18px; }
        .section > h2, .section > h3 { font-size: 13px; font-weight: 650; margin-bottom: 8px; }
        .block { background: var(--surface); border: 1px solid var(--line); border-radius: 11px; margin-top: 10px; }
        .block > .inner { padding: 14px 18px 16px; }

        .finding { border-left: 4px solid var(--failed); padding: 13px 18px 15px; }
        .finding.error { border-left-color: var(--errored); }
        .finding .head { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; }
        .finding .subject { font-weight: 650; font-size: 13px; overflow-wrap: anywhere; }
        .place { color: var(--muted); font-size: 12px; overflow-wrap: anywhere; }
        .finding .message { margin-top: 6px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 14.5px; }
        .source {
          display: grid; grid-template-columns: auto minmax(0, 1fr); margin-top: 8px; background: var(--sunken);
          border: 1px solid var(--line); border-radius: 8px; overflow: hidden;
        }
        .source .number {
          padding: 6px 10px; color: var(--faint); border-right: 1px solid var(--line); user-select: none;
        }
        .source pre { padding: 6px 12px; white-space: pre-wrap; overflow-wrap: anywhere; }
        .source mark {
          background: var(--failed-soft); color: inherit; border-radius: 2px; padding: 2px 0;
          text-decoration: underline wavy var(--failed) 1.2px; text-underline-offset: 3px;
        }
        .values { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; margin-top: 10px; }
        .values.narrow { grid-template-columns: max-content minmax(0, 1fr); gap: 4px 14px; align-items: baseline; }
        .values .label { color: var(--muted); font-size: 12px; }
        .values pre, .differences {
          white-space: pre-wrap; overflow-wrap: anywhere; max-height: 420px; overflow-y: auto; padding: 8px 12px;
          background: var(--sunken); border: 1px solid var(--line); border-radius: 8px;
        }
        .values.narrow code { overflow-wrap: anywhere; white-space: pre-wrap; }
        .type {
          color: var(--muted); font: 11.5px/1.4 system-ui, sans-serif; border: 1px solid var(--line);
          border-radius: 4px;
          padding: 0 5px; margin-left: 8px; white-space: nowrap;
        }
        .differences { margin-top: 10px; }
        .differences .minus { display: block; color: var(--failed); }
        .differences .plus { display: block; color: var(--passed); }
        .differences .other { display: block; min-height: 1.5em; }

        .step > summary {
          display: grid; grid-template-columns: 18px minmax(0, 1fr) 22% 72px; gap: 12px; align-items: center;
          cursor: pointer;
          padding: 9px 16px; list-style: none; border-radius: 11px;
        }
        .step > summary::-webkit-details-marker { display: none; }
        .step > summary:hover { background: var(--sunken); }
        .step > summary .name { font-weight: 550; overflow-wrap: anywhere; }
        .step > summary .end { text-align: right; color: var(--muted); font-size: 12.5px; }
        .step > summary .why { color: var(--muted); font-weight: 400; font-size: 12.5px; margin-left: 10px; }
        .hint { font-size: 12px; }
        .inner-strip { padding: 14px 18px 12px; }
        ol.strip { display: flex; gap: 3px; list-style: none; overflow-x: auto; }
        ol.strip li { display: flex; flex-direction: column; align-items: center; flex: 0 1 22px; min-width: 9px; }
        ol.strip .column { display: flex; align-items: flex-end; width: 100%; height: 48px; }
        ol.strip .column i { width: 100%; border-radius: 3px 3px 0 0; }
        ol.strip .sign { font: 700 11px/16px system-ui, sans-serif; }
        .step.empty > summary { cursor: default; }
        .step > .body { padding: 2px 16px 16px; }
        .step.plain { background: var(--surface); }
        .block.step > summary .name { font-weight: 450; }
        .steps .step { background: var(--surface); border: 1px solid var(--line); margin-top: -1px; }
        .steps .step:first-child, .steps .step:first-child > summary { border-radius: 11px 11px 0 0; }
        .steps .step:last-child, .steps .step:last-child:not([open]) > summary { border-radius: 0 0 11px 11px; }
        .steps .step:only-child { border-radius: 11px; }
        .span { position: relative; height: 6px; background: var(--raised); border-radius: 99px; }
        .span i { position: absolute; top: 0; bottom: 0; min-width: 2px; border-radius: 99px; }

        .exchange { margin-top: 12px; }
        .message-line { display: flex; gap: 10px; align-items: baseline; padding: 10px 16px; overflow-wrap: anywhere; }
        .message-line .url { min-width: 0; overflow-wrap: anywhere; }
        .message-line .arrow { color: var(--faint); flex: none; width: 14px; }
        .method { font-weight: 700; }
        .status { flex: none; font-weight: 700; padding: 0 7px; border-radius: 5px; }
        .message-line .version { flex: none; }
        .status.good { color: var(--passed); background: var(--passed-soft); }
        .status.moved { color: var(--number); background: var(--accent-soft); }
        .status.bad { color: var(--failed); background: var(--failed-soft); }
        .exchange .part { border-top: 1px solid var(--line); }
        .exchange .part:first-child { border-top: 0; }
        .fold { margin: 0 16px 10px 40px; }
        .fold > summary { cursor: pointer; color: var(--muted); font-size: 12.5px; width: max-content; }
        .fold > summary:hover { color: var(--text); }
        .fields { width: 100%; border-collapse: collapse; margin-top: 6px; }
        .fields th, .fields td {
          text-align: left; vertical-align: top; padding: 2px 14px 2px 0; font-weight: 400; overflow-wrap: anywhere;
        }
        .fields th { color: var(--muted); width: 24%; min-width: 110px; }
        .payload {
          margin: 0 16px 14px 40px; border: 1px solid var(--line); border-radius: 8px; background: var(--sunken);
        }
        .payload .bar-line {
          display: flex; gap: 8px; align-items: center; padding: 3px 6px 3px 12px; border-bottom: 1px solid var(--line);
          color: var(--muted); font-size: 12px;
        }
        .payload .button { min-height: 24px; padding: 0 8px; font-size: 12px; }
        .payload pre {
          padding: 9px 12px; overflow: auto; max-height: 460px; white-space: pre-wrap; overflow-wrap: anywhere;
        }
        .payload .more { padding: 0 12px 9px; }
        .tok-s { color: var(--string); }
        .tok-n { color: var(--number); }
        .tok-w { color: var(--word); }
        .tok-k { color: var(--key); }
        .unkept { padding: 2px 16px 12px 40px; color: var(--muted); }
        .broken { padding: 2px 16px 12px 40px; color: var(--errored); overflow-wrap: anywhere; }

        .phases { padding: 12px 16px 14px; }
        .phases .track {
          display: flex; height: 12px; border-radius: 4px; overflow: hidden; background: var(--raised); gap: 1px;
        }
        .phases .track i { min-width: 1px; }
        .phases .legend { margin-top: 8px; gap: 4px 18px; }
        .phases .legend b { color: var(--text); font-weight: 550; }
        .p0 { background: #8e7cc3; }
        .p1 { background: #d99a3d; }
        .p2 { background: #c2618f; }
        .p3 { background: #3f9e74; }
        .p4 { background: #4a84d8; }
        .p5 { background: var(--line-strong); }
        .curl { display: flex; gap: 10px; align-items: flex-start; padding: 10px 10px 10px 16px; }
        .curl code { flex: 1; min-width: 0; white-space: pre-wrap; overflow-wrap: anywhere; padding-top: 3px; }
        .socket { padding: 2px 16px 12px 40px; }
        .socket li { display: flex; gap: 10px; list-style: none; padding: 2px 0; }
        .socket code { white-space: pre-wrap; overflow-wrap: anywhere; min-width: 0; }
        .socket .received { color: var(--passed); }
        .socket .sent { color: var(--number); }
        """#
}

extension HTMLStyle {
    /// The dialog, narrow screens, paper, and the page without JavaScript.
    static let small = #"""
        dialog {
          border: 1px solid var(--line); border-radius: 14px; padding: 22px 26px; background: var(--surface);
          color: var(--text); box-shadow: var(--shadow); max-width: 460px;
        }
        dialog::backdrop { background: rgb(10 14 20 / .45); }
        dialog h2 { font-size: 16px; margin-bottom: 12px; }
        dialog dl { display: grid; grid-template-columns: max-content 1fr; gap: 8px 18px; align-items: baseline; }
        dialog dt { display: flex; gap: 4px; }
        dialog kbd {
          border: 1px solid var(--line-strong); border-bottom-width: 2px; border-radius: 5px; padding: 0 6px;
        }
        dialog .button { margin-top: 18px; }

        .js .plain { display: none; }
        .plain { padding: 24px; max-width: 900px; margin: 0 auto; overflow: auto; }
        .plain table { border-collapse: collapse; margin: 12px 0 20px; }
        .plain th { text-align: left; font-weight: 400; padding-right: 24px; color: var(--muted); }
        .plain td { text-align: right; }
        .plain li { margin: 6px 0; overflow-wrap: anywhere; white-space: pre-line; }
        .plain ol, .plain ul { padding-left: 24px; }
        .views { display: none; }

        @media (max-width: 860px) {
          .top { padding: 0 12px; gap: 8px; }
          .top .verdict span:last-child, .top .proportions, .top .wide { display: none; }
          .views { display: flex; }
          .frame { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr); }
          .side, .main { grid-area: 1 / 1; }
          .side { border-right: 0; }
          body[data-view=tests] .main, body[data-view=main] .side { visibility: hidden; }
          .main { padding: 14px 12px 48px; }
          .card { padding: 14px; }
          .columns { grid-template-columns: minmax(0, 1fr); gap: 0; }
          .overview > .hero, .overview > .run { order: 0; }
          .line.suite { grid-template-columns: minmax(0, 1fr) 70px; }
          .line.suite .proportions { grid-column: 1 / -1; order: 3; }
          .line.suite .tally { display: none; }
          .line.trend { grid-template-columns: minmax(0, 1fr); }
          .line.slow { grid-template-columns: 18px minmax(0, 1fr) 66px; }
          .line.slow .bar { display: none; }
          .crumbs { flex-wrap: wrap; gap: 6px; }
          .crumbs .path, .crumbs [aria-label="Copy link"] { display: none; }
          .about, .reason { margin-left: 0; }
          .values { grid-template-columns: minmax(0, 1fr); }
          .step > summary { grid-template-columns: 18px minmax(0, 1fr) 66px; }
          .step > summary .span { display: none; }
          .payload, .fold { margin-left: 12px; margin-right: 12px; }
        }

        @media (prefers-reduced-motion: no-preference) {
          .row, .chip, .button { transition: background-color .08s, border-color .08s; }
        }

        @media print {
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          @page { margin: 12mm; }
          html, body { height: auto; }
          body { display: block; background: #fff; font-size: 12px; }
          code, pre, .mono { font-size: 11px; }
          .side, .top .button, .crumbs .button, .timeline .tools, .payload .button, .curl .button { display: none; }
          .top { border: 0; height: auto; padding: 0 0 8px; }
          .frame { display: block; }
          .main { overflow: visible; padding: 0; }
          .card { padding: 10px 14px; margin-top: 10px; }
          .block > .inner, .finding { padding: 8px 12px; }
          /* Only what is low is kept on one page: a card or an exchange may be longer than the rest of one. */
          .line, .message-line, .finding .head, .source, .values.narrow, .phases, .curl, .facts > div, tr,
          .step > summary, .socket li, .columns > .card, .inner-strip { break-inside: avoid; }
          .card > h2, .section > h2, .section > h3, .title, .about, .crumbs, .bar-line { break-after: avoid; }
          .line .grow, .crumbs .path { white-space: normal; }
          .line { padding: 3px 8px; }
          .line.trend { grid-template-columns: 90px minmax(0, 1fr) minmax(0, 1fr); }
          .crumbs .path { display: inline; }
          .histogram { height: 180px; }
          .histogram .stack { zoom: .5; }
          .message-line { padding: 5px 12px; }
          .crumbs { margin-bottom: 2px; }
          .title h1 { font-size: 16px; }
          .section { margin-top: 8px; }
          .payload pre, .values pre, .differences, .timeline .scroll { max-height: none; }
          .printed article { margin-top: 14px; padding-top: 8px; border-top: 2px solid var(--line-strong); }
        }
        @media screen { .printed { display: none; } }
        """#
}
