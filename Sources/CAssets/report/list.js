// The list of tests, with filters and sorting. Only visible rows exist as elements.

const ROW = 50;
/** The maximum height in pixels. Browsers have a limit of about 17 million, so scrolling is scaled for more rows. */
const TALLEST = 12e6;
const state = { query: "", outcomes: [], suite: null, tag: null, sort: "failed", bin: null, cause: null, test: null };
const SORTS = { failed: "Failures first", file: "File order", slow: "Slowest first", start: "By start time" };
let view = tests;
const list = byId("list");
const space = byId("space");
const rowsInView = new Map();

/** Returns the text of a test that the search looks at, in lowercase. */
function searchText(test) {
  if (test.text === null) {
    const sent = test.steps ? test.steps.map((step) => step[1] < 4 ? step[5] : "") : test.sent.split("\n");
    const lines = sent.filter(Boolean).map((line) => {
      if (line.startsWith("@")) return line;
      const { method, url, status } = requestOf(line, test.suite);
      return method + " " + url + " " + (status ?? "");
    });
    test.text = [test.name, test.suite ? test.suite.name : "", placeOf(test), test.tags.join(" "), test.message,
      ...lines].join("\n").toLowerCase();
  }
  return test.text;
}

const RANK = [2, 1, 0, 0, 2, 2, 1];

/** Applies the filters and the sort order, and shows the result. */
function updateView() {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  const bin = state.bin == null ? null : BINS[state.bin];
  view = tests.filter((test) =>
    (state.outcomes.length === 0 || state.outcomes.includes(test.outcome))
    && (state.suite === null || test.suite && test.suite.index === state.suite)
    && (state.tag === null || test.tags.includes(state.tag))
    && (state.cause === null || test.cause === state.cause)
    && (bin === null || ran(test) && test.duration >= bin[0] && test.duration < bin[1])
    && words.every((word) => searchText(test).includes(word)));
  if (state.sort === "slow") view.sort((a, b) => b.duration - a.duration || a.index - b.index);
  if (state.sort === "start") view.sort((a, b) => a.start - b.start || a.index - b.index);
  if (state.sort === "failed") view.sort((a, b) => RANK[a.outcome] - RANK[b.outcome] || a.index - b.index);
  for (const row of rowsInView.values()) row.remove();
  rowsInView.clear();
  space.style.height = Math.min(view.length * ROW, TALLEST) + "px";
  const isFiltered = view.length !== tests.length;
  byId("shown").textContent = isFiltered
    ? count(view.length) + " of " + plural(tests.length, "test") : plural(tests.length, "test");
  byId("clear").hidden = !hasFilters();
  let nothing = list.querySelector(".nothing");
  if (view.length === 0 && !nothing) {
    list.append(el("p.nothing", {}, tests.length ? "No tests match these filters." : "No tests ran."));
  } else if (view.length > 0 && nothing) {
    nothing.remove();
  }
  drawRows();
}

const hasFilters = () => state.query !== "" || state.outcomes.length > 0 || state.suite !== null
  || state.tag !== null || state.bin !== null || state.cause !== null;

/** Returns the factor by which scrolling is scaled. */
function scrollScale() {
  const whole = view.length * ROW;
  if (whole <= TALLEST) return 1;
  return (whole - list.clientHeight) / (TALLEST - list.clientHeight);
}

/** Creates the rows that become visible, and removes the others. */
function drawRows() {
  const scale = scrollScale();
  const top = list.scrollTop;
  const first = Math.max(0, Math.floor(top * scale / ROW) - 6);
  const last = Math.min(view.length, Math.ceil((top * scale + list.clientHeight) / ROW) + 6);
  for (const [position, row] of rowsInView) {
    if (position < first || position >= last) {
      row.remove();
      rowsInView.delete(position);
    }
  }
  const made = document.createDocumentFragment();
  for (let position = first; position < last; position++) {
    let row = rowsInView.get(position);
    if (row && scale === 1) continue;
    if (!row) {
      row = makeRow(view[position], position);
      rowsInView.set(position, row);
      made.append(row);
    }
    // If scrolling is scaled, rows move relative to the element that contains them.
    const y = scale === 1 ? position * ROW : position * ROW - top * scale + top;
    row.style.transform = "translateY(" + y + "px)";
  }
  if (made.childElementCount) space.append(made);
  markActive();
}

/** Reports the selected row to assistive technology if it is visible. */
function markActive() {
  const id = "row" + state.test;
  if (state.test !== null && byId(id)) list.setAttribute("aria-activedescendant", id);
  else list.removeAttribute("aria-activedescendant");
}

