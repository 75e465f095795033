// The selection, the address, the keyboard, and the theme.

const isNarrow = matchMedia("(max-width: 860px)");

/** Shows a test, or the overview if the index is null. */
function choose(index, { isFromAddress = false, focuses = false } = {}) {
  if (index !== null && !tests[index]) index = null;
  state.test = index;
  markSelected();
  if (index === null) showOverview();
  else {
    showTest(tests[index]);
    const position = view.indexOf(tests[index]);
    if (position >= 0) reveal(position);
    byId("spoken").textContent = OUTCOMES[tests[index].outcome] + ": " + tests[index].name;
  }
  showPane("main");
  if (focuses) byId("main").focus();
  if (!isFromAddress) writeHash(true);
}

/** Shows a pane. A narrow screen shows one pane at a time. */
function showPane(name) {
  document.body.dataset.view = name;
  byId("view-main").textContent = state.test === null ? "Overview" : "Test";
  byId("view-main").hidden = name === "main";
  byId("view-tests").hidden = name === "tests";
}

/** Moves the selection by a number of tests. */
function move(by) {
  const position = state.test === null ? -1 : view.indexOf(tests[state.test]);
  const next = position < 0 ? (by > 0 ? 0 : view.length - 1) : position + by;
  if (view[next]) choose(view[next].index);
}

/** Moves to the next or previous failure, and wraps around at the end of the list. */
function moveToFailure(by) {
  const position = state.test === null ? (by > 0 ? -1 : view.length) : view.indexOf(tests[state.test]);
  for (let step = 1; step <= view.length; step++) {
    const test = view[(position + by * step + view.length * 2) % view.length];
    if (test && isFailure(test)) return choose(test.index);
  }
}

// The address: a link restores the view.

function writeHash(isStep) {
  const parts = new URLSearchParams();
  if (state.query) parts.set("q", state.query);
  if (state.outcomes.length) parts.set("outcome", state.outcomes.map((o) => OUTCOMES[o]).join(","));
  if (state.suite !== null) parts.set("suite", state.suite);
  if (state.tag !== null) parts.set("tag", state.tag);
  if (state.bin !== null) parts.set("from", BINS[state.bin][0] / 1000);
  if (state.cause !== null) parts.set("cause", state.cause);
  if (state.sort !== "failed") parts.set("sort", state.sort);
  if (state.test !== null) parts.set("test", state.test);
  const hash = "#" + parts;
  if (hash === (location.hash || "#")) return;
  if (isStep) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
}

function readHash() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const number = (name) => /^\d+$/.test(parts.get(name) || "") ? Number(parts.get(name)) : null;
  const suite = number("suite");
  const bin = BINS.findIndex(([low]) => low / 1000 === number("from"));
  const tag = parts.get("tag");
  const sort = parts.get("sort") || "failed";
  Object.assign(state, {
    query: parts.get("q") || "",
    outcomes: (parts.get("outcome") || "").split(",").map((name) => OUTCOMES.indexOf(name))
      .filter((outcome) => outcome >= 0),
    suite: suites.has(suite) ? suite : null,
    tag: tag !== null && data.tags.some((list) => list.includes(tag)) ? tag : null,
    sort: Object.hasOwn(SORTS, sort) ? sort : "failed",
    bin: bin >= 0 ? bin : null,
    cause: tests.some((test) => test.cause !== null && test.cause === number("cause")) ? number("cause") : null,
  });
  byId("search").value = state.query;
  updateView();
  choose(number("test"), { isFromAddress: true });
  showFilters();
}

// Theme

const THEMES = ["auto", "light", "dark"];
const THEME_NAMES = { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" };
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let theme = "auto";

function setTheme(name) {
  theme = THEMES.includes(name) ? name : "auto";
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.classList.toggle("is-dark", theme === "dark" || theme === "auto" && prefersDark.matches);
  byId("theme").textContent = THEME_NAMES[theme];
  redrawTimeline();
}

function nextTheme() {
  setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]);
  try {
    localStorage.setItem("apitest-theme", theme);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}

// Keyboard

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  const target = event.target;
  const isTyping = target.matches("input, select, textarea");
  if (event.key === "Escape") {
    if (isTyping) target.blur();
    if (target === byId("search")) return list.focus();
    if (byId("main").contains(target)) return list.focus();
    return choose(null);
  }
  if (target === byId("search") && (event.key === "ArrowDown" || event.key === "Enter")) {
    event.preventDefault();
    list.focus();
    if (view.length) choose(view[0].index);
    return;
  }
  if (isTyping) return;
  // When the page opens, nothing has the focus, but the keys of the list work.
  const inList = target === list || target === document.body && !isNarrow.matches;
  const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
  const jump = (position) => view.length
    && choose(view[Math.max(0, Math.min(view.length - 1, position))].index);
  const current = state.test === null ? -1 : view.indexOf(tests[state.test]);
  const actions = {
    "/": () => byId("search").select(), j: () => move(1), k: () => move(-1), f: () => moveToFailure(1),
    F: () => moveToFailure(-1), t: nextTheme, "?": () => byId("keys").showModal(), c: copyCurl,
    ArrowDown: inList && (() => move(1)), ArrowUp: inList && (() => move(-1)),
    PageDown: inList && (() => jump(current + page)), PageUp: inList && (() => jump(current - page)),
    Home: inList && (() => jump(0)),
    End: inList && (() => jump(view.length - 1)),
    Enter: inList && (() => state.test === null ? move(1) : choose(state.test, { focuses: true })),
  };
  const action = Object.hasOwn(actions, event.key) && actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function copyCurl() {
  const command = byId("main").querySelector("[data-curl]");
  if (command) copy(command.textContent, "curl command");
}

function start() {
  for (const element of document.querySelectorAll(".top, .frame")) element.hidden = false;
  document.querySelector(".plain").remove();
  let stored = "auto";
  try {
    stored = localStorage.getItem("apitest-theme") || "auto";
  } catch {
    // Without storage, the theme is automatic.
  }
  setTheme(stored);
  const home = byId("home");
  const done = run.duration == null ? "" : " · " + time(run.duration);
  add(home, [mark(overallOutcome()), el("b", {}, verdict()), proportions(counts),
    el("span", {}, testCount() + done)]);
  home.addEventListener("click", () => choose(null));
  byId("theme").addEventListener("click", nextTheme);
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("view-tests").addEventListener("click", () => showPane("tests"));
  byId("view-main").addEventListener("click", () => showPane("main"));
  prefersDark.addEventListener("change", () => setTheme(theme));
  document.addEventListener("keydown", onKey);
  window.addEventListener("beforeprint", preparePrint);
  window.addEventListener("afterprint", () => byId("printed").replaceChildren());
  window.addEventListener("popstate", readHash);
  setUpList();
  readHash();
}

start();
