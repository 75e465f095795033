// A test: its findings, steps, attempts, exchanges and variables.

function showTest(test) {
  const detail = detailOf(test);
  const page = el("article.page", { "aria-labelledby": "test-name" }, heading(test, detail));
  if (detail) page.append(...partsOf(test, detail));
  else if (test.steps) {
    const file = test.suite ? test.suite.file : "";
    page.append(section("Steps", stepList(test.steps.map(([name, outcome, start, duration, line, more]) => ({
      name, outcome, start: test.start + start, duration, place: file + ":" + line,
      sent: outcome < 4 ? more : null, reason: outcome < 4 ? null : more || "",
    })), test)));
  } else if (test.sent) page.append(section("Request", showSent(test.sent, test.suite)));
  const strip = wholeStrip(test);
  if (strip) page.append(strip);
  const main = byId("main");
  replace(main, page);
  main.scrollTop = 0;
}

function heading(test, detail) {
  const position = view.indexOf(test);
  const step = (by, label, text) => el("button.button", {
    type: "button", "aria-label": label, title: label, onclick: () => move(by),
    disabled: position < 0 || !view[position + by],
  }, text);
  const outcome = el("span.outcome.ink" + test.outcome, {}, OUTCOMES[test.outcome]);
  return [
    el("nav.crumbs", { "aria-label": "Position" },
      el("button.button.quiet", { type: "button", onclick: () => choose(null) }, "‹ Overview"),
      el("span.path", {}, test.suite ? test.suite.name : ""), el("span.spring"),
      copyButton(() => location.href, "link", "Copy link"), detail && isFailure(test)
        && copyButton(() => asText(test, detail), "failure as text", "Copy as text"),
      position >= 0 && el("span", {}, count(position + 1) + " / " + count(view.length)),
      step(-1, "Previous test (k)", "↑"), step(1, "Next test (j)", "↓")),
    el("div.title", {}, mark(test.outcome), el("h1", { id: "test-name" }, test.name)),
    el("div.about", {}, outcome, ran(test) && el("span", {}, time(test.duration)),
      ran(test) && el("span", {}, "started after " + time(test.start)),
      el("code.place", {}, detail ? detail.place : placeOf(test)),
      detail && detail.id && el("code", {}, "id " + detail.id),
      test.tags.map((tag) => el("button.control.tag", {
        type: "button", title: "Show tests with this tag", onclick: () => showOnly({ tag }),
      }, tag))),
    detail && detail.description && el("p.reason", {}, detail.description),
    detail && (detail.owner || detail.properties) && el("div.about", {},
      detail.owner && el("span", {}, "owner " + detail.owner),
      (detail.properties || []).map(([name, value]) => el("code", {}, name + " " + value))),
    (test.outcome === 4 || test.outcome === 5) && el("p.reason", {}, test.message || "skipped (no reason given)",
      test.outcome === 5 && blockerButton(test)),
  ];
}

/** Creates a button that shows the test that blocked another. */
function blockerButton(test) {
  const name = (/^blocked by "([^]*)"$/.exec(test.message) || [])[1];
  const blocker = tests.find((other) => other.suite === test.suite && other.name === name);
  const show = () => choose(blocker.index);
  return blocker && el("button.button.beside", { type: "button", onclick: show }, "Show blocking test");
}

/** Formats a failure as plain text, for a message or an issue. */
function asText(test, detail) {
  const lines = [(test.suite ? test.suite.name + " › " : "") + test.name + ": " + OUTCOMES[test.outcome] + ", "
    + time(test.duration)];
  for (const step of detail.steps) {
    if (!step.findings) continue;
    if (detail.hasSteps) lines.push("step " + step.name);
    for (const finding of step.findings) {
      lines.push("  " + (finding.place ? finding.place + "  " : "") + finding.subject + "  " + finding.message);
      for (const line of finding.details || []) lines.push("      " + line);
    }
    const exchange = step.exchange;
    if (!exchange) continue;
    const response = exchange.response;
    lines.push("  → " + exchange.request.method + " " + exchange.request.url,
      "  ← " + (response ? response.status + " " + response.reason : "no response"));
    if (exchange.curl) lines.push("  " + exchange.curl);
  }
  return lines.join("\n") + "\n";
}

const section = (title, ...content) =>
  el("section.section", { "aria-label": title }, el("h2", {}, title), content);

