"use strict";

// The page follows /api/events. Everything that it shows is text: nothing that
// a gateway says is taken for markup.

const byId = (id) => document.getElementById(id);

// shownMost bounds the rows of the table: nobody reads more, and a phone could
// not show them.
const shownMost = 500;

// silence is how long nothing may come before the connection counts as lost.
// The server sends something at least every two seconds.
const silence = 6000;

const known = {
  rows: new Map(), // by id, in the order of the plan
  elements: new Map(), // rows of the table by id
  movable: false,
  offset: 0, // the server's clock minus ours
  lost: 0, // since when, 0 while connected
};

/* What is shown */

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });

function element(name, text, className) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (className) e.className = className;
  return e;
}

// time shows a time in the reader's zone, in full where somebody points at it.
function time(stamp) {
  const date = new Date(stamp);
  const e = element("time", clock.format(date));
  e.dateTime = stamp;
  e.title = calendar.format(date);
  return e;
}

function seconds(ms) {
  return ms >= 1000 && ms % 100 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

// stateWords says what a circuit does, with what is left of a break.
function stateWords(circuit) {
  switch (circuit.state) {
    case "open": {
      const left = Math.max(0, Math.ceil((Date.parse(circuit.until) - Date.now() - known.offset) / 1000));
      return left > 0 ? `open, ${left} s left` : "open, next call probes";
    }
    case "half-open":
      return circuit.probing ? "probing" : "half-open, next call probes";
    default:
      return circuit.state;
  }
}

// hostNote tells of the hosts of a route that are passed over.
function hostNote(row) {
  const failing = (row.hosts || []).filter((h) => h.state !== "closed");
  if (!failing.length) return [];
  const words = failing.map((h) => `${h.host} (${stateWords(h)})`).join(", ");
  const all = failing.length === row.hosts.length ? "every host that was asked fails" : `${failing.length} of ${row.hosts.length} hosts passed over`;
  return [element("span", `${all}: ${words}`, "note trouble hosts")];
}

function stateCell(row) {
  if (row.refused) return [element("span", "not served", "state open"), element("span", row.refused, "note")];
  const parts = [row.circuit ? element("span", stateWords(row.circuit), `state ${row.circuit.state}`) : element("span", "no breaker", "state none")];
  parts.push(...hostNote(row));
  if (row.trouble) parts.push(element("span", row.trouble, "note trouble"));
  if (!row.circuit) return parts;
  if (row.opened) parts.push(element("span", `opened ${row.opened === 1 ? "once" : `${row.opened} times`}`, "note"));
  if (row.circuit.shared) parts.push(element("span", `one circuit of several routes: ${row.circuit.shared}`, "note"));
  return parts;
}

// windowCell shows how far the circuit is from opening.
function windowCell(row) {
  const c = row.circuit;
  if (row.kind === "service") return c ? windowParts(c) : [];
  const total = element("span", `${row.calls} calls, ${row.failures} failed${row.rejected ? `, ${row.rejected} rejected` : ""} since the start`, "note");
  return c ? [...windowParts(c), total] : [total];
}

function windowParts(c) {
  const meter = element("meter");
  let words;
  if (c.kind === "consecutive") {
    words = `${c.failures} of ${c.threshold} failures in a row`;
    meter.max = c.threshold || 1;
    meter.value = c.failures;
    meter.high = meter.max - 0.5;
  } else {
    words = `${c.failures} of ${c.calls} calls failed`;
    meter.max = Math.max(c.calls, 1);
    meter.value = c.failures;
    if (c.ratio) meter.high = c.ratio * meter.max;
  }
  meter.low = 0;
  meter.optimum = 0;
  meter.textContent = words;
  meter.setAttribute("aria-label", words);
  return [meter, element("span", words, "faint")];
}

function timeoutCell(row) {
  if (row.kind === "service") return [];
  const parts = [document.createTextNode(String(row.attemptTimeouts))];
  parts.push(element("span", row.attemptTimeout ? `after ${seconds(row.attemptTimeout)}` : "none is set", "note"));
  return parts;
}

function failureCell(row) {
  const last = row.lastFailure;
  if (!last) return [element("span", "none", "faint")];
  const what = last.status ? `${last.reason} ${last.status}` : last.reason;
  const parts = [time(last.at), document.createTextNode(" "), document.createTextNode(what)];
  if (last.error) parts.push(element("span", last.error, "note"));
  return parts;
}

function actionCell(row) {
  if (!row.circuit || !known.movable) return [];
  const isolated = row.circuit.state === "isolated";
  const hold = element("button", "Isolate");
  hold.setAttribute("aria-label", `Isolate ${row.id}`);
  hold.disabled = isolated;
  hold.addEventListener("click", () => move("isolate", row.id));
  const release = element("button", "Reset");
  release.setAttribute("aria-label", `Reset ${row.id}`);
  release.addEventListener("click", () => move("reset", row.id));
  return [hold, release];
}

const cells = [
  ["Circuit", stateCell],
  ["In the window", windowCell],
  ["Attempt timeouts", timeoutCell],
  ["Last failure", failureCell],
  ["", actionCell],
];

// draw puts a row into its element, one cell at a time, and leaves cells alone
// that say the same as before: focus stays where it is.
function draw(row) {
  let tr = known.elements.get(row.id);
  if (!tr) {
    tr = element("tr");
    const th = element("th");
    th.scope = "row";
    const open = element("button", row.id, "route");
    open.addEventListener("click", () => showDetail(row.id));
    th.append(open);
    tr.append(th);
    for (const [label] of cells) {
      const td = element("td");
      if (label) td.dataset.label = label;
      else td.className = "actions";
      tr.append(td);
    }
    known.elements.set(row.id, tr);
  }
  cells.forEach(([, make], i) => {
    const td = tr.cells[i + 1];
    const holder = element("td");
    holder.append(...make(row));
    if (td.innerHTML !== holder.innerHTML) td.replaceChildren(...holder.childNodes);
  });
  return tr;
}

function abnormal(row) {
  return Boolean(row.refused || row.trouble || hostNote(row).length) || Boolean(row.circuit && row.circuit.state !== "closed");
}

// choose returns the rows that are to be seen.
function choose() {
  const text = byId("filter").value.trim().toLowerCase();
  const only = byId("abnormal").checked;
  const fitting = [...known.rows.values()].filter((r) => (!text || r.id.toLowerCase().includes(text)) && (!only || abnormal(r)));
  const shown = fitting.length <= shownMost ? fitting : [...fitting.filter(abnormal), ...fitting.filter((r) => !abnormal(r))].slice(0, shownMost);
  return { fitting, shown };
}

// arrange draws the table anew.
function arrange() {
  const { fitting, shown } = choose();
  byId("routes").tBodies[0].replaceChildren(...shown.map(draw));
  const all = known.rows.size;
  let words = fitting.length === all ? `${all} routes` : `${fitting.length} of ${all} routes`;
  if (shown.length < fitting.length) words += `, ${shown.length} shown`;
  byId("count").textContent = words;
}

/* What comes in */

function headline(s) {
  byId("name").textContent = s.name || "margay";
  document.title = `${s.name || "gateway"} – margay`;
  byId("hint").hidden = s.movable;
  byId("plan").textContent = `${s.plan.routes} routes, ${s.plan.ocelot ? `as Ocelot ${s.plan.ocelot} runs it` : "by the documentation"}, provider ${s.plan.provider}`;
}

function reloaded(r) {
  const trouble = byId("trouble");
  trouble.hidden = !r.error;
  trouble.replaceChildren();
  if (!r.error) return;
  trouble.append(document.createTextNode("The configuration was not reloaded at "), time(r.failedAt),
    document.createTextNode("; the one from "), time(r.loadedAt), document.createTextNode(` stays in force.\n${r.error}`));
}

// schemes tells of keys that cannot be fetched.
function schemes(all) {
  const failing = all.filter((s) => s.error);
  const list = byId("keys");
  const items = failing.map((s) => {
    const item = element("li", s.keys ? `New keys of ${s.issuer} (scheme ${s.name}) cannot be fetched; the ${s.keys} at hand serve on, from ` : `No client of the scheme ${s.name} can be recognised: the keys of ${s.issuer} cannot be fetched, `);
    item.append(s.keys ? time(s.fetchedAt) : "last tried at ", s.keys ? "; last tried at " : "", time(s.failedAt), element("span", s.error, "note"));
    return item;
  });
  const holder = element("ul");
  holder.append(...items);
  if (list.innerHTML !== holder.innerHTML) list.replaceChildren(...items);
  list.hidden = !items.length;
}

const news = {
  state(s) {
    known.offset = Date.parse(s.now) - Date.now();
    known.movable = s.movable;
    known.rows = new Map(s.routes.map((r) => [r.id, r]));
    known.elements.clear();
    headline(s);
    reloaded(s.reload);
    schemes(s.schemes);
    arrange();
  },
  changes(c) {
    known.offset = Date.parse(c.now) - Date.now();
    reloaded(c.reload);
    schemes(c.schemes);
    let regroup = false;
    for (const row of c.routes) {
      const before = known.rows.get(row.id);
      known.rows.set(row.id, row);
      if (before && before.circuit && row.circuit && before.circuit.state !== row.circuit.state) {
        byId("news").textContent = `${row.id}: ${stateWords(row.circuit)}`;
      }
      if (before && abnormal(before) !== abnormal(row)) regroup = true;
      if (known.elements.has(row.id)) draw(row);
    }
    if (regroup && (byId("abnormal").checked || known.rows.size > shownMost)) arrange();
  },
};

function connected() {
  known.lost = 0;
  document.body.classList.remove("lost");
  const e = byId("connection");
  e.className = "live";
  e.textContent = "Live";
}

function disconnected(why) {
  if (!known.lost) known.lost = Date.now();
  document.body.classList.add("lost");
  const e = byId("connection");
  const text = `Connection lost at ${clock.format(new Date(known.lost))}${why ? ` (${why})` : ""}: what you see is old. Trying again …`;
  e.className = "lost";
  if (e.textContent !== text) e.textContent = text;
}

// dispatch takes one server-sent event.
function dispatch(block) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data.push(line.slice(6));
  }
  if (news[name]) news[name](JSON.parse(data.join("\n")));
}

