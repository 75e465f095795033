// The overview: the outcome, failures, suites and durations.

/** The bounds of the bars of the histogram, in microseconds: inclusive and exclusive. */
const BINS = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000, Infinity]
  .map((limit) => limit * 1000).map((limit, index, all) => [limit, all[index + 1]]).slice(0, -1);

function verdict() {
  if (failureCount) {
    const parts = [];
    if (counts[2]) parts.push(count(counts[2]) + " failed");
    if (counts[3]) parts.push(plural(counts[3], "error"));
    if (run.missing && !run.interrupted) parts.push("incomplete");
    return parts.join(", ");
  }
  if (run.serverError) return "A server failed";
  if (run.snapshotError) return "A snapshot was not written";
  if (run.lowCoverage) return "Contract coverage is too low";
  if (run.interrupted || run.duration == null) return run.interrupted ? "Interrupted" : "Not finished";
  if (run.missing) return "Incomplete";
  if (!tests.length) return "No tests";
  if (counts[5]) return plural(counts[5], "test") + " blocked";
  if (counts[6]) return "No new failures";
  return counts[0] + counts[1] ? "All passed" : "No tests ran";
}

/** Returns the number of tests, or for an incomplete run, how many of the planned tests ran. */
function testCount() {
  return run.missing && run.testCount ? run.testCount : plural(tests.length, "test");
}

/** Returns the outcome whose color represents the whole run. */
function overallOutcome() {
  if (counts[2]) return 2;
  if (counts[3] || run.serverError || run.snapshotError || run.lowCoverage || (run.missing && !run.interrupted)) return 3;
  if (counts[5]) return 5;
  if (run.interrupted || run.duration == null || !(counts[0] + counts[1] + counts[6])) return 4;
  return 0;
}

/** The end of the run, in microseconds. */
const runEnd = run.duration != null
  ? run.duration : tests.reduce((end, test) => Math.max(end, test.start + test.duration), 0);

function card(title, note, ...content) {
  return el("section.card", { "aria-label": title },
    el("h2", {}, title, note && el("small", {}, note)), content);
}

function showOverview() {
  const page = el("div.page.overview");
  page.append(hero());
  for (const notice of data.notices) page.append(noticeCard(notice));
  if (failureCount) page.append(causes());
  if (data.trends && data.trends.length) page.append(trends());
  page.append(...loads, facts());
  for (const contract of data.contracts || []) page.append(coverage(contract));
  page.append(suiteBars());
  if (tests.some(ran)) {
    page.append(timeline(), el("div.columns", {}, histogram(), slowest()));
  }
  replace(byId("main"), page);
  showFilters();
}

function hero() {
  const used = [...suites.values()].filter((suite) => suite.total).length;
  const parts = [testCount() + " in " + plural(used, "suite")];
  if (run.duration != null) parts.push(time(run.duration));
  if (run.interrupted) parts.push("interrupted");
  if (run.shortened) parts.push("the report is large: later tests are shown in less detail");
  return el("section.card.hero", { "aria-label": "Outcome" },
    el("h1.ink" + overallOutcome(), {}, verdict()), el("p.sub", {}, parts.join(" · ")), proportions(counts),
    el("div.counts", {}, TOLD.filter((o) => counts[o]).map((o) => el("button.control", {
      type: "button", onclick: () => showOnly({ outcomes: [o] }),
    }, el("b.ink" + o, {}, count(counts[o])), el("span", {}, OUTCOMES[o])))));
}

