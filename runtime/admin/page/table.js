// The table of routes.

import { cells } from "./cells.js";
import { abnormal, byId, count, counting, element, fill, kindOf, say } from "./words.js";
import { move, showDetail } from "./dialogs.js";

// shownMost bounds the rows of the table: nobody reads more, and a phone could
// not show them.
const shownMost = 500;

export const known = {
  rows: new Map(), // by id, in the order of the plan
  elements: new Map(), // rows of the table by id
  movable: false,
  offset: 0, // the server's clock minus ours
};

// cell returns a cell with its role in words: where a small screen shows it as a
// block, browsers forget that it is one.
function cell(name, role) {
  const e = element(name);
  e.setAttribute("role", role);
  return e;
}

// make returns the row of the table that a route will be drawn in.
function make(id) {
  const tr = cell("tr", "row");
  const th = cell("th", "rowheader");
  th.scope = "row";
  const open = element("button", id, "route");
  open.setAttribute("aria-haspopup", "dialog");
  open.addEventListener("click", () => showDetail(id));
  th.append(open);
  tr.append(th);
  for (const [label] of cells) {
    const td = cell("td", "cell");
    td.dataset.label = label;
    td.append(element("div"));
    tr.append(td);
  }
  const actions = cell("td", "cell");
  actions.className = "actions";
  tr.append(actions);
  return tr;
}

// action returns a button that moves the circuit of a route. It stays the same
// element, so that focus stays on it while the row changes.
function action(verb, what, id) {
  const button = element("button", verb);
  button.setAttribute("aria-label", `${verb} ${id}`);
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") !== "true") move(what, id);
  });
  return button;
}

function drawActions(td, row) {
  const wanted = Boolean(row.circuit) && known.movable;
  if (wanted !== td.childElementCount > 0) {
    td.replaceChildren(...(wanted ? [action("Isolate", "isolate", row.id), action("Reset", "reset", row.id)] : []));
  }
  if (wanted) td.firstChild.setAttribute("aria-disabled", String(row.circuit.state === "isolated"));
}

// draw puts a row into its element, and leaves cells alone that say the same as
// before.
export function draw(row) {
  let tr = known.elements.get(row.id);
  if (!tr) {
    tr = make(row.id);
    known.elements.set(row.id, tr);
  }
  cells.forEach(([, content, quiet], i) => {
    const td = tr.cells[i + 1];
    td.classList.toggle("quiet", quiet(row));
    fill(td.firstChild, ...content(row, known.offset));
  });
  drawActions(tr.cells[cells.length + 1], row);
  return tr;
}

// choose returns the rows that are to be seen. Where there are too many, those
// that need attention come first.
function choose() {
  const text = byId("filter").value.trim().toLowerCase();
  const only = byId("abnormal").checked;
  const fits = (row) => !text || row.id.toLowerCase().includes(text) || (row.at || "").toLowerCase().includes(text);
  const fitting = [...known.rows.values()].filter((r) => fits(r) && (!only || abnormal(r)));
  const shown = fitting.length <= shownMost ? fitting : [...fitting.filter(abnormal), ...fitting.filter((r) => !abnormal(r))].slice(0, shownMost);
  return { fitting, shown };
}

// arrange draws the table anew.
export function arrange() {
  const { fitting, shown } = choose();
  const body = byId("routes").tBodies[0];
  const focused = document.activeElement;
  body.replaceChildren(...shown.map(draw));
  if (focused && focused !== document.activeElement && body.contains(focused)) focused.focus();
  const all = known.rows.size;
  let words = fitting.length === all ? count(all, "route") : `${fitting.length} of ${count(all, "route")}`;
  if (shown.length < fitting.length) words += `, ${shown.length} shown: find others by name`;
  say(byId("count"), words);
  byId("routes").hidden = !shown.length;
  byId("empty").hidden = shown.length > 0;
  say(byId("empty"), all ? "No route fits." : "This gateway has no routes.");
  summarize();
}

const kinds = [
  ["refused", "not served"], ["open", "open"], ["isolated", "isolated"], ["half-open", "half-open"], ["recovering", "recovering"],
  ["troubled", "in trouble"], ["closed", "closed"], ["none", "without a breaker"],
];

// summarize counts the routes by what they do.
export function summarize() {
  const found = {};
  for (const row of known.rows.values()) found[kindOf(row)] = (found[kindOf(row)] || 0) + 1;
  const items = kinds.filter(([kind]) => found[kind]).map(([kind, words]) => element("li", `${found[kind]} ${words}`, `state ${kind}`));
  fill(byId("summary"), ...items);
  const attention = [...known.rows.values()].filter(abnormal).length;
  document.title = `${attention ? `(${attention}) ` : ""}${byId("name").textContent} – margay`;
}

// update takes rows that have changed.
export function update(rows) {
  let regroup = false;
  for (const row of rows) {
    const before = known.rows.get(row.id);
    known.rows.set(row.id, row);
    if (before && abnormal(before) !== abnormal(row)) regroup = true;
    if (known.elements.has(row.id)) draw(row);
  }
  if (regroup && (byId("abnormal").checked || known.rows.size > shownMost)) arrange();
  else summarize();
}

// count down what is left of breaks.
function tick() {
  for (const row of known.rows.values()) {
    if (counting(row) && known.elements.has(row.id)) draw(row);
  }
}

export function begin() {
  byId("filter").addEventListener("input", arrange);
  byId("abnormal").addEventListener("change", arrange);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  setInterval(tick, 1000);
}
