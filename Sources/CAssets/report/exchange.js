// An exchange: the request, the response, the duration of each phase, and the curl command.

const PHASES = ["DNS", "connect", "TLS", "first byte", "transfer", "other"];

function showExchange(exchange) {
  const { request, response, failure, command } = exchange;
  const block = el("div.block.exchange");
  if (exchange.hops) {
    block.append(el("div.part", {}, exchange.hops.map(([status, url, location]) => el("div.message-line", {},
      el("span.arrow", {}, "↪"), statusBadge(status), el("code.url", {}, url + " → " + location)))));
  }
  block.append(el("div.part", {},
    el("div.message-line", {}, el("span.arrow", { title: "sent" }, "→"), el("code.method", {}, request.method),
      el("code.url", {}, request.url)),
    fields("header", request.headers),
    request.trace && el("div.dim", {}, "trace ", el("code", {}, request.trace)),
    request.streamed != null && el("div.unkept", {}, request.streamed
      ? "body of " + size(request.streamed) + " (not kept)" : "body (not kept)"),
    payload(request.body)));
  const back = el("div.part");
  if (command) {
    add(back, [el("div.message-line", {}, el("span.arrow", { title: "result" }, "←"),
      el("code.status" + (command.isGood ? ".good" : ".bad"), {}, command.ending),
      el("span.url.dim", {}, response && response.body ? size(response.body.size) : "")),
    response && payload(response.body),
    command.errors && el("div.message-line", {}, el("span.arrow", {}, "←"), el("span.dim", {}, "standard error")),
    command.errors && payload(command.errors.body)]);
  } else if (response) {
    const body = response.body;
    const words = [response.reason, body && body.type, body && size(body.size)];
    back.append(el("div.message-line", {},
      el("span.arrow", { title: "received" }, "←"), statusBadge(response.status),
      el("span.url.dim", {}, words.filter(Boolean).join(" · ")), el("span.spring"),
      el("span.dim.version", {}, "HTTP/" + response.version)));
    add(back, [fields("header", response.headers), payload(body), fields("trailer", exchange.trailers)]);
  } else {
    back.append(el("div.message-line", {}, el("span.arrow", {}, "←"), el("span.dim", {}, "no response")));
  }
  if (failure) back.append(el("div.broken", {}, failure[0] + ": " + failure[2]));
  if (exchange.webSocket) back.append(conversation(exchange.webSocket));
  if (exchange.events) back.append(eventList(exchange));
  block.append(back);
  const phases = phaseBar(exchange.timings);
  if (phases) block.append(phases);
  if (exchange.curl) {
    block.append(el("div.part.curl", {}, el("code", { "data-curl": true }, exchange.curl),
      copyButton(exchange.curl, "curl command")));
  }
  return block;
}

function statusBadge(status) {
  const kind = status < 300 ? ".good" : status < 400 ? ".moved" : ".bad";
  return el("code.status" + kind, {}, status);
}

function fields(noun, list) {
  if (!list || !list.length) return null;
  return el("details.fold", {}, el("summary", {}, plural(list.length, noun + " field")),
    el("table.fields", {}, el("tbody", {}, list.map(([name, value]) =>
      el("tr", {}, el("th", { scope: "row" }, el("code", {}, name)), el("td", {}, el("code", {}, value)))))));
}

/** The maximum number of lines of a body that are shown initially. */
const MOST_LINES = 60;

function payload(body) {
  if (!body) return null;
  const raw = body.json ?? body.text;
  const pre = scrolls(el("pre"), "Body");
  const box = el("div.payload", {});
  const heading = el("div.bar-line", {}, el("span", {}, [body.json != null ? "JSON" : body.type || "text",
    size(body.size)].join(" · ")), el("span.spring"));
  if (raw == null) {
    heading.firstChild.textContent = "binary · " + size(body.size);
    pre.textContent = hexDump(body.bytes || "");
    const missing = body.size - (body.bytes || "").length / 2;
    add(box, [heading, pre, missing > 0 && el("div.more.dim", {}, "… " + size(missing) + " more")]);
    return box;
  }
  let isLaidOut = body.json != null;
  let isWhole = false;
  const more = el("div.more", {});
  const fill = () => {
    pre.replaceChildren();
    let rest = 0;
    if (isLaidOut) rest = addJSON(pre, raw, isWhole ? Infinity : MOST_LINES);
    else {
      const lines = raw.split("\n");
      const shown = isWhole ? lines : lines.slice(0, MOST_LINES);
      const text = shown.join("\n");
      addText(pre, isWhole ? text : text.slice(0, 12000));
      rest = lines.length - shown.length + (text.length > 12000 && !isWhole ? 1 : 0);
    }
    more.replaceChildren();
    if (rest) {
      const showAll = () => {
        isWhole = true;
        fill();
      };
      add(more, [el("button.button", { type: "button", onclick: showAll }, "Show all")]);
    } else if (body.omitted) {
      add(more, [el("span.dim", {}, "… " + size(body.omitted) + " more (omitted from the report)")]);
    }
    more.hidden = !more.firstChild;
  };
  if (body.json != null) {
    const toggle = el("button.button.quiet", { type: "button", "aria-pressed": "false" }, "Raw");
    toggle.addEventListener("click", () => {
      isLaidOut = !isLaidOut;
      toggle.setAttribute("aria-pressed", String(!isLaidOut));
      toggle.textContent = isLaidOut ? "Raw" : "Formatted";
      fill();
    });
    heading.append(toggle);
  }
  heading.append(copyButton(raw, "body"));
  fill();
  add(box, [heading, pre, more]);
  return box;
}