/** Creates the metadata of the run, which a narrow screen shows after the failures. */
function facts() {
  const rate = run.exchanges && run.duration ? run.exchanges / run.duration * 1e6 : null;
  const environments = [...new Set([...suites.values()].map((suite) => suite.environment).filter(Boolean))];
  const started = new Date(run.start);
  const facts = [
    ...(run.origin || []).map(([title, name, url]) => [title, link(name, url)]),
    ["Started", el("time", { datetime: started.toISOString(), title: started.toISOString() },
      started.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" }))],
    ["Duration", run.duration == null ? "not finished" : time(run.duration)],
    run.exchanges != null && ["Requests", count(run.exchanges)
      + (rate ? ", " + (rate < 100 ? rate.toFixed(1) : count(Math.round(rate))) + "/s" : "")],
    ["Concurrency", run.jobs ? "up to " + plural(run.jobs, "exchange") : ""],
    ["Seed", el("code", {}, run.seed)],
    ["Host", run.host],
    environments.length && ["Environment", environments.join(", ")],
    run.shard && ["Shard", run.shard],
    ["apitest", run.version],
  ];
  return el("section.card.run", { "aria-label": "Run" },
    el("dl.facts", {}, facts.filter(Boolean).filter((fact) => fact[1]).map(([name, value]) =>
      el("div", {}, el("dt", {}, name), el("dd", {}, value)))));
}

/** Creates a link if the URL is a web page, or returns the name. */
const link = (name, url) => /^https?:\/\//.test(url || "")
  ? el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, name) : name;

/** Sets the given filters, clears the others, and shows the list on narrow screens. */
function showOnly(changes) {
  byId("search").value = changes.query || "";
  setFilters({ query: "", outcomes: [], suite: null, tag: null, bin: null, cause: null, ...changes });
  showPane("tests");
}

function noticeCard([severity, suite, message, details]) {
  const where = suites.get(suite);
  return el("section.card.notice." + severity, { "aria-label": severity },
    el("p", {}, where && el("span.dim", {}, where.name + ": "), message),
    details.length > 0 && el("pre", {}, details.join("\n")));
}

/** Creates the list of failures by cause. The program determines causes by comparing all findings of the tests. */
function causes() {
  const groups = new Map();
  for (const test of tests) {
    if (!isFailure(test)) continue;
    const key = test.cause ?? "test " + test.index;
    const group = groups.get(key);
    if (group) group.push(test);
    else groups.set(key, [test]);
  }
  const sorted = [...groups.values()].sort((a, b) => b.length - a.length || a[0].index - b[0].index);
  const shown = sorted.slice(0, 12);
  const note = sorted.length < failureCount ? plural(sorted.length, "cause") : "";
  const lines = shown.map((group) => el("button.line.cause", {
    type: "button", onclick: () => group.length === 1
      ? choose(group[0].index) : showOnly({ cause: group[0].cause }),
  }, group.length === 1 ? mark(group[0].outcome) : el("b.ink" + group[0].outcome, {}, count(group.length)),
  el("span.grow", {}, cut(group[0].message || "failed", 300),
    el("br"), el("small", {}, group.length === 1
      ? (group[0].suite ? group[0].suite.name + " › " : "") + group[0].name
      : "first in " + (group[0].suite ? group[0].suite.name + " › " : "") + group[0].name))));
  const more = sorted.length - shown.length;
  return card("Failures", note, el("div.lines", {}, lines),
    more > 0 && el("p.dim", {}, "and " + plural(more, "more cause") + " (see the list)"));
}

function trends() {
  const INK = { "new failure": 2, "still failing": 2, fixed: 0, flaky: 1, slower: 5 };
  const rows = data.trends.slice(0, 50).map(([kind, suite, name, text]) => el("button.line.trend", {
    type: "button", onclick: () => {
      const test = tests.find((test) => test.name === name && test.suite && test.suite.name === suite);
      if (test) choose(test.index);
    },
  }, el("span.tag-kind.ink" + (INK[kind] ?? 4), {}, kind), el("span.grow", {}, suite + " › " + name),
  el("span.grow", {}, el("small", {}, text))));
  return card("Compared with previous runs", "", el("div.lines", {}, rows),
    data.trends.length > 50 && el("p.dim", {}, "and " + (data.trends.length - 50) + " more"));
}

/** Creates the card of the coverage of an OpenAPI description. */
function coverage([description, percent, kinds, missed, undocumented]) {
  const list = (title, lines) => lines.length > 0 && el("details", {},
    el("summary", {}, title + " (" + count(lines.length) + ")"), el("pre", {}, lines.join("\n")));
  return card("Contract coverage", description + " · " + percent, el("div.lines", {}, kinds.map(
    ([kind, covered, total]) => el("div.line", {}, el("span.grow", {}, kind),
      el("span.end", {}, count(covered) + " of " + count(total))))),
  list("Not covered", missed), list("Not documented", undocumented));
}

const MOST_SUITES = 100;

function suiteBars(isWhole = false) {
  const withTests = [...suites.values()].filter((suite) => suite.total);
  // If there are many suites, those with failures come first.
  const sorted = withTests.length > 12
    ? [...withTests].sort((a, b) => b.counts[2] + b.counts[3] - a.counts[2] - a.counts[3] || a.index - b.index)
    : withTests;
  const shown = isWhole ? sorted : sorted.slice(0, MOST_SUITES);
  const lines = shown.map((suite) => el("button.line.suite", {
    type: "button", "aria-pressed": "false", "data-suite": suite.index, title: suite.file,
    onclick: () => state.suite === suite.index ? setFilters({ suite: null }) : showOnly({ suite: suite.index }),
  }, suite.hasError && mark(3), suite.notRun > 0 && !suite.hasError && mark(4),
  el("span.grow", {}, suite.name, el("br"), el("small", {}, suite.file),
    suite.description && [el("br"), el("small", {}, suite.description)]), proportions(suite.counts),
  el("span.tally", {}, TOLD.filter((o) => suite.counts[o]).map((o) =>
    el("span.ink" + o, {}, MARKS[o] + " " + count(suite.counts[o])))),
  el("span.end", {}, time(suite.duration ?? suite.time))));
  const section = card("Suites", count(withTests.length), el("div.lines", {}, lines));
  if (shown.length < sorted.length) {
    section.append(el("button.button", { type: "button", onclick: () => section.replaceWith(suiteBars(true)) },
      "Show all " + count(sorted.length)));
  }
  return section;
}

function histogram() {
  const numbers = BINS.map(() => [0, 0, 0, 0, 0, 0, 0]);
  for (const test of tests) {
    if (!ran(test)) continue;
    const bin = BINS.findIndex(([low, high]) => test.duration >= low && test.duration < high);
    if (bin >= 0) numbers[bin][test.outcome]++;
  }
  const totals = numbers.map((group) => group.reduce((sum, number) => sum + number, 0));
  const first = totals.findIndex(Boolean);
  const last = totals.findLastIndex(Boolean);
  const most = Math.max(...totals);
  const bars = [];
  for (let bin = Math.max(0, first - 1); bin <= Math.min(BINS.length - 1, last + 1); bin++) {
    const [low, high] = BINS[bin];
    const range = high === Infinity ? time(low) + " or more" : edge(low) + " to " + edge(high);
    const words = range + ": " + plural(totals[bin], "test");
    const stack = style(el("span.stack", {}, [0, 1, 2, 3].filter((o) => numbers[bin][o]).map((o) =>
      style(el("i.fill" + o), { flex: numbers[bin][o] + " 0 0" }))),
    { height: totals[bin] ? Math.max(2, totals[bin] / most * 284) + "px" : "0" });
    bars.push(el("button", {
      type: "button", title: words, "aria-label": words, "aria-pressed": "false", "data-bin": bin,
      onclick: () => state.bin === bin ? setFilters({ bin: null }) : showOnly({ bin }),
    }, el("span.number", {}, totals[bin] ? count(totals[bin]) : ""), stack,
    el("span.label", {}, edge(low, true))));
  }
  const durations = tests.filter(ran).map((test) => test.duration).sort((a, b) => a - b);
  const part = (share) => durations[Math.min(durations.length - 1, Math.floor(durations.length * share))];
  return card("Durations", "median " + time(part(0.5)) + " · 95% below " + time(part(0.95)),
    el("div.histogram", { role: "group", "aria-label": "Tests by duration" }, bars));
}

/** Formats a bound of the histogram briefly. */
function edge(micros, isShort = false) {
  const millis = micros / 1000;
  return millis >= 1000 ? millis / 1000 + " s" : millis + (isShort && millis ? "" : " ms");
}

function slowest() {
  const slow = tests.filter(ran).sort((a, b) => b.duration - a.duration).slice(0, 10);
  return card("Slowest tests", "", el("div.lines", {}, slow.map((test) => el("button.line.slow", {
    type: "button", onclick: () => choose(test.index),
  }, mark(test.outcome),
  el("span.grow", {}, test.name + " ", el("small", {}, test.suite ? test.suite.name : "")),
  el("span.bar", {},
    style(el("i.fill" + test.outcome), { width: test.duration / slow[0].duration * 100 + "%" })),
  el("span.end", {}, time(test.duration))))));
}
