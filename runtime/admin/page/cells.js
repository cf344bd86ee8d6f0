// The cells of a row.

import { count, duration, element, failingHosts, stateWords, time } from "./words.js";

// hostNote tells of the hosts of a route that are passed over.
function hostNote(row, offset) {
  const failing = failingHosts(row);
  if (!failing.length) return [];
  const words = failing.map((h) => `${h.host} (${stateWords(h, offset)})`).join(", ");
  const all = failing.length === row.hosts.length ? "every host that was asked fails" : `${failing.length} of ${row.hosts.length} hosts passed over`;
  return [element("span", `${all}: ${words}`, "note trouble hosts")];
}

function stateCell(row, offset) {
  if (row.refused) return [element("span", "not served", "state refused"), element("span", row.refused, "note")];
  const c = row.circuit;
  const parts = [c ? element("span", stateWords(c, offset), `state ${c.state}`) : element("span", "no breaker", "state none")];
  parts.push(...hostNote(row, offset));
  if (row.opened) parts.push(element("span", `opened ${row.opened === 1 ? "once" : count(row.opened, "time")}`, "note"));
  if (row.trouble) parts.push(element("span", row.trouble, "note trouble"));
  if (c && c.shared) parts.push(element("span", `one circuit of several routes: ${c.shared}`, "note"));
  return parts;
}

// windowCell shows how far the circuit is from opening.
function windowCell(row) {
  const c = row.circuit;
  if (!c) return [];
  const meter = element("meter");
  let words;
  if (c.kind === "consecutive") {
    words = `${c.failures} of ${count(c.threshold, "failure")} in a row`;
    meter.max = c.threshold || 1;
    meter.high = meter.max - 0.5;
  } else {
    words = c.calls ? `${c.failures} of ${count(c.calls, "call")} failed` : "no calls";
    if (c.ratio) words += `; opens at ${Math.round(c.ratio * 100)} % of ${c.threshold} or more`;
    meter.max = Math.max(c.calls, 1);
    meter.high = (c.ratio || 1) * meter.max;
  }
  meter.value = c.failures;
  meter.low = meter.high;
  meter.optimum = 0;
  meter.setAttribute("aria-hidden", "true"); // the words beside it say the same
  return [meter, element("span", words, "faint")];
}

function callsCell(row) {
  if (!row.calls && !row.rejected) return [element("span", "none", "faint")];
  const parts = [element("span", count(row.calls, "call"))];
  if (row.failures) parts.push(element("span", `${row.failures} failed`, "note"));
  if (row.rejected) parts.push(element("span", `${row.rejected} rejected`, "note"));
  return parts;
}

function timeoutCell(row) {
  if (!row.attemptTimeout) return [element("span", "–", "faint")];
  return [element("span", String(row.attemptTimeouts)), element("span", ` after ${duration(row.attemptTimeout)}`, "faint")];
}

function failureCell(row) {
  const last = row.lastFailure;
  if (!last) return [element("span", "none", "faint")];
  const what = element("span");
  what.append(time(last.at), ` ${last.status ? `${last.reason} ${last.status}` : last.reason}`);
  return last.error ? [what, element("span", last.error, "note")] : [what];
}

// cells are the columns behind the name: label, content, and whether a phone may
// leave it out.
export const cells = [
  ["Circuit", stateCell, () => false],
  ["In the window", windowCell, (row) => !row.circuit],
  ["Calls", callsCell, () => false],
  ["Attempt timeouts", timeoutCell, (row) => !row.attemptTimeout],
  ["Last failure", failureCell, (row) => !row.lastFailure],
];
