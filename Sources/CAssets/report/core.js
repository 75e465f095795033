const OUTCOMES = ["passed", "flaky", "failed", "error", "skipped", "blocked", "known to fail"];
const MARKS = ["✓", "~", "✗", "!", "–", "⊘", "≈"];
/** The order in which outcomes are listed: those that need attention come first. */
const TOLD = [2, 3, 6, 1, 5, 4, 0];

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const run = data.run;
const suites = new Map(Object.entries(data.suites).map(([index, row]) => [Number(index), {
  index: Number(index), name: row[0], file: row[1], environment: row[2], baseURL: row[3], start: row[4],
  duration: row[5], counts: [0, 0, 0, 0, 0, 0, 0], total: 0, time: 0,
  description: row[6], notRun: row[7],
  hasError: data.notices.some((notice) => notice[0] === "error" && notice[1] === Number(index)),
}]));
/** Rows of setups and teardowns. They are not tests, and count only if they fail. */
const uncounted = new Set(data.uncounted);
const counts = [0, 0, 0, 0, 0, 0, 0];
let failuresSoFar = 0;

/** All tests, in file order. */
const tests = data.tests.map((row, index) => {
  const suite = suites.get(row[0]);
  if (!uncounted.has(index)) counts[row[2]]++;
  if (suite) {
    if (!uncounted.has(index)) suite.counts[row[2]]++;
    suite.total++;
    suite.time += row[4];
  }
  const hasFailed = row[2] === 2 || row[2] === 3;
  return {
    cause: hasFailed ? data.causes[failuresSoFar++] ?? null : null,
    index, suite, name: row[1], outcome: row[2], start: row[3], duration: row[4], place: row[5],
    tags: row[6] == null ? [] : data.tags[row[6]], message: row[7] || "",
    steps: Array.isArray(row[8]) ? row[8] : null, sent: typeof row[8] === "string" ? row[8] : "", text: null,
  };
});
const failureCount = counts[2] + counts[3];
const isFailure = (test) => test.outcome === 2 || test.outcome === 3;
const ran = (test) => test.outcome < 4 || test.outcome === 6;

/** Returns the details of a test beyond its row, or null if there are none. */
function detailOf(test) {
  const element = byId("t" + test.index);
  return element ? JSON.parse(element.textContent) : null;
}

// Elements. Data is only inserted as text nodes.

/** Characters that are invisible or reorder the text around them. */
const INVISIBLE = new RegExp("[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f"
  + "\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ufff9-\\uffff]", "g");
/** Letters of scripts that use joiners in their spelling, and the parts of emoji. */
const JOINING = new RegExp("^(?:[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]|"
  + "(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}])[\\p{L}\\p{M}])$", "u");

/** Returns whether a joiner (U+200C, U+200D) is part of the spelling: between letters, or in an emoji. */
function isSpelling(text, index) {
  const before = Array.from(text.slice(Math.max(0, index - 2), index)).at(-1);
  const after = Array.from(text.slice(index + 1, index + 3))[0];
  return before !== undefined && after !== undefined && JOINING.test(before) && JOINING.test(after);
}

/** Appends text to an element. Invisible characters are shown as escapes. */
function addText(element, text) {
  text = String(text);
  let end = 0;
  for (const match of text.matchAll(INVISIBLE)) {
    const code = match[0].charCodeAt(0);
    // A line break needs no escape, and U+FFFD, which replaces invalid bytes, is visible.
    if (code === 0xfffd || code === 0x0d && text[match.index + 1] === "\n") continue;
    if ((code === 0x200c || code === 0x200d) && isSpelling(text, match.index)) continue;
    if (match.index > end) element.append(text.slice(end, match.index));
    const escape = document.createElement("span");
    escape.className = "escape";
    escape.textContent = code < 0x100 ? "\\x" + hex(code, 2) : "\\u" + hex(code, 4);
    element.append(escape);
    end = match.index + 1;
  }
  if (end < text.length) element.append(end > 0 ? text.slice(end) : text);
  return element;
}

const hex = (number, digits) => number.toString(16).toUpperCase().padStart(digits, "0");

/** Creates an element from a tag with classes after dots, attributes, listeners, and content. */
function el(tag, attributes, ...content) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value == null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  return add(element, content);
}

function add(element, content) {
  for (const item of content.flat(4)) {
    if (item == null || item === false) continue;
    if (item instanceof Node) element.append(item);
    else addText(element, item);
  }
  return element;
}

