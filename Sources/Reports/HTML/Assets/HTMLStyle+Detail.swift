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