function partsOf(test, detail) {
  const parts = [];
  const only = !detail.hasSteps && detail.steps.length === 1 ? detail.steps[0] : null;
  if (only) parts.push(el("section.section", { "aria-label": "Result" }, stepBody(only, false, test)));
  else if (detail.steps.length) parts.push(section("Steps", stepList(detail.steps, test)));
  if (detail.variables) parts.push(section("Variables", variables(detail.variables)));
  if (detail.attempts) {
    parts.push(section("Earlier attempts", detail.attempts.map((attempt, index) => {
      const name = "Attempt " + (index + 1) + firstMessage(attempt.steps.find((step) => step.findings) || {});
      const isOne = attempt.steps.length === 1 && !detail.hasSteps;
      return fold(attempt.outcome, name, attempt.duration, null, () =>
        isOne ? stepBody(attempt.steps[0], false) : stepList(attempt.steps, null));
    })));
  }
  if (detail.omittedAttempts) {
    parts.push(el("p.dim", {}, "and " + plural(detail.omittedAttempts, "more attempt")));
  }
  return parts;
}

/** Formats the request line and status as one line, without the request line if it is the name. */
function sentLine(step, test) {
  const { method, url, status } = requestOf(step.sent, test ? test.suite : null);
  const said = step.sent.split(" ");
  const line = step.name === said[0] + " " + said.slice(2).join(" ") ? "" : method + " " + url + " ";
  return el("span.why", {}, el("code", {}, line + "→ " + (status ?? "no response")));
}

/** Shows the request line and status of a step whose exchange is not in the page. */
function showSent(text, suite) {
  const { method, url, status } = requestOf(text, suite);
  return el("div.block.exchange", {}, el("div.part", {},
    el("div.message-line", {}, el("span.arrow", { title: "sent" }, "→"), el("code.method", {}, method),
      el("code.url", {}, url)),
    el("div.message-line", {}, el("span.arrow", { title: "received" }, "←"),
      status === null ? el("span.dim", {}, "no response") : statusBadge(status), el("span.spring"),
      el("span.dim.hint", {}, "passed: use --report html:exchanges to keep the whole exchange"))));
}

/** Creates a collapsible element, whose content is created when it is first opened. */
function fold(outcome, name, duration, span, content, isOpen = false) {
  const details = el("details.step" + (span ? "" : ".block"), {}, el("summary", {}, mark(outcome),
    el("span.name", {}, name), span || el("span"), el("span.end", {}, duration == null ? "" : time(duration))));
  const fill = () => {
    if (details.open && details.childElementCount === 1) details.append(el("div.body", {}, content()));
  };
  details.addEventListener("toggle", fill);
  details.open = isOpen;
  fill();
  return details;
}

function stepList(steps, test) {
  return el("div.steps", {}, steps.map((step) => {
    const hasRun = ran(step);
    const name = [step.name + (step.polls ? " · " + plural(step.polls, "poll") : ""),
      !hasRun && el("span.why", {}, (step.outcome === 5 ? "" : "not run: ") + (step.reason || "skipped")),
      hasRun && step.reason && el("span.why", {}, step.reason),
      hasRun && !step.exchange && step.sent && sentLine(step, test)];
    const span = el("span.span");
    if (test && hasRun && test.duration > 0) {
      const left = Math.min(99, Math.max(0, (step.start - test.start) / test.duration * 100));
      span.append(style(el("i.fill" + step.outcome),
        { left: left + "%", width: Math.min(100 - left, step.duration / test.duration * 100) + "%" }));
    }
    const isFailed = step.outcome === 2 || step.outcome === 3 || Boolean(step.findings);
    return fold(step.outcome, name, hasRun ? step.duration : null, span, 
      () => stepBody(step, true, test), isFailed);
  }));
}

function stepBody(step, showsPlace, test) {
  const parts = [];
  parts.push(...findingsOf(step));
  if (step.calls) {
    parts.push(el("p.place", {}, step.calls.map((call) => ["called at ", el("code", {}, call), el("br")])));
  } else if (showsPlace && !step.findings && step.place) {
    parts.push(el("p.place", {}, el("code", {}, step.place)));
  }
  if (step.printed) parts.push(variables(step.printed));
  if (step.exchange) parts.push(showExchange(step.exchange));
  else if (step.sent) parts.push(showSent(step.sent, test ? test.suite : null));
  if (step.attempts) {
    const before = step.polls ? Math.max(0, step.polls - 1 - step.attempts.length) : step.omittedAttempts || 0;
    const noun = step.polls ? "Poll " : "Attempt ";
    parts.push(el("h3.section", {}, step.polls ? "Earlier polls" : "Earlier attempts"));
    const earlier = step.polls ? "earlier poll" : "earlier attempt";
    if (before) parts.push(el("p.dim", {}, "… " + plural(before, earlier)));
    step.attempts.forEach((attempt, index) => parts.push(fold(attempt.outcome, noun + (before + index + 1)
      + firstMessage(attempt), attempt.duration, null, () => [...findingsOf(attempt),
      attempt.exchange && showExchange(attempt.exchange)])));
  }
  return parts;
}