function replace(element, ...content) {
  element.replaceChildren();
  return add(element, content);
}

const mark = (outcome) =>
  el("span.mark.o" + outcome, { role: "img", "aria-label": OUTCOMES[outcome] }, MARKS[outcome]);

/** Sets style properties. The page's policy allows this only to scripts. */
function style(element, properties) {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
  return element;
}

// Numbers

const count = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
const plural = (number, noun) => count(number) + " " + noun + (number === 1 ? "" : "s");

/** Formats a duration in microseconds like the console. */
function time(micros) {
  if (micros == null) return "";
  if (micros < 9950) return (micros / 1000).toFixed(1) + " ms";
  if (micros < 999500) return Math.round(micros / 1000) + " ms";
  if (micros < 59995000) return (micros / 1e6).toFixed(2) + " s";
  const seconds = Math.round(micros / 1e6);
  if (seconds < 3600) return Math.floor(seconds / 60) + " min " + seconds % 60 + " s";
  return Math.floor(seconds / 3600) + " h " + Math.floor(seconds % 3600 / 60) + " min";
}

/** Formats a size in units of powers of 1,000. */
function size(bytes) {
  if (bytes < 1000) return bytes + " B";
  let unit = 0;
  while (bytes >= 999.5 && unit < 4) {
    bytes /= 1000;
    unit++;
  }
  return (bytes < 9.95 ? bytes.toFixed(1) : Math.round(bytes)) + " " + ["B", "KB", "MB", "GB", "TB"][unit];
}

/** Creates a bar that shows the proportions of outcomes. */
function proportions(numbers) {
  const total = numbers.reduce((sum, number) => sum + number, 0);
  const words = TOLD.filter((o) => numbers[o]).map((o) => count(numbers[o]) + " " + OUTCOMES[o]).join(", ");
  const bar = el("span.proportions", { role: "img", "aria-label": words || "no tests", title: words });
  for (const outcome of TOLD) {
    if (!numbers[outcome]) continue;
    bar.append(style(el("i.fill" + outcome), { flex: numbers[outcome] / total + " 0 0" }));
  }
  return bar;
}

const CUT_TEXT = 160;
const SEGMENTS = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;

/** Truncates text after a whole character. */
function cut(text, length = CUT_TEXT) {
  if (text.length <= length) return text;
  let end = length - 1;
  if (SEGMENTS) {
    end = 0;
    for (const { index } of SEGMENTS.segment(text.slice(0, length))) end = index;
  }
  return text.slice(0, end) + "…";
}

/** Makes an element scrollable by keyboard while it does not fit. */
function scrolls(element, label) {
  const look = () => {
    const isLong = element.scrollHeight > element.clientHeight + 1;
    if (isLong === element.hasAttribute("tabindex")) return;
    const attributes = { tabindex: 0, role: "region", "aria-label": label };
    for (const [name, value] of Object.entries(attributes)) {
      if (isLong) element.setAttribute(name, value);
      else element.removeAttribute(name);
    }
  };
  new ResizeObserver(look).observe(element);
  return element;
}

/** Parses the request of a row, such as `GET 200 /books`, whose URL may be relative to the suite's base URL. */
function requestOf(text, suite) {
  const [, method, status, target] = /^(\S+) (\S+) ([^]*)$/.exec(text) || [null, "", "-", text];
  const base = suite && suite.baseURL ? suite.baseURL.replace(/\/$/, "") : "";
  return { method, status: status === "-" ? null : Number(status),
    url: target.startsWith("/") ? base + target : target };
}

/** Returns the location of a test. */
function placeOf(test) {
  return typeof test.place === "string" ? test.place : (test.suite ? test.suite.file : "?") + ":" + test.place;
}

async function copy(text, what) {
  let isDone = false;
  try {
    await navigator.clipboard.writeText(text);
    isDone = true;
  } catch {
    const area = el("textarea.visually-hidden");
    area.value = text;
    document.body.append(area);
    area.select();
    isDone = document.execCommand("copy");
    area.remove();
  }
  byId("spoken").textContent = isDone ? what + " copied" : what + " could not be copied";
  return isDone;
}

function copyButton(text, what, label = "Copy") {
  const button = el("button.button", { type: "button", "aria-label": "Copy " + what }, label);
  button.addEventListener("click", async () => {
    button.textContent = await copy(typeof text === "function" ? text() : text, what) ? "Copied" : "Failed";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}
