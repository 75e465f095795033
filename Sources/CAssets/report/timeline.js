// The timeline of concurrent tests. The tests of a lane ran one after another.

/** Assigns each test that ran to the first lane that is free when it starts. */
function assignLanes() {
  const placed = tests.filter((test) => ran(test) && test.duration > 0)
    .sort((a, b) => a.start - b.start || a.index - b.index);
  const ends = [];
  const laneOf = new Int32Array(placed.length);
  for (let index = 0; index < placed.length; index++) {
    const test = placed[index];
    let lane = 0;
    while (lane < ends.length && ends[lane] > test.start) lane++;
    ends[lane] = test.start + test.duration;
    laneOf[index] = lane;
  }
  return { placed, laneOf, lanes: ends.length };
}

let lanesOfAll = null;

function timeline() {
  const { placed, laneOf, lanes } = lanesOfAll ??= assignLanes();
  const axis = 24;
  const lane = lanes <= 16 ? 20 : lanes <= 40 ? 12 : lanes <= 120 ? 7 : 4;
  const height = axis + lanes * lane + 6;
  const view = { from: 0, to: Math.max(1, runEnd) };
  const whole = view.to;
  const canvas = el("canvas", {
    role: "img",
    "aria-label": "Timeline of " + plural(placed.length, "test") + ", at most " + lanes + " at a time",
  });
  style(canvas, { height: height + "px" });
  const busy = placed.reduce((sum, test) => sum + test.duration, 0);
  const button = (text, label, action) => el("button.button", {
    type: "button", title: label, "aria-label": label, onclick: () => { action(); draw(); },
  }, text);
  const zoom = (factor, at = (view.from + view.to) / 2) => {
    const span = Math.min(whole, Math.max(whole / 1e5, 20, (view.to - view.from) * factor));
    const share = (at - view.from) / (view.to - view.from);
    view.from = Math.min(whole - span, Math.max(0, at - span * share));
    view.to = view.from + span;
  };
  const pan = (share) => {
    const span = view.to - view.from;
    view.from = Math.min(whole - span, Math.max(0, view.from + span * share));
    view.to = view.from + span;
  };
  const section = card("Timeline", "at most " + plural(lanes, "test") + " at a time, "
    + (busy / Math.max(1, runEnd)).toFixed(1) + " on average",
  el("div.timeline", {}, el("div.tools", {},
    button("+", "Zoom in", () => zoom(0.5)), button("−", "Zoom out", () => zoom(2)),
    button("‹", "Earlier", () => pan(-0.5)), button("›", "Later", () => pan(0.5)),
    button("All", "Show the whole run", () => { view.from = 0; view.to = whole; }),
    el("span.dim", {}, "drag to zoom, click to open a test"), el("span.spring"),
    el("span.legend", {}, [0, 1, 6, 2, 3].filter((o) => counts[o]).map((o) =>
      el("span", {}, el("i.fill" + o), OUTCOMES[o])))),
  scrolls(el("div.scroll", {}, canvas), "Timeline")));

  const x = (micros) => (micros - view.from) / (view.to - view.from) * canvas.clientWidth;
  const at = (pixel) => view.from + pixel / canvas.clientWidth * (view.to - view.from);
  let drag = null;

  function draw() {
    const width = canvas.clientWidth;
    if (!width) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    const styles = getComputedStyle(document.documentElement);
    const color = (name) => styles.getPropertyValue(name).trim();
    context.fillStyle = color("--sunken");
    context.fillRect(0, 0, width, height);
    drawAxis(context, width, color);
    const names = ["passed", "flaky", "failed", "errored", "skipped", "blocked", "flaky"];
    const colors = names.map((name) => color("--" + name));
    // Failures are drawn last, so that no other test hides them where a pixel represents several tests.
    for (const outcome of [0, 1, 6, 3, 2]) {
      context.fillStyle = colors[outcome];
      // Passed tests are paler, because they are the most frequent.
      context.globalAlpha = outcome === 0 ? 0.5 : 1;
      for (let index = 0; index < placed.length; index++) {
        const test = placed[index];
        const end = test.start + test.duration;
        if (test.outcome !== outcome || test.start > view.to || end < view.from) continue;
        const left = Math.max(-2, x(test.start));
        const right = Math.min(width + 2, x(end));
        const gap = right - left > 3 ? 1 : 0;
        const box = [left, axis + laneOf[index] * lane + 1, Math.max(1, right - left - gap), lane - 2];
        // Tests known to fail are hollow, so that they differ from flaky tests by more than color.
        if (outcome === 6 && box[2] > 4 && box[3] > 4) {
          context.lineWidth = 2;
          context.strokeStyle = colors[6];
          context.strokeRect(left + 1, box[1] + 1, box[2] - 2, box[3] - 2);
        } else context.fillRect(...box);
      }
    }
    context.globalAlpha = 1;
    drawNames(context, width, color);
    if (drag && Math.abs(drag.to - drag.from) > 3) {
      context.fillStyle = color("--accent");
      context.globalAlpha = 0.2;
      context.fillRect(Math.min(drag.from, drag.to), 0, Math.abs(drag.to - drag.from), height);
      context.globalAlpha = 1;
    }
  }

  function drawAxis(context, width, color) {
    const span = view.to - view.from;
    const rough = span / Math.max(2, width / 110);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (let tick = Math.ceil(view.from / step) * step; tick <= view.to; tick += step) {
      context.fillStyle = color("--line");
      context.fillRect(Math.round(x(tick)), 0, 1, height);
      context.fillStyle = color("--muted");
      const text = step >= 1e6 ? +(tick / 1e6).toFixed(1) + " s"
        : step >= 1e5 ? (tick / 1e6).toFixed(1) + " s" : +(tick / 1e3).toFixed(step < 1000 ? 2 : 0) + " ms";
      context.fillText(text, x(tick) + 5, 12);
    }
  }

  /** Draws names where lanes are high enough and bars wide enough. */
  function drawNames(context, width, color) {
    if (lane < 16) return;
    context.font = "11px system-ui, sans-serif";
    for (let index = 0; index < placed.length; index++) {
      const test = placed[index];
      const left = Math.max(0, x(test.start));
      const room = Math.min(width, x(test.start + test.duration)) - left - 8;
      if (room < 36 || left > width) continue;
      context.fillStyle = color(["--text", "--on-flaky", "--surface", "--surface", "", "", "--text"][test.outcome]);
      const name = cut(test.name, Math.floor(room / 6))
        .replace(INVISIBLE, (letter, at, text) => isSpelling(text, at) ? letter : "·");
      context.fillText(name, left + 5, axis + laneOf[index] * lane + lane / 2 + 0.5, room);
    }
  }

  function testAt(event) {
    const box = canvas.getBoundingClientRect();
    const micros = at(event.clientX - box.left);
    const slack = (view.to - view.from) / canvas.clientWidth * 2;
    const row = Math.floor((event.clientY - box.top - axis) / lane);
    let found = null;
    for (let index = 0; index < placed.length; index++) {
      const test = placed[index];
      if (laneOf[index] !== row) continue;
      if (test.start - slack > micros || test.start + test.duration + slack < micros) continue;
      if (!found || isFailure(test)) found = test;
    }
    return found;
  }

  const tip = byId("tip");
  const hide = () => { tip.hidden = true; };
  canvas.addEventListener("pointermove", (event) => {
    if (drag) {
      drag.to = event.clientX - canvas.getBoundingClientRect().left;
      hide();
      return draw();
    }
    const test = testAt(event);
    if (!test) return hide();
    replace(tip, el("b", {}, MARKS[test.outcome] + " " + test.name), el("br"),
      test.suite ? test.suite.name : "", el("br"), time(test.duration) + ", started after " + time(test.start));
    tip.hidden = false;
    const left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
    const below = event.clientY + 18 + tip.offsetHeight < window.innerHeight;
    const top = below ? event.clientY + 18 : event.clientY - tip.offsetHeight - 10;
    style(tip, { left: left + "px", top: top + "px" });
  });
  canvas.addEventListener("pointerleave", hide);
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const from = event.clientX - canvas.getBoundingClientRect().left;
    drag = { from, to: from };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { from, to } = drag;
    drag = null;
    if (Math.abs(to - from) > 3) {
      const [start, end] = [at(Math.min(from, to)), at(Math.max(from, to))];
      view.from = Math.max(0, start);
      view.to = Math.min(whole, Math.max(end, view.from + 20));
      return draw();
    }
    const test = testAt(event);
    hide();
    if (test) choose(test.index);
  });
  canvas.addEventListener("pointercancel", () => { drag = null; draw(); });
  canvas.addEventListener("dblclick", () => { view.from = 0; view.to = whole; draw(); });
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
    event.preventDefault();
    const pointed = at(event.clientX - canvas.getBoundingClientRect().left);
    if (event.ctrlKey) zoom(event.deltaY > 0 ? 1.25 : 0.8, pointed);
    else pan(event.deltaX / canvas.clientWidth);
    draw();
  }, { passive: false });
  new ResizeObserver(draw).observe(canvas);
  redrawTimeline = draw;
  return section;
}

/** Redraws the timeline after its colors have changed. */
let redrawTimeline = () => {};