/* The connection: fetch, as EventSource can send no token */

function token() {
  return sessionStorage.getItem("margay-token") || "";
}

function headers() {
  return token() ? { Authorization: `Bearer ${token()}` } : {};
}

async function follow() {
  const control = new AbortController();
  let timer = setTimeout(() => control.abort(), silence);
  try {
    const response = await fetch("api/events", { headers: headers(), signal: control.signal, cache: "no-store" });
    if (response.status === 401) {
      await askToken();
      return;
    }
    if (!response.ok) throw new Error(`status ${response.status}`);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the server ended it");
      clearTimeout(timer);
      timer = setTimeout(() => control.abort(), silence);
      rest += value;
      for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
        dispatch(rest.slice(0, end));
        rest = rest.slice(end + 2);
        connected();
      }
    }
  } catch (err) {
    disconnected(err.name === "AbortError" ? "nothing came" : "");
  } finally {
    clearTimeout(timer);
    control.abort();
  }
}

async function forever() {
  for (;;) {
    await follow();
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/* Dialogs */

// ask shows a question and runs an action on yes; the action returns what is
// wrong, or nothing.
function ask({ title, text, yes, action }) {
  const dialog = byId("ask");
  byId("ask-title").textContent = title;
  byId("ask-text").textContent = text;
  byId("ask-yes").textContent = yes;
  byId("ask-trouble").textContent = "";
  byId("ask-token").hidden = Boolean(token());
  dialog.showModal();
  return new Promise((resolve) => {
    byId("ask-form").onsubmit = async (event) => {
      event.preventDefault();
      if (byId("token").value) sessionStorage.setItem("margay-token", byId("token").value);
      byId("token").value = "";
      const trouble = await action();
      if (!trouble) {
        dialog.close();
        return;
      }
      byId("ask-trouble").textContent = trouble;
      byId("ask-token").hidden = Boolean(token());
    };
    byId("ask-no").onclick = () => dialog.close();
    dialog.onclose = resolve;
  });
}

function askToken() {
  sessionStorage.removeItem("margay-token");
  return ask({ title: "Who are you?", text: "This page is guarded by the admin token.", yes: "Show", action: async () => (token() ? "" : "Write the token.") });
}

function move(what, id) {
  const isolating = what === "isolate";
  return ask({
    title: isolating ? "Isolate the circuit?" : "Reset the circuit?",
    text: isolating ? `Every request of ${id} is answered as with an open circuit until somebody resets it.` : `The circuit of ${id} closes, and what was counted is forgotten.`,
    yes: isolating ? "Isolate" : "Reset",
    action: async () => {
      try {
        const response = await fetch(`api/${what}`, { method: "POST", headers: headers(), body: new URLSearchParams({ route: id }) });
        if (response.ok) return "";
        if (response.status === 401) sessionStorage.removeItem("margay-token");
        return response.status === 401 ? "That is not the token." : await response.text();
      } catch {
        return "The server does not answer.";
      }
    },
  });
}

async function showDetail(id) {
  const response = await fetch(`api/route?id=${encodeURIComponent(id)}`, { headers: headers() }).catch(() => null);
  byId("detail-title").textContent = id;
  byId("detail-values").replaceChildren();
  if (!response || !response.ok) {
    byId("detail-at").textContent = "";
    byId("detail-words").textContent = response ? await response.text() : "The server does not answer.";
    byId("detail-plan").textContent = "";
  } else {
    const d = await response.json();
    byId("detail-at").textContent = d.at ? `written at ${d.at}` : "";
    byId("detail-words").textContent = d.words.length ? `In words: ${d.words.join(" ")}` : "";
    for (const v of d.values) {
      const tr = element("tr");
      tr.append(element("td", v.field), element("td", v.value === null ? "–" : typeof v.value === "object" ? JSON.stringify(v.value) : String(v.value)), element("td", v.at));
      byId("detail-values").append(tr);
    }
    byId("detail-plan").textContent = JSON.stringify(d.route, null, 2);
  }
  byId("detail").showModal();
}

/* Begin */

byId("filter").addEventListener("input", arrange);
byId("abnormal").addEventListener("change", arrange);
byId("filters").addEventListener("submit", (event) => event.preventDefault());
setInterval(() => {
  for (const row of known.rows.values()) {
    const counting = (row.circuit && row.circuit.state === "open") || hostNote(row).length;
    if (counting && known.elements.has(row.id)) draw(row);
  }
}, 1000);
forever();