function firstMessage(attempt) {
  const finding = attempt.findings && attempt.findings[0];
  return finding ? " · " + cut(finding.subject + ": " + finding.message, 140) : "";
}

function findingsOf({ findings, omittedFindings }) {
  if (!findings) return [];
  const parts = findings.map(showFinding);
  if (omittedFindings) parts.push(el("p.dim", {}, "and " + plural(omittedFindings, "more finding")));
  return parts;
}

function showFinding(finding) {
  const block = el("div.block.finding." + finding.kind, {}, el("div.head", {},
    el("code.subject", {}, finding.subject), finding.place && el("code.place", {}, finding.place)));
  if (finding.line) {
    const [number, before, marked, behind] = finding.line;
    block.append(el("div.source", {}, el("code.number", { "aria-label": "line" }, number),
      el("pre", {}, before, el("mark", {}, marked || " "), behind)));
  }
  const { expected, actual } = finding;
  // A message that only states both values would repeat them.
  const isSaid = expected && actual && [
    `expected ${expected[1]} (${expected[0]}), got ${actual[1]} (${actual[0]})`,
    `expected ${expected[1]}, got ${actual[1]}`].includes(finding.message);
  if (!isSaid) block.append(el("p.message", {}, finding.message));
  if (expected && actual) block.append(values(expected, actual));
  if (finding.details) block.append(differences(finding.details));
  return block;
}

function values(expected, actual) {
  const isLarge = [expected, actual].some(([type, text]) =>
    text.length > (type === "object" || type === "array" ? 60 : 200));
  const cell = ([type, text], label) => {
    if (!isLarge) {
      const code = el("code");
      addJSON(code, text, Infinity);
      return [el("span.label", {}, label), el("span", {}, code, el("span.type", {}, type))];
    }
    const pre = scrolls(el("pre"), label);
    addJSON(pre, text, 400);
    return el("div", {}, el("span.label", {}, label, el("span.type", {}, type)), pre);
  };
  return el("div.values" + (isLarge ? "" : ".narrow"), {}, cell(expected, "expected"), cell(actual, "got"));
}

/** Shows details: the missing and additional lines of a structural difference, and the values of expressions. */
function differences(details) {
  return scrolls(el("pre.differences", {}, details.flatMap((detail) => detail.split(/\r?\n/)).map((line) =>
    el("span." + (line.startsWith("- ") ? "minus" : line.startsWith("+ ") ? "plus" : "other"), {}, line))), "Differences");
}

function variables(list) {
  const rows = list.map(([name, type, text]) => {
    const code = el("code");
    const isCut = addJSON(code, text, 12);
    return el("tr", {}, el("th", { scope: "row" }, el("code", {}, name)),
      el("td", {}, code, isCut > 0 && " …", el("span.type", {}, type)));
  });
  return el("div.block", {}, el("div.inner", {}, el("table.fields", {}, el("tbody", {}, rows))));
}

/** The maximum number of failures printed after the overview. */
const MOST_PRINTED = 100;
/** The maximum number of failures with the same message that are printed in full. */
const MOST_ALIKE = 3;

function preparePrint() {
  if (state.test !== null) return;
  const failures = tests.filter(isFailure);
  const alike = new Map();
  replace(byId("printed"), failures.slice(0, MOST_PRINTED).map((test) => {
    const detail = detailOf(test);
    const before = alike.get(test.message) || 0;
    alike.set(test.message, before + 1);
    return el("article.page", {}, heading(test, detail), before >= MOST_ALIKE
      ? el("p.reason", {}, test.message) : detail && partsOf(test, detail));
  }), failures.length > MOST_PRINTED
    && el("p", {}, "and " + plural(failures.length - MOST_PRINTED, "more failure")));
}
