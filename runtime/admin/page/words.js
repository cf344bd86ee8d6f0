// Words and small elements. Everything that the page shows is text: nothing that
// a gateway says is taken for markup.

export const byId = (id) => document.getElementById(id);

export function element(name, text, className) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (className) e.className = className;
  return e;
}

// say changes a text only where it is another one: what is read aloud is not
// read again.
export function say(e, text) {
  if (e.textContent !== text) e.textContent = text;
}

// fill changes what is in an element only where it is something else.
export function fill(e, ...parts) {
  const holder = element("div");
  holder.append(...parts);
  if (e.innerHTML === holder.innerHTML) return;
  e.replaceChildren(...holder.childNodes);
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const days = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });

// moment words a time in the reader's zone, with its day unless that is today.
export function moment(date) {
  return (date.toDateString() === new Date().toDateString() ? clock : days).format(date);
}

// time shows a time, in full where somebody points at it.
export function time(stamp) {
  const date = new Date(stamp);
  const e = element("time", moment(date));
  e.dateTime = stamp;
  e.title = calendar.format(date);
  return e;
}

const numbers = new Intl.NumberFormat(undefined, { useGrouping: true });

export function count(n, one, many = `${one}s`) {
  return `${numbers.format(n)} ${n === 1 ? one : many}`;
}

export function duration(ms) {
  return ms >= 1000 && ms % 100 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

// stateWords says what a circuit does, with what is left of a break. The offset
// is the server's clock minus ours.
export function stateWords(circuit, offset) {
  switch (circuit.state) {
    case "open": {
      const left = Math.max(0, Math.ceil((Date.parse(circuit.until) - Date.now() - offset) / 1000));
      return left > 0 ? `open, ${left} s left` : "open, next call probes";
    }
    case "half-open":
      return circuit.probing ? "half-open, probing" : "half-open, next call probes";
    default:
      return circuit.state;
  }
}

// failingHosts are the hosts of a route that are passed over.
export function failingHosts(row) {
  return (row.hosts || []).filter((h) => h.state !== "closed");
}

// counting says whether a row holds seconds that run down.
export function counting(row) {
  return Boolean((row.circuit && row.circuit.state === "open") || failingHosts(row).length);
}

// kindOf sorts a row by what somebody has to know of it first.
export function kindOf(row) {
  if (row.refused) return "refused";
  if (row.circuit && row.circuit.state !== "closed") return row.circuit.state;
  if (row.trouble || failingHosts(row).length) return "troubled";
  return row.circuit ? "closed" : "none";
}

export function abnormal(row) {
  const kind = kindOf(row);
  return kind !== "closed" && kind !== "none";
}
