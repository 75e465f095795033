// The recent outcomes and durations of a test: one bar per run with the height of the duration, the latest on the right.

const STRIP_OUTCOMES = { p: 0, y: 1, f: 2, e: 3 };
const SHORT_STRIP = 8;
const strips = new Map((data.strips || []).map(([suite, name, words]) => [suite + "\n" + name, words]));

/** Returns the run, outcome and milliseconds of each recent result of a test, or null if none is known. */
function stripOf(test) {
  const words = test.suite && strips.get(test.suite.index + "\n" + test.name);
  if (!words) return null;
  let run = 0;
  return words.split(" ").map((word, index) => {
    const [, step, letter, millis] = /^(\d*)([a-z])([\d.]+)$/.exec(word);
    run += step === "" ? 1 : Number(step);
    if (index === 0) run = Number(step);
    return { run, outcome: STRIP_OUTCOMES[letter] ?? 4, millis: Number(millis) };
  });
}

/** Returns the height of a bar in percent of the longest duration. */
function heightOf(verdict, most) {
  return Math.max(12, most > 0 ? verdict.millis / most * 100 : 0) + "%";
}

function stripWords(verdicts) {
  const failed = verdicts.filter(({ outcome }) => outcome === 2 || outcome === 3).length;
  const flaky = verdicts.filter(({ outcome }) => outcome === 1).length;
  const words = [failed + " of the last " + plural(verdicts.length, "run") + " failed"];
  if (flaky) words.push(flaky + " passed only after a retry");
  return words.join(", ");
}

/** Creates the strip for a row of the list. */
function smallStrip(test) {
  const verdicts = (stripOf(test) || []).slice(-SHORT_STRIP);
  if (!verdicts.length) return null;
  const words = stripWords(verdicts);
  // Failures are higher, so that they differ from other results by more than color.
  return el("span.strip.small", { role: "img", "aria-label": words, title: words },
    verdicts.map(({ outcome }) => el("i.fill" + outcome)));
}

/** Creates the strip for the page of a test, with the duration and start time of each run. */
function wholeStrip(test) {
  const verdicts = stripOf(test);
  if (!verdicts) return null;
  const most = Math.max(...verdicts.map(({ millis }) => millis));
  const times = verdicts.filter(({ outcome }) => outcome < 2).map(({ millis }) => millis).sort((a, b) => a - b);
  const bars = verdicts.map((verdict) => {
    const [start, revision] = (data.runs && data.runs[verdict.run]) || [];
    const when = start == null ? "" : new Date(start).toLocaleString(undefined,
      { dateStyle: "medium", timeStyle: "short" });
    const words = [OUTCOMES[verdict.outcome] + " in " + time(verdict.millis * 1000), when,
      revision && "revision " + cut(revision, 20)].filter(Boolean).join(", ");
    return el("li", { title: words },
      el("span.column", {}, style(el("i.fill" + verdict.outcome), { height: heightOf(verdict, most) })),
      el("span.sign.ink" + verdict.outcome, { role: "img", "aria-label": words }, MARKS[verdict.outcome]));
  });
  const median = times.length ? " · median " + time(times[Math.floor(times.length / 2)] * 1000) : "";
  return section("Last runs", el("div.block.inner-strip", {}, el("ol.strip", {}, bars),
    el("p.dim", {}, stripWords(verdicts) + median + " · longest " + time(most * 1000))));
}