const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[{}[\],:]|-?\d[\d.eE+-]*|[^\s"{}[\],:]+|\s+/g;

/**
 * Formats and colors JSON token by token, so that numbers and escapes stay as they were sent, and truncated JSON is
 * shown. Returns 1 if there are more lines than the maximum, otherwise 0.
 */
function addJSON(target, text, mostLines) {
  const tokens = (text.match(TOKEN) || []).filter((token) => token.trim() !== "");
  const width = 88;
  let depth = 0;
  let lines = 1;
  let column = 0;
  let plain = "";
  const flush = () => {
    if (plain) target.append(plain);
    plain = "";
  };
  const breakLine = () => {
    lines++;
    column = Math.min(depth * 2, 40);
    plain += "\n" + " ".repeat(column);
  };
  const write = (token, isKey) => {
    column += token.length;
    const kind = token[0] === "\"" ? (isKey ? "k" : "s") : /[-\d]/.test(token[0]) ? "n"
      : /[a-z*]/i.test(token[0]) ? "w" : "";
    if (!kind) {
      plain += token;
      return;
    }
    flush();
    target.append(addText(el("span.tok-" + kind), token));
  };
  /** Returns the index after the container that starts at a token, or -1 if it does not fit on the line. */
  const endOfShort = (index) => {
    let open = 0;
    let length = column;
    for (let next = index; next < tokens.length; next++) {
      const token = tokens[next];
      length += token.length + (token === "," || token === ":" ? 1 : 0);
      if (length > width) return -1;
      if (token === "{" || token === "[") open++;
      if (token === "}" || token === "]") open--;
      if (open === 0) return next + 1;
    }
    return -1;
  };
  let index = 0;
  while (index < tokens.length) {
    if (lines > mostLines) {
      flush();
      return 1;
    }
    const token = tokens[index];
    if (token === "{" || token === "[") {
      const end = endOfShort(index);
      if (end > 0) {
        for (; index < end; index++) {
          write(tokens[index], tokens[index + 1] === ":");
          if (tokens[index] === "," || tokens[index] === ":") plain += " ";
        }
        continue;
      }
      write(token);
      depth++;
      breakLine();
    } else if (token === "}" || token === "]") {
      depth = Math.max(0, depth - 1);
      breakLine();
      write(token);
    } else if (token === ",") {
      write(token);
      breakLine();
    } else if (token === ":") {
      plain += ": ";
      column += 2;
    } else {
      write(token, tokens[index + 1] === ":");
    }
    index++;
  }
  flush();
  return 0;
}

function hexDump(digits) {
  const lines = [];
  for (let start = 0; start < digits.length; start += 32) {
    const bytes = digits.slice(start, start + 32).match(/../g) || [];
    const letters = bytes.map((byte) => {
      const code = parseInt(byte, 16);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : "·";
    }).join("");
    lines.push(hex(start / 2, 4).toLowerCase() + "  " + bytes.join(" ").toLowerCase().padEnd(49) + letters);
  }
  return lines.join("\n");
}

function conversation({ omitted, messages }) {
  const items = messages.map(([side, kind, content, number]) => {
    let what;
    if (kind === "text") what = el("code", {}, content || "(empty)");
    else if (kind === "binary") {
      const bytes = (content.match(/../g) || []).join(" ").toLowerCase();
      what = el("code", {}, size(number) + " of binary data  " + bytes);
    } else if (kind === "close") {
      what = el("code", {}, "close " + (number === 1005 ? "" : number + " ") + content);
    } else what = el("code", {}, kind);
    const arrow = side === "sent" ? "→" : "←";
    return el("li", {}, el("span." + side, { title: side, role: "img", "aria-label": side }, arrow), what,
      kind === "text" && number != null && el("span.dim", {}, size(number) + " total"));
  });
  return el("ul.socket", {}, omitted > 0 && el("li.dim", {}, "… " + plural(omitted, "earlier message")), items);
}

function eventList({ events, eventCount }) {
  return el("details.fold", {}, el("summary", {}, plural(eventCount, "event")),
    el("ul.socket", {},
      events.map((event) => el("li", {}, el("span.received", {}, "←"), el("code", {}, event))),
      eventCount > events.length && el("li.dim", {}, "… " + plural(eventCount - events.length, "more event"))));
}

/** Creates a bar of the durations of the phases. */
function phaseBar(timings) {
  if (!timings) return null;
  const total = timings[5];
  const known = timings.slice(0, 5).reduce((sum, phase) => sum + (phase || 0), 0);
  if (!(total > 0 || known > 0)) return null;
  const parts = [...timings.slice(0, 5), Math.max(0, total - known)];
  const track = el("div.track", { role: "img", "aria-label": "Phases of the exchange" });
  const legend = el("div.legend");
  parts.forEach((phase, index) => {
    if (phase == null || index === 5 && phase < total * 0.01) return;
    if (phase > 0) track.append(style(el("i.p" + index, { title: PHASES[index] }), { flex: phase + " 0 0" }));
    legend.append(el("span", {}, el("i.p" + index), PHASES[index] + " ", el("b", {}, time(phase))));
  });
  legend.append(el("span", {}, "total ", el("b", {}, time(Math.max(total, known)))));
  return el("div.part.phases", {}, track, legend);
}
