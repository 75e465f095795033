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