function makeRow(test, position) {
  const suite = test.suite ? test.suite.name : "";
  const under = test.message && test.outcome !== 0
    ? [suite && el("span.where", {}, cut(suite, 40)), cut(test.message)] : [cut(suite)];
  return el("div.row.o" + test.outcome, {
    role: "option", id: "row" + test.index, "aria-selected": String(state.test === test.index),
    "aria-setsize": view.length, "aria-posinset": position + 1,
  }, mark(test.outcome),
  el("div", {}, el("div.name", {}, cut(test.name)), el("div.under", {}, under)),
  el("div.time", {}, ran(test) ? time(test.duration) : "", smallStrip(test)));
}

/** Scrolls to make a row visible. */
function reveal(position) {
  const scale = scrollScale();
  const top = list.scrollTop * scale;
  if (position * ROW < top) list.scrollTop = position * ROW / scale;
  else if ((position + 1) * ROW > top + list.clientHeight) {
    list.scrollTop = ((position + 1) * ROW - list.clientHeight) / scale + (scale > 1 ? 1 : 0);
  }
  drawRows();
}

function markSelected() {
  const id = "row" + state.test;
  for (const row of rowsInView.values()) row.setAttribute("aria-selected", String(row.id === id));
  markActive();
}

let isDrawing = false;
function drawSoon() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    drawRows();
  });
}

function setUpList() {
  list.addEventListener("scroll", drawSoon, { passive: true });
  new ResizeObserver(drawSoon).observe(list);
  list.addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (row) choose(Number(row.id.slice(3)));
  });
  const chips = byId("chips");
  for (const outcome of TOLD) {
    if (!counts[outcome]) continue;
    chips.append(el("button.chip", {
      type: "button", "aria-pressed": "false", "data-outcome": outcome,
      onclick: () => toggleOutcome(outcome),
    }, el("i.fill" + outcome), OUTCOMES[outcome], el("b", {}, count(counts[outcome]))));
  }
  const suiteSelect = byId("suite");
  suiteSelect.append(el("option", { value: "" }, "All suites"));
  for (const suite of suites.values()) {
    if (suite.total) suiteSelect.append(el("option", { value: suite.index }, cut(suite.name, 80)));
  }
  const tagSelect = byId("tag");
  const tags = [...new Set(data.tags.flat())].sort();
  tagSelect.append(el("option", { value: "" }, tags.length ? "All tags" : "No tags"));
  tagSelect.disabled = tags.length === 0;
  for (const tag of tags) tagSelect.append(el("option", { value: tag }, cut(tag, 80)));
  for (const [value, name] of Object.entries(SORTS)) byId("sort").append(el("option", { value }, name));
  suiteSelect.addEventListener("change", () =>
    setFilters({ suite: suiteSelect.value === "" ? null : Number(suiteSelect.value) }));
  tagSelect.addEventListener("change", () =>
    setFilters({ tag: tagSelect.selectedIndex === 0 ? null : tagSelect.value }));
  byId("sort").addEventListener("change", () => setFilters({ sort: byId("sort").value }));
  byId("clear").addEventListener("click", clearFilters);
  let waiting = 0;
  const search = byId("search");
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => setFilters({ query: search.value.trim() }), 120);
  });
}

function clearFilters() {
  byId("search").value = "";
  setFilters({ query: "", outcomes: [], suite: null, tag: null, bin: null, cause: null });
}

function toggleOutcome(outcome) {
  const isOn = state.outcomes.includes(outcome);
  setFilters({ outcomes: isOn ? state.outcomes.filter((o) => o !== outcome) : [...state.outcomes, outcome] });
}

/** Changes filters and updates the list and the address. */
function setFilters(changes) {
  Object.assign(state, changes);
  list.scrollTop = 0;
  updateView();
  showFilters();
  writeHash(false);
}

/** Updates the controls to match the filters. */
function showFilters() {
  for (const chip of byId("chips").children) {
    chip.setAttribute("aria-pressed", String(state.outcomes.includes(Number(chip.dataset.outcome))));
  }
  byId("suite").value = state.suite === null ? "" : String(state.suite);
  byId("tag").value = state.tag === null ? "" : state.tag;
  byId("sort").value = state.sort;
  for (const line of document.querySelectorAll(".line.suite")) {
    line.setAttribute("aria-pressed", String(Number(line.dataset.suite) === state.suite));
  }
  for (const bar of document.querySelectorAll(".histogram button")) {
    bar.setAttribute("aria-pressed", String(Number(bar.dataset.bin) === state.bin));
  }
}
